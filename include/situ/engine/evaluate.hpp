// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "situ/engine/assign.hpp"

// Expressions become values here: assign, evaluate, and what a Tensor does when it is made from one.
namespace situ {

namespace detail {
template <class E>
concept tensor_expression = expression<E> && placed<E>;
}  // namespace detail

// assign([on(executor),] to, e): to = e, elementwise, in one pass. The shapes must be equal, the element
// type of `to` must hold that of `e` without loss (else use cast<T>). `e` may mention `to`.
template <class X, class T, int R, device D, detail::tensor_expression E>
  requires placed_on<D, E>
void assign(On<X> where, const View<T, R, D>& to, const E& e) {
  static_assert(detail::runs_here<D>,
                "situ: an expression on a CUDA device is evaluated in a file compiled as CUDA (nvcc)");
  static_assert(E::rank == R, "situ: the expression has another number of axes than its destination");
  static_assert(detail::holds<T, std::remove_const_t<typename E::value_type>>,
                "situ: the destination's element type cannot hold the expression's without loss; use "
                "situ::cast<T>(expression)");
  if (const auto shape = shape_of(e); !(shape == to.shape())) {
    throw shape_error("situ: an expression of shape " + to_string(shape) +
                      " cannot be assigned to a tensor of shape " + to_string(to.shape()) +
                      "; make the shapes equal, or broadcast with situ::broadcast_to");
  }
  detail::assign_on(detail::any_resource(where.resource), to, e);
}
template <class T, int R, device D, detail::tensor_expression E>
  requires placed_on<D, E>
void assign(const View<T, R, D>& to, const E& e) {
  assign(on(detail::default_resource<D>()), to, e);
}
template <class T, int R, device D, detail::tensor_expression E,
          class Cure = move_one_operand_with_situ_to_Device>
  requires(!placed_on<D, E>)
void assign(const View<T, R, D>&, const E&) SITU_REFUSE(
    "situ: the expression lives on another device than its destination; use situ::to<Device>(x)");

// a += e is assign(a, a + e): in a's memory, with the rules of assign().
#define SITU_COMPOUND(op)                                                                                \
  template <class T, int R, device D, class E>                                                           \
    requires(!on_different_devices<View<T, R, D>, E>) &&                                                 \
            requires(const View<T, R, D>& a, const E& e) { a op e; }                                     \
  const View<T, R, D>& operator op##=(const View<T, R, D>& a, const E& e) {                              \
    assign(a, a op e);                                                                                   \
    return a;                                                                                            \
  }                                                                                                      \
  template <class T, int R, device D, class E>                                                           \
    requires(!on_different_devices<View<T, R, D>, E>) &&                                                 \
            requires(const View<T, R, D>& a, const E& e) { a op e; }                                     \
  Tensor<T, R, D>& operator op##=(Tensor<T, R, D>& a, const E& e) {                                      \
    assign(a.view(), a.view() op e);                                                                     \
    return a;                                                                                            \
  }                                                                                                      \
  template <expression A, expression E, class Cure = move_one_operand_with_situ_to_Device>               \
    requires on_different_devices<A, E>                                                                  \
  void operator op##=(const A&, const E&) SITU_REFUSE(                                                   \
      "situ: the operands live on different devices; move one with situ::to<Device>(x)");
SITU_COMPOUND(+)
SITU_COMPOUND(-)
SITU_COMPOUND(*)
SITU_COMPOUND(/)
#undef SITU_COMPOUND

template <class T, int R, device Device>
template <detail::source_on<T, R, Device> E>
  requires detail::fits<E, T, R>
Tensor<T, R, Device>::Tensor(const E& e) : Tensor(shape_of(e), uninitialized) {
  assign(view(), e);
}
template <class T, int R, device Device>
template <detail::source_on<T, R, Device> E>
  requires detail::fits<E, T, R>
Tensor<T, R, Device>& Tensor<T, R, Device>::operator=(const E& e) {
  if (shape_of(e) == shape_) {
    assign(view(), e);
  } else {
    Tensor(e).swap(*this);
  }
  return *this;
}

// The expression's values in a new tensor.
template <detail::tensor_expression E>
[[nodiscard]] auto evaluate_now(const E& e) {
  return Tensor(e);
}

// ---- full reductions -----------------------------------------------------------------------------------

namespace detail {

template <class R>
struct reduction_value;
template <class Kind, class... As>
struct reduction_value<Reduce<Kind, As...>> {
  using R = Reduce<Kind, As...>;
  static auto get(const typename R::cell& c, std::int64_t n) {
    if constexpr (std::is_same_v<Kind, MeanOf>) {
      return c.sum / static_cast<double>(c.count);
    } else {
      constexpr bool extreme = std::is_same_v<Kind, ExtremeOf<1>> || std::is_same_v<Kind, ExtremeOf<-1>>;
      if (extreme && n == 0) {
        throw shape_error("situ: min and max of no elements are undefined; check size() first");
      }
      return c;
    }
  }
};

// Shape of what a reduction runs over: its operands, broadcast together.
template <class Kind, class A>
auto reduced_shape(const Reduce<Kind, A>& r) {
  return shape_of(get<0>(r.args));
}
template <class Kind, class A, class B>
auto reduced_shape(const Reduce<Kind, A, B>& r) {
  return broadcast_shapes(shape_of(get<0>(r.args)), shape_of(get<1>(r.args)));
}
template <class Kind, class A, class B, class C>
auto reduced_shape(const Reduce<Kind, A, B, C>& r) {
  return broadcast_shapes(broadcast_shapes(shape_of(get<0>(r.args)), shape_of(get<1>(r.args))),
                          shape_of(get<2>(r.args)));
}

// The cells of single-valued reductions, in one pass on the host.
template <class P, class Args>
auto reduce_on(const AnyExecutor& executor, P, const Args& args) {
  Cells<typename P::wanted> cells;
  HostPass<P, Args, simd::native_lanes> pass(args);
  if (const Violation v = pass.run(executor, cells); v.row != Violation::none) {
    throw_violation(P{}, v);
  }
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return make_tuple(get<I>(cells).cells()[0]...);
  }(std::make_integer_sequence<int, P::wanted_count>{});
}

// Several reductions over equally many elements in one pass. Every operand is read as a row of scalars.
template <class Resource, class... Rs>
auto reduce_all(const Resource& resource, const Tuple<Rs...>& rs, std::int64_t n) {
  using List = SymbolList<Index<0, 0, 0>, 1, Rs...>;
  KeepAlive keep;
  const auto each = std::make_integer_sequence<int, static_cast<int>(sizeof...(Rs))>{};
  const auto sources = [&]<int... I>(std::integer_sequence<int, I...>) {
    return make_tuple(Symbol<Index<0, 0, 0>, 1, Rs>::sources(get<I>(rs))...);
  }(each);
  const auto columns = [&]<int... I>(std::integer_sequence<int, I...>) {
    return concat(make_columns<1>(get<I>(sources), reduced_shape(get<I>(rs)), keep)...);
  }(each);
  const auto args = make_arguments(columns, List::numbers(rs), n, 1);
  using P = typename plan_of<typename List::types>::type;
  const auto cells = reduce_on(resource, P{}, args);
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::tuple{
        reduction_value<type_at_t<I, Types<Rs...>>>::get(get<I>(cells), n)...};
  }(each);
}

// One value itself, several as a tuple.
template <class Values>
auto unwrap(Values values) {
  if constexpr (std::tuple_size_v<Values> == 1) {
    return std::get<0>(std::move(values));
  } else {
    return values;
  }
}

template <class R>
concept tensor_reduction = reduction<R> && placed<R>;
template <class A, class... Rs>
concept all_with = (std::is_same_v<device_of<A>, device_of<Rs>> && ...);

}  // namespace detail

// evaluate([on(executor),] r1, r2, ...): the values of reductions such as sum(x), mean(x), max(abs(x)),
// all in one pass when they run over equally many elements. One value, or a std::tuple of them.
template <class X, detail::tensor_reduction R, detail::tensor_reduction... Rs>
  requires detail::all_with<R, Rs...>
[[nodiscard]] auto evaluate(On<X> where, const R& first, const Rs&... rest) {
  static_assert(detail::runs_here<device_of<R>>,
                "situ: a reduction on a CUDA device is evaluated in a file compiled as CUDA (nvcc)");
  const std::int64_t sizes[] = {detail::reduced_shape(first).size(),
                                detail::reduced_shape(rest).size()...};
  bool together = true;
  for (const std::int64_t n : sizes) together = together && n == sizes[0];
  if (together) {
    return detail::unwrap(
        detail::reduce_all(detail::any_resource(where.resource), make_tuple(first, rest...), sizes[0]));
  }
  return detail::unwrap(std::tuple_cat(
      detail::reduce_all(detail::any_resource(where.resource), make_tuple(first), detail::reduced_shape(first).size()),
      detail::reduce_all(detail::any_resource(where.resource), make_tuple(rest), detail::reduced_shape(rest).size())...));
}
template <detail::tensor_reduction R, detail::tensor_reduction... Rs>
  requires detail::all_with<R, Rs...>
[[nodiscard]] auto evaluate(const R& first, const Rs&... rest) {
  return evaluate(on(detail::default_resource<device_of<R>>()), first, rest...);
}
template <detail::tensor_reduction R, detail::tensor_reduction... Rs,
          class Cure = move_one_operand_with_situ_to_Device>
  requires(!detail::all_with<R, Rs...>)
void evaluate(const R&, const Rs&...) SITU_REFUSE(
    "situ: the reductions run over data on different devices; move one with situ::to<Device>(x)");

}  // namespace situ
