// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "situ/engine/plan.hpp"

// From tensors to what a loop reads: a pointer and two strides per argument.
namespace situ::detail {

// Copies made because a loop could not read the original; they live as long as the pass.
class KeepAlive {
 public:
  KeepAlive() = default;
  KeepAlive(const KeepAlive&) = delete;
  KeepAlive& operator=(const KeepAlive&) = delete;
  ~KeepAlive() {
    for (const Item& item : items_) item.destroy(item.object);
  }
  template <class T>
  T& add(T value) {
    items_.reserve(items_.size() + 1);  // nothing may throw once the object is made
    T* object = new T(std::move(value));
    items_.push_back({object, [](void* p) { delete static_cast<T*>(p); }});
    return *object;
  }

 private:
  struct Item {
    void* object;
    void (*destroy)(void*);
  };
  std::vector<Item> items_;
};

// Elements from one view to another of the same shape, on one device; specialised in copy.hpp for Host and,
// where the file is compiled as CUDA, in cuda_assign.hpp.
template <class Device>
struct Copy {
  template <class T, class S, int R>
  static void run(const View<T, R, Device>&, const View<S, R, Device>&) {
    static_assert(std::is_same_v<Device, Host>,
                  "situ: copying strided data of a CUDA device needs a file compiled as CUDA (nvcc)");
  }
};
template <>
struct Copy<Host>;

// A row-major copy of a view.
template <class T, int R, class D>
Tensor<std::remove_const_t<T>, R, D> packed_copy(const View<T, R, D>& v) {
  Tensor<std::remove_const_t<T>, R, D> copy(v.shape(), uninitialized);
  Copy<D>::run(copy.view(), v);
  return copy;
}

// A view of any rank as rows and columns: the last axis are the columns, all others the rows.
struct RowLayout {
  bool regular;  // the rows have one stride
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t row_stride;
  std::int64_t column_stride;
};
template <class T, int R, class D>
RowLayout layout_of(const View<T, R, D>& v) {
  RowLayout l{true, 1, 1, 0, 1};
  if constexpr (R == 0) {
    return l;
  } else {
    l.columns = v.extent(R - 1);
    l.column_stride = l.columns == 1 ? 1 : v.strides()[R - 1];
    std::int64_t stride = 0;  // from one row to the next, in the innermost axis with several rows
    for (int a = R - 2; a >= 0; --a) {
      const std::int64_t n = v.extent(a);
      if (n != 1) {
        if (l.rows == 1) {
          stride = v.strides()[a];
        } else if (v.strides()[a] != stride * l.rows) {
          l.regular = false;
        }
      }
      l.rows *= n;
    }
    l.row_stride = l.rows == 1 ? l.columns : stride;
    return l;
  }
}

// Argument of a pass with one element per row and column (Rank 2) or per row (Rank 1): contiguous along
// the axis that packs run along, or copied so.
template <int Rank, class T, int R, class D>
Column<std::remove_const_t<T>> make_column(const View<T, R, D>& v, KeepAlive& keep) {
  using V = std::remove_const_t<T>;
  RowLayout l = layout_of(v);
  if constexpr (Rank == 2) {
    if (l.regular && (l.column_stride == 1 || l.rows == 0 || l.columns == 0)) {
      return {v.data(), l.row_stride, 1};
    }
  } else {
    if (v.is_contiguous()) return {v.data(), 1, 0};
  }
  const Tensor<V, R, D>& copy = keep.add(packed_copy(v));
  if constexpr (Rank == 2) {
    return {copy.data(), l.columns, 1};
  } else {
    return {copy.data(), 1, 0};
  }
}

// What stands for a source while a pass runs: a view, or a tensor that was computed for it.
template <class T, int R, class D>
View<const std::remove_const_t<T>, R, D> view_of(const View<T, R, D>& v) {
  return v;
}
template <class T, int R, class D>
View<const T, R, D> view_of(const Tensor<T, R, D>& t) {
  return t.view();
}

template <int Rank, class... Ss>
auto make_columns(const Tuple<Ss...>& sources, const auto& shape, KeepAlive& keep) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return make_tuple(make_column<Rank>(broadcast_to(view_of(get<I>(sources)), shape), keep)...);
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
}

template <class... Cs, class... Ps>
auto make_arguments(const Tuple<Cs...>& columns, const Tuple<Number<Ps>...>& numbers, std::int64_t rows,
                    std::int64_t n) {
  if (n > std::numeric_limits<std::int32_t>::max()) {
    throw shape_error("situ: the last axis has " + std::to_string(n) +
                      " elements; at most 2147483647 are supported, so reshape the data");
  }
  using Unique = typename unique_params<Types<>, Ps...>::type;
  return Arguments<Tuple<Cs...>, Unique>{columns, pick_numbers(Unique{}, numbers), rows,
                                         static_cast<std::int32_t>(n)};
}

// The symbolic rank of an argument: relative to the argument of highest rank, whose last axis are the
// columns. One axis less means one value per row. A single axis is rows of one element each in a metric,
// and one row in a row function.
template <int Rank, int Highest, bool OneRow>
inline constexpr int symbolic_rank = (Rank == Highest && (Highest > 1 || OneRow)) ? 2 : 1;

// The arguments of an update or of a row function, bound one after the other.
template <class Ix, int Highest, bool OneRow, class... Nodes>
struct ArgumentList {
  static constexpr int params = 0;
  using types = Types<>;
  static Tuple<> numbers(const Tuple<>&) { return {}; }
  static Tuple<> sources(const Tuple<>&) { return {}; }
  static Tuple<> columns(const Tuple<>&, const Tuple<>&, KeepAlive&) { return {}; }
};
template <class Ix, int Highest, bool OneRow, class N, class... Nodes>
struct ArgumentList<Ix, Highest, OneRow, N, Nodes...> {
  static_assert(N::rank == Highest || N::rank == Highest - 1,
                "situ: the arguments have ranks that do not fit together; labels and weights have the "
                "shape of y_pred, or that shape without its last axis");
  static constexpr int rank = symbolic_rank<N::rank, Highest, OneRow>;
  using Head = Symbol<Ix, rank, N>;
  using Tail = ArgumentList<advance<Ix, Head>, Highest, OneRow, Nodes...>;
  static constexpr int params = Head::params + Tail::params;
  using types = typename prepend<typename Head::type, typename Tail::types>::type;
  static auto numbers(const Tuple<N, Nodes...>& t) {
    return concat(Head::numbers(t.head), Tail::numbers(t.tail));
  }
  // A tuple of sources for each argument; they own what had to be computed first.
  static auto sources(const Tuple<N, Nodes...>& t) {
    auto mine = Head::sources(t.head);
    auto rest = Tail::sources(t.tail);
    return Tuple<decltype(mine), decltype(rest)>{std::move(mine), {std::move(rest), {}}};
  }
  template <class S, class Rest>
  static auto columns(const Tuple<N, Nodes...>& t, const Tuple<S, Rest>& sources, KeepAlive& keep) {
    return concat(make_columns<rank>(sources.head, shape_of(t.head), keep),
                  Tail::columns(t.tail, sources.tail.head, keep));
  }
};

}  // namespace situ::detail
