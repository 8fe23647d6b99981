// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/sources.hpp"

// What an assignment needs to know of its operands, on every device: whether they overlap the
// destination, and what a row function reads.
namespace situ::detail {

// ---- aliasing
// ----------------------------------------------------------------------------------------

// Bytes that a view may touch, as [begin, end).
template <class T, int R, class D>
std::pair<const char*, const char*> bytes_of(const View<T, R, D>& v) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (int a = 0; a < R; ++a) {
    if (v.extent(a) == 0) return {nullptr, nullptr};
    const std::int64_t reach = (v.extent(a) - 1) * v.strides()[a];
    (reach < 0 ? low : high) += reach;
  }
  return {reinterpret_cast<const char*>(v.data() + low),
          reinterpret_cast<const char*>(v.data() + high + 1)};
}
// True when writing `to` in order may overwrite what a later read of `from` needs. Reading and
// writing the same element at the same index is harmless.
template <class T, int R, class S, int RS, class D>
bool clobbers(const View<T, R, D>& to, const View<S, RS, D>& from) {
  const auto [a, b] = bytes_of(to);
  const auto [c, d] = bytes_of(from);
  if (a == b || c == d || b <= c || d <= a) return false;
  if constexpr (R == RS && std::is_same_v<std::remove_const_t<T>, std::remove_const_t<S>>) {
    return to.data() != from.data() || !(to.shape() == from.shape()) ||
           !(to.strides() == from.strides());
  } else {
    return true;
  }
}
template <class T, int R, class D, class S, int RS>
bool any_clobbered(const View<T, R, D>& to, const View<S, RS, D>& from) {
  return clobbers(to, from);
}
template <class T, int R, class D, class S, int RS>
bool any_clobbered(const View<T, R, D>&, const Tensor<S, RS, D>&) {
  return false;  // computed for this very assignment
}
template <class T, int R, class D, class... Ss>
bool any_clobbered(const View<T, R, D>& to, const Tuple<Ss...>& sources) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return (any_clobbered(to, get<I>(sources)) || ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
}

// ---- row functions
// -------------------------------------------------------------------------------------

// Fn of bare symbolic inputs, whose types say everything.
template <class Fn, class... Es>
constexpr auto apply_types(Types<Es...>) {
  return Fn{}(Es{}...);
}

// Functions that no elements have no value of.
template <class Fn>
inline constexpr bool of_some_element =
    std::is_same_v<Fn, RowMaxFn> || std::is_same_v<Fn, RowMinFn> || std::is_same_v<Fn, ArgMaxFn> ||
    std::is_same_v<Fn, ArgMinFn>;

template <class C>
struct RowFunction;
template <class Fn, class... As>
struct RowFunction<Composite<Fn, As...>> {
  static constexpr int highest = largest<As::rank...>;
  using List = ArgumentList<Index<0, 0, 0>, highest, true, As...>;
  using Form = decltype(apply_types<Fn>(typename List::types{}));
  using S = Symbol<Index<0, List::params, 0>, 1, Form>;
  using form = typename S::type;  // in symbolic terms: one value per row, or per row and column
  using Operands = Tuple<As...>;
  using Sources = decltype(List::sources(std::declval<const Operands&>()));

  static auto bind(const Operands& operands, const Sources& sources, KeepAlive& keep) {
    const auto full = shape_of(get<0>(operands));
    std::int64_t rows = 1;
    for (int a = 0; a < highest - 1; ++a) rows *= full[a];
    return make_arguments(
        List::columns(operands, sources, keep),
        concat(List::numbers(operands), S::numbers(apply_types<Fn>(typename List::types{}))), rows,
        full[highest - 1]);
  }
  using Args = decltype(bind(std::declval<const Operands&>(), std::declval<const Sources&>(),
                             std::declval<KeepAlive&>()));

  explicit RowFunction(const Composite<Fn, As...>& e)
      : sources(List::sources(e.args)),
        args(bind(e.args, sources, keep)),
        stride(form::rank == 2 ? args.columns : 1) {
    if (of_some_element<Fn> && args.columns == 0 && args.rows > 0) {
      throw shape_error(
          "situ: the largest or smallest element of an axis of length 0 is undefined; check the shape first");
    }
  }

  Sources sources;
  KeepAlive keep;
  Args args;
  std::int64_t stride;  // elements of the result per row
};

}  // namespace situ::detail
