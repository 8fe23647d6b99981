// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "situ/expression/rows.hpp"

// The vocabulary of accumulators: what a metric may ask for. A Kind is a commutative monoid over cells:
//   cell<V...>          the accumulated value, trivially copyable, from the element types of its operands
//   empty<V...>()       the cell of no data
//   merge(a, b)         a becomes the cell of both; in any order, up to rounding
//   add<V...>(a, x...)  a becomes the cell with one element more
//   layout              how many cells there are, see below
// Threads, blocks, devices, ranks, batches and checkpoints are all joined by merge.
namespace situ {

enum class Layout {
  single,   // one cell
  bins,     // one cell per bin: the last operand says how many, the first which
  columns,  // one cell per column of the update
  rows,     // one cell per row: grows with every update
};

template <class Kind, class... Args>
struct Reduce {
  using kind = Kind;
  using cell = decltype(Kind::template empty<typename Args::value_type...>());
  using device_type = typename detail::common_device<typename Args::device_type...>::type;
  static_assert(std::is_trivially_copyable_v<cell>,
                "situ: the state of a reduction must be trivially copyable; keep plain numbers in it");
  Tuple<Args...> args;
};

namespace detail {
template <class R>
inline constexpr bool is_reduction = false;
template <class K, class... As>
inline constexpr bool is_reduction<Reduce<K, As...>> = true;
}  // namespace detail

template <class R>
concept reduction = detail::is_reduction<std::remove_cvref_t<R>>;

// What a metric's update returns: the reductions whose values its result() receives, in this order.
template <class... Rs>
struct States {
  Tuple<Rs...> reductions;
};
template <class... Rs>
[[nodiscard]] constexpr auto states(Rs... rs) {
  static_assert((reduction<Rs> && ...),
                "situ: states() takes reductions such as sum(x), moments(x) or histogram(bin, bins); "
                "wrap the expression in one of them");
  return States<Rs...>{make_tuple(rs...)};
}

// ---- sum, mean ---------------------------------------------------------------------------------

// Integers and bool are counted in int64, real numbers summed in double.
template <class V>
using sum_t =
    std::conditional_t<std::is_floating_point_v<compute_t<V>>, double, std::int64_t>;

struct SumOf {
  static constexpr Layout layout = Layout::single;
  template <class V>
  using cell = sum_t<V>;
  template <class V>
  SITU_HD static constexpr cell<V> empty() {
    return 0;
  }
  template <class C>
  SITU_HD static void merge(C& a, const C& b) {
    a += b;
  }
  template <class V, class X>
  SITU_HD static void add(cell<V>& a, const X& x) {
    a += static_cast<cell<V>>(x);
  }
};

struct MeanCell {
  double sum;
  std::int64_t count;
};
struct MeanOf {
  static constexpr Layout layout = Layout::single;
  template <class V>
  using cell = MeanCell;
  template <class V>
  SITU_HD static constexpr MeanCell empty() {
    return {0, 0};
  }
  SITU_HD static void merge(MeanCell& a, const MeanCell& b) {
    a.sum += b.sum;
    a.count += b.count;
  }
  template <class V, class X>
  SITU_HD static void add(MeanCell& a, const X& x) {
    a.sum += static_cast<double>(x);
    ++a.count;
  }
};

// ---- min, max ----------------------------------------------------------------------------------

// NaN wins, as in NumPy. Without data: infinity of the other sign, or the integer type's last value.
template <int Sign>
struct ExtremeOf {
  static constexpr Layout layout = Layout::single;
  template <class V>
  using cell = compute_t<V>;
  template <class V>
  SITU_HD static constexpr compute_t<V> empty() {
    return op::RowExtreme<Sign>::template start<V>();
  }
  template <class C>
  SITU_HD static void merge(C& a, const C& b) {
    if constexpr (Sign > 0) {
      a = simd::max(a, b);
    } else {
      a = simd::min(a, b);
    }
  }
  template <class V, class X>
  SITU_HD static void add(cell<V>& a, const X& x) {
    merge(a, static_cast<cell<V>>(x));
  }
};

// ---- public functions --------------------------------------------------------------------------

namespace detail {
template <class Kind, class... As>
constexpr auto reduce_as(As&&... as) {
  return Reduce<Kind, typename node_beside<As>::type...>{
      make_tuple(make_node<As>(std::forward<As>(as))...)};
}
template <class E>
constexpr auto per_row(E e) {  // a rank-2 expression is summed row by row first
  if constexpr (symbolic_row<E>) {
    return row_sum(e);
  } else {
    return e;
  }
}
}  // namespace detail

// The sum over all elements. sum(weight) without a weight counts rows.
template <expression E>
[[nodiscard]] constexpr auto sum(E&& e) {
  if constexpr (symbolic<E>) {
    return detail::reduce_as<SumOf>(detail::per_row(e));
  } else {
    return detail::reduce_as<SumOf>(std::forward<E>(e));
  }
}

// How many rows (or elements of a tensor) the condition holds for.
template <expression E>
[[nodiscard]] constexpr auto count(E&& condition) {
  return sum(cast<bool>(std::forward<E>(condition)));
}

// The unweighted mean over rows (or over the elements of a tensor); NaN without data.
template <expression E>
[[nodiscard]] constexpr auto mean(E&& e) {
  if constexpr (detail::symbolic_row<E>) {
    return detail::reduce_as<MeanOf>(row_mean(e));
  } else {
    return detail::reduce_as<MeanOf>(std::forward<E>(e));
  }
}

// The smallest and the largest value; of bool as int32.
template <expression E>
[[nodiscard]] constexpr auto min(E&& e) {
  if constexpr (std::is_same_v<std::remove_const_t<typename std::remove_cvref_t<E>::value_type>, bool>) {
    return min(cast<std::int32_t>(std::forward<E>(e)));
  } else if constexpr (detail::symbolic_row<E>) {
    return detail::reduce_as<ExtremeOf<-1>>(row_min(e));
  } else {
    return detail::reduce_as<ExtremeOf<-1>>(std::forward<E>(e));
  }
}
template <expression E>
[[nodiscard]] constexpr auto max(E&& e) {
  if constexpr (std::is_same_v<std::remove_const_t<typename std::remove_cvref_t<E>::value_type>, bool>) {
    return max(cast<std::int32_t>(std::forward<E>(e)));
  } else if constexpr (detail::symbolic_row<E>) {
    return detail::reduce_as<ExtremeOf<1>>(row_max(e));
  } else {
    return detail::reduce_as<ExtremeOf<1>>(std::forward<E>(e));
  }
}

}  // namespace situ
