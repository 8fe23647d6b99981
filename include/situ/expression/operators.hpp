// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/expression/leaf.hpp"
#include "situ/expression/ops.hpp"

// The operators, and their refusals. Each refusal is a deleted overload whose last template parameter
// is named Cure: compilers print it, with both operands' devices or element types, in the first line.
namespace situ {

// Compilers print these as the value of Cure.
struct convert_one_operand_with_situ_cast;

namespace detail {

// An operand next to X: an expression stays, a plain number takes a type that suits X's.
template <class X, class Beside>
using operand_value = typename node_beside<X, Beside>::value_type;

template <class A, class B>
concept operands =
    (expression<A> && expression<B>) || (expression<A> && scalar<B>) || (scalar<A> && expression<B>);

template <class Op, class A, class B>
concept op_defined = !std::is_void_v<
    typename Op::template result<operand_value<A, B>, operand_value<B, A>>>;

template <class Op, class A, class B>
constexpr auto map_binary(A&& a, B&& b) {
  // Taken before either is moved: a number's type depends on its neighbour's.
  auto left = make_node<B>(std::forward<A>(a));
  auto right = make_node<A>(std::forward<B>(b));
  check_broadcast(left, right);
  return Map<Op, decltype(left), decltype(right)>{make_tuple(std::move(left), std::move(right))};
}
template <class Op, class A>
constexpr auto map_unary(A&& a) {
  auto x = make_node<A>(std::forward<A>(a));
  return Map<Op, decltype(x)>{make_tuple(std::move(x))};
}

}  // namespace detail

#define SITU_OPERATOR(symbol, Name)                                                          \
  template <class A, class B>                                                                \
    requires detail::operands<A, B> && (!on_different_devices<A, B>) &&                      \
             detail::op_defined<op::Name, A, B>                                              \
  [[nodiscard]] constexpr auto operator symbol(A&& a, B&& b) {                               \
    return detail::map_binary<op::Name>(std::forward<A>(a), std::forward<B>(b));             \
  }                                                                                          \
  template <class A, class B, class Cure = move_one_operand_with_situ_to_Device>             \
    requires on_different_devices<A, B> && detail::operands<A, B>                            \
  void operator symbol(A&&, B&&) SITU_REFUSE(                                                \
      "situ: the operands live on different devices; move one with situ::to<Device>(x)");    \
  template <class A, class B, class Cure = convert_one_operand_with_situ_cast>               \
    requires detail::operands<A, B> && (!on_different_devices<A, B>) &&                      \
             (!detail::op_defined<op::Name, A, B>)                                           \
  void operator symbol(A&&, B&&) SITU_REFUSE(                                                \
      "situ: these element types have no common type without loss; use situ::cast<T>(x)");

SITU_OPERATOR(+, Plus)
SITU_OPERATOR(-, Minus)
SITU_OPERATOR(*, Times)
SITU_OPERATOR(/, Divide)
SITU_OPERATOR(==, Equal)
SITU_OPERATOR(!=, NotEqual)
SITU_OPERATOR(<, Less)
SITU_OPERATOR(<=, LessEqual)
SITU_OPERATOR(>, Greater)
SITU_OPERATOR(>=, GreaterEqual)
SITU_OPERATOR(&&, And)
SITU_OPERATOR(||, Or)
SITU_OPERATOR(&, And)
SITU_OPERATOR(|, Or)
SITU_OPERATOR(^, Xor)
#undef SITU_OPERATOR

template <expression A>
[[nodiscard]] constexpr auto operator-(A&& a) {
  return detail::map_unary<op::Negate>(std::forward<A>(a));
}
template <expression A>
[[nodiscard]] constexpr auto operator!(A&& a) {
  return detail::map_unary<op::Not>(std::forward<A>(a));
}

// An absent weight leaves no trace in the type, so nothing is loaded or multiplied for it.
template <expression E>
  requires(!std::is_same_v<std::remove_cvref_t<E>, One>)
constexpr auto operator*(One, E&& e) {
  return detail::make_node<E>(std::forward<E>(e));
}
template <expression E>
  requires(!std::is_same_v<std::remove_cvref_t<E>, One>)
constexpr auto operator*(E&& e, One) {
  return detail::make_node<E>(std::forward<E>(e));
}
constexpr One operator*(One, One) { return {}; }

}  // namespace situ
