// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/reduce/moments.hpp"

// Accumulators with many cells: histograms, confusion matrices, one cell per column, stored rows.
namespace situ {

// Weights are summed per bin: in int64 when they are integers (or absent), else in double.
struct HistogramOf {
  static constexpr Layout layout = Layout::bins;
  template <class Bin, class W, class Bins>
  using cell = sum_t<W>;
  template <class Bin, class W, class Bins>
  SITU_HD static constexpr sum_t<W> empty() {
    return 0;
  }
  template <class C>
  SITU_HD static void merge(C& a, const C& b) {
    a += b;
  }
};

template <class Kind>
struct PerColumnOf {
  static constexpr Layout layout = Layout::columns;
  template <class... Vs>
  using cell = decltype(Kind::template empty<Vs...>());
  template <class... Vs>
  SITU_HD static constexpr auto empty() {
    return Kind::template empty<Vs...>();
  }
  template <class C>
  SITU_HD static void merge(C& a, const C& b) {
    Kind::merge(a, b);
  }
  template <class... Vs, class... Xs>
  SITU_HD static void add(cell<Vs...>& a, const Xs&... xs) {
    Kind::template add<Vs...>(a, xs...);
  }
};

// One record per row, kept in the order of the rows. Merging appends.
struct ColumnsOf {
  static constexpr Layout layout = Layout::rows;
  template <class... Vs>
  using cell = Tuple<compute_t<Vs>...>;
  template <class... Vs>
  SITU_HD static constexpr auto empty() {
    return Tuple<compute_t<Vs>...>{};
  }
};

namespace detail {
// The number of bins next to the bin's expression: an expression that is the same for all rows, or a
// number.
template <class Bin, class N>
constexpr auto bins_node(N bins) {
  if constexpr (expression<N>) {
    static_assert(N::rank == 0,
                  "situ: the number of bins must be the same for all rows; use a number or "
                  "columns_of(y_pred)");
    return bins;
  } else {
    return Constant<std::int32_t>{static_cast<std::int32_t>(bins)};
  }
}
}  // namespace detail

// How many rows (or elements) fall into each bin 0 .. bins-1. A bin index outside that range rejects
// the update. `bins` is a number or an expression without rows, such as columns_of(y_pred).
template <symbolic Bin, class N, symbolic W>
[[nodiscard]] constexpr auto histogram(Bin bin, N bins, W weight) {
  static_assert(detail::integer_expression<Bin>,
                "situ: a bin index must be an integer; use cast<std::int32_t>(floor(x))");
  const auto count = detail::bins_node<Bin>(bins);
  return detail::reduce_as<HistogramOf>(
      check<reason::BinOutOfRange>(cast<std::int32_t>(bin), count), weight, count);
}
template <symbolic Bin, class N>
[[nodiscard]] constexpr auto histogram(Bin bin, N bins) {
  return histogram(bin, bins, One{});
}

// Weighted counts of (true label, predicted label), row-major: cell [t * classes + p]. Labels outside
// [0, classes) reject the update.
template <symbolic T, symbolic P, class N, symbolic W>
[[nodiscard]] constexpr auto confusion(T y_true, P y_pred, N classes, W weight) {
  const auto n = detail::bins_node<T>(classes);
  const auto t = class_index(y_true, n);
  const auto p = class_index(y_pred, n);
  return detail::reduce_as<HistogramOf>(t * n + p, weight, n * n);
}
template <symbolic T, symbolic P, class N>
[[nodiscard]] constexpr auto confusion(T y_true, P y_pred, N classes) {
  return confusion(y_true, y_pred, classes, One{});
}

// The number of columns (classes) of a rank-2 input, or 1.
template <symbolic E>
[[nodiscard]] constexpr auto columns_of(E) {
  if constexpr (E::rank == 2) {
    return ColumnCount{};
  } else {
    return Fixed<std::int32_t, 1>{};
  }
}

// One sum per column of a rank-2 expression (of a rank-1 one: a single sum), as an array of cells.
template <symbolic E>
[[nodiscard]] constexpr auto column_sum(E e) {
  return Reduce<PerColumnOf<SumOf>, E>{make_tuple(e)};
}
// One set of weighted moments per column.
template <symbolic E, symbolic W>
[[nodiscard]] constexpr auto column_moments(E e, W weight) {
  return Reduce<PerColumnOf<MomentsOf>, E, W>{make_tuple(e, weight)};
}

// Keeps the values of its operands for every row (growing state), for results that need all data.
template <symbolic... Es>
[[nodiscard]] constexpr auto columns(Es... es) {
  static_assert(((Es::rank < 2) && ...),
                "situ: columns() stores one value of each operand per row; reduce rank-2 operands "
                "with a row function first");
  return Reduce<ColumnsOf, Es...>{make_tuple(es...)};
}

}  // namespace situ
