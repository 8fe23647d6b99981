// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "situ/device.hpp"
#include "situ/dtype.hpp"
#include "situ/expression/tuple.hpp"

// The nodes that expressions are made of. A node says what is computed, never how or where:
// loops and kernels are the engine's.
//
// Every node has
//   value_type    the element type of its values
//   device_type   Host, Cuda<N>, or Anywhere for what has no place (constants, symbolic inputs)
//   rank          number of axes; for symbolic nodes 0 (the same for all rows), 1 (one value per
//                 row) or 2 (one value per row and column)
namespace situ {

// The place of things that have none: they may join operands of any device.
struct Anywhere {};

namespace detail {
template <class... Ds>
struct common_device {
  using type = Anywhere;
};
template <class D, class... Ds>
struct common_device<D, Ds...> {
  using type = std::conditional_t<device<D>, D, typename common_device<Ds...>::type>;
};
template <int... Xs>
struct Largest {
  static constexpr int value = 0;
};
template <int X, int... Xs>
struct Largest<X, Xs...> {
  static constexpr int rest = Largest<Xs...>::value;
  static constexpr int value = X > rest ? X : rest;
};
template <int... Xs>
inline constexpr int largest = Largest<Xs...>::value;
template <class X>
inline constexpr bool is_node = false;  // specialised beside each node, View and Tensor
}  // namespace detail

// Tensors, views and everything built from them or from symbolic inputs.
template <class X>
concept expression = detail::is_node<std::remove_cvref_t<X>>;

template <class X>
inline constexpr bool is_integral_constant = false;
template <int V>
inline constexpr bool is_integral_constant<std::integral_constant<int, V>> = true;

// A plain number beside an expression.
template <class X>
concept scalar =
    element<std::remove_cvref_t<X>> || is_integral_constant<std::remove_cvref_t<X>>;

// A number known at compile time. It has no state, so expressions that use it can still be shared.
template <class T, int V>
struct Fixed {
  using value_type = T;
  using device_type = Anywhere;
  static constexpr int rank = 0;
};

// `x > constant<0>` instead of `x > 0` makes the zero part of the expression's type, and equal
// expressions in different metrics are then computed once.
template <int V>
inline constexpr std::integral_constant<int, V> constant{};

// A number known at run time, the same for all rows. Anonymous ones (Tag void) are each on their own: two
// numbers are never taken for one because their types agree.
template <class T, class Tag = void>
struct Constant {
  using value_type = T;
  using device_type = Anywhere;
  static constexpr int rank = 0;
  T value;
};

// An option of a metric as a number with a name, its member: option<&AUC::from_logits>(from_logits). Wherever
// one metric object mentions it, it is the same number, so what is computed with it can be shared: use it
// where an option occurs in an expression that is used more than once. Variants of one option, such as
// 1 - epsilon beside epsilon, get different variant numbers.
template <auto Member, int Variant>
struct OptionTag {};
template <auto Member, int Variant = 0, element T>
constexpr auto option(T value) {
  return Constant<T, OptionTag<Member, Variant>>{value};
}

// What a Constant becomes once an expression is bound. The key finds its value among the run-time numbers:
// its position, or the metric and the member it comes from.
template <class Key, class T>
struct Param {
  using value_type = T;
  using device_type = Anywhere;
  static constexpr int rank = 0;
};
template <int K>
struct AnonymousKey {};
template <int Metric, class Tag>
struct OptionKey {};

// Argument K of an update: element type T, one value per row (Rank 1) or per row and column (Rank 2).
// An empty type: equal subexpressions of different metrics are equal types, so sharing is decided
// by the compiler.
template <int K, class T, int Rank>
struct Input {
  using value_type = T;
  using device_type = Anywhere;
  static constexpr int rank = Rank;
};

// The weight of an unweighted update: `weight * x` is x, and `sum(weight)` counts rows in int64.
struct One {
  using value_type = bool;
  using device_type = Anywhere;
  static constexpr int rank = 0;
};

// The column of the element at hand, and the number of columns of the update.
struct ColumnIndex {
  using value_type = std::int32_t;
  using device_type = Anywhere;
  static constexpr int rank = 2;
};
struct ColumnCount {
  using value_type = std::int32_t;
  using device_type = Anywhere;
  static constexpr int rank = 0;
};

// An elementwise operation.
template <class Op, class... Args>
struct Map {
  // A view of const elements computes like one of others.
  using value_type = typename Op::template result<std::remove_const_t<typename Args::value_type>...>;
  using device_type = typename detail::common_device<typename Args::device_type...>::type;
  static constexpr int rank = detail::largest<Args::rank...>;
  Tuple<Args...> args;
};

// One of two expressions, by an option that is the same for all rows: only the chosen one is computed.
template <class Tag, class Option, class A, class B>
struct Choose {
  using value_type = typename Tag::template result<typename A::value_type, typename B::value_type>;
  using device_type = Anywhere;
  static constexpr int rank = detail::largest<A::rank, B::rank>;
  Tuple<Option, A, B> args;
};

// A reduction of each row of a symbolic rank-2 expression to one value.
template <class Op, class Arg>
struct RowReduce {
  using value_type = typename Op::template result<typename Arg::value_type>;
  using device_type = Anywhere;
  static constexpr int rank = 1;
  Tuple<Arg> args;
};

// For each row the element of X in column Label. Label holds a check that it is in range, so the
// access is safe by construction.
template <class Tag, class X, class Label>
struct Gather {
  using value_type = typename X::value_type;
  using device_type = Anywhere;
  static constexpr int rank = 1;
  Tuple<X, Label> args;
};

// Value, with the promise that Reason::holds(value, limit): where it does not, the update is rejected as a
// whole with Reason's sentence, the row and the value.
template <class Reason, class Value, class Limit>
struct Checked {
  using value_type = typename Value::value_type;
  using device_type = Anywhere;
  static constexpr int rank = Value::rank;
  Tuple<Value, Limit> args;
};

// A row function of tensors: Fn says in symbolic terms what it is, so that everything in it is one
// fused pass and its argument is read once however often Fn mentions it.
template <class Fn, class... Args>
struct Composite {
  using device_type = typename detail::common_device<typename Args::device_type...>::type;
  template <int... K>
  static auto form(std::integer_sequence<int, K...>)
      -> decltype(Fn{}(Input<K, std::remove_const_t<typename Args::value_type>,
                             (Args::rank == detail::largest<Args::rank...> ? 2 : 1)>{}...));
  using form_type = decltype(form(std::make_integer_sequence<int, sizeof...(Args)>{}));
  using value_type = typename form_type::value_type;
  static constexpr int rank = detail::largest<Args::rank...> - (form_type::rank == 2 ? 0 : 1);
  Tuple<Args...> args;
};

namespace detail {
template <class T, int V>
inline constexpr bool is_node<Fixed<T, V>> = true;
template <class T, class Tag>
inline constexpr bool is_node<Constant<T, Tag>> = true;
template <class K, class T>
inline constexpr bool is_node<Param<K, T>> = true;
template <int K, class T, int R>
inline constexpr bool is_node<Input<K, T, R>> = true;
template <>
inline constexpr bool is_node<One> = true;
template <>
inline constexpr bool is_node<ColumnIndex> = true;
template <>
inline constexpr bool is_node<ColumnCount> = true;
template <class Op, class... As>
inline constexpr bool is_node<Map<Op, As...>> = true;
template <class T, class O, class A, class B>
inline constexpr bool is_node<Choose<T, O, A, B>> = true;
template <class Op, class A>
inline constexpr bool is_node<RowReduce<Op, A>> = true;
template <class T, class X, class L>
inline constexpr bool is_node<Gather<T, X, L>> = true;
template <class R, class V, class L>
inline constexpr bool is_node<Checked<R, V, L>> = true;
template <class F, class... As>
inline constexpr bool is_node<Composite<F, As...>> = true;

template <class E>
inline constexpr bool is_composite = false;
template <class F, class... As>
inline constexpr bool is_composite<Composite<F, As...>> = true;
}  // namespace detail

// What a metric's update sees, as opposed to tensors: it has no place.
template <class E>
concept symbolic =
    expression<E> && std::same_as<typename std::remove_cvref_t<E>::device_type, Anywhere>;

}  // namespace situ
