// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/expression/operators.hpp"

// Elementwise functions under the names that NumPy users expect. Shapes broadcast by NumPy's rules
// (symbolic operands: a rank-1 operand has one value per row). The operands must live on one device.
namespace situ {

// float16, bfloat16 and small integers are computed in float, wider integers in double.
#define SITU_FUNCTION(name, Name)                              \
  template <expression A>                                      \
  [[nodiscard]] constexpr auto name(A&& a) {                   \
    return detail::map_unary<op::Name>(std::forward<A>(a));    \
  }
SITU_FUNCTION(abs, Abs)
SITU_FUNCTION(sign, Sign)
SITU_FUNCTION(square, Square)
SITU_FUNCTION(sqrt, Sqrt)
SITU_FUNCTION(exp, Exp)
SITU_FUNCTION(exp2, Exp2)
SITU_FUNCTION(expm1, Expm1)
SITU_FUNCTION(log, Log)
SITU_FUNCTION(log2, Log2)
SITU_FUNCTION(log10, Log10)
SITU_FUNCTION(log1p, Log1p)
SITU_FUNCTION(tanh, Tanh)
SITU_FUNCTION(sigmoid, Sigmoid)
SITU_FUNCTION(softplus, Softplus)  // log(1 + exp(x)), without overflow
SITU_FUNCTION(relu, Relu)          // max(x, 0); NaN stays NaN
SITU_FUNCTION(floor, Floor)
SITU_FUNCTION(ceil, Ceil)
SITU_FUNCTION(trunc, Trunc)
SITU_FUNCTION(round, Round)  // halves go to the even neighbour
SITU_FUNCTION(isnan, IsNan)
SITU_FUNCTION(isinf, IsInf)
SITU_FUNCTION(isfinite, IsFinite)
SITU_FUNCTION(logical_not, Not)
#undef SITU_FUNCTION

// minimum and maximum propagate NaN.
#define SITU_FUNCTION(name, Name)                                                            \
  template <class A, class B>                                                                \
    requires detail::operands<A, B> && (!on_different_devices<A, B>) &&                      \
             detail::op_defined<op::Name, A, B>                                              \
  [[nodiscard]] constexpr auto name(A&& a, B&& b) {                                          \
    return detail::map_binary<op::Name>(std::forward<A>(a), std::forward<B>(b));             \
  }                                                                                          \
  template <class A, class B, class Cure = move_one_operand_with_situ_to_Device>             \
    requires on_different_devices<A, B> && detail::operands<A, B>                            \
  void name(A&&, B&&) SITU_REFUSE(                                                           \
      "situ: the operands live on different devices; move one with situ::to<Device>(x)");    \
  template <class A, class B, class Cure = convert_one_operand_with_situ_cast>               \
    requires detail::operands<A, B> && (!on_different_devices<A, B>) &&                      \
             (!detail::op_defined<op::Name, A, B>)                                           \
  void name(A&&, B&&) SITU_REFUSE(                                                           \
      "situ: these element types have no common type without loss; use situ::cast<T>(x)");
SITU_FUNCTION(minimum, Minimum)
SITU_FUNCTION(maximum, Maximum)
SITU_FUNCTION(pow, Pow)
SITU_FUNCTION(logical_and, And)
SITU_FUNCTION(logical_or, Or)
SITU_FUNCTION(logical_xor, Xor)
// For p in [0, 1] how many of the evenly spaced thresholds 1/steps, 2/steps, ... lie strictly below it, exactly.
SITU_FUNCTION(thresholds_below, ThresholdsBelow)
#undef SITU_FUNCTION

// The same values in element type T. Towards an integer the fraction is dropped, values out of range
// become the nearest representable one and NaN becomes 0.
template <element T, expression A>
[[nodiscard]] constexpr auto cast(A&& a) {
  if constexpr (std::is_same_v<typename detail::node_beside<A>::value_type, T>) {
    return detail::make_node<A>(std::forward<A>(a));
  } else {
    return detail::map_unary<op::Cast<T>>(std::forward<A>(a));
  }
}

namespace detail {

template <class A, class B, class C>
concept ternary_operands =
    (expression<A> || scalar<A>) && (expression<B> || scalar<B>) && (expression<C> || scalar<C>) &&
    (expression<A> || expression<B> || expression<C>);

template <class A, class B, class C>
concept any_two_apart =
    on_different_devices<A, B> || on_different_devices<A, C> || on_different_devices<B, C>;

// Two numbers to choose from: they become what a plain conditional expression would make of them.
template <class X, class Other>
constexpr auto choice_node(auto&& x) {
  if constexpr (expression<X> || expression<Other>) {
    return make_node<Other>(std::forward<X>(x));
  } else {
    using T = std::common_type_t<std::remove_cvref_t<X>, std::remove_cvref_t<Other>>;
    return Constant<T>{static_cast<T>(x)};  // an integral_constant becomes a number here
  }
}

}  // namespace detail

// x where the condition holds, y elsewhere (NumPy's where, also called select). Both are computed,
// so `where(w > 0, x / w, 0)` is safe but not faster.
template <expression C, class A, class B>
  requires detail::ternary_operands<C, A, B> && (!detail::any_two_apart<C, A, B>)
[[nodiscard]] constexpr auto where(C&& condition, A&& x, B&& y) {
  auto c = detail::make_node<C>(std::forward<C>(condition));
  auto a = detail::choice_node<A, B>(std::forward<A>(x));
  auto b = detail::choice_node<B, A>(std::forward<B>(y));
  static_assert(
      !std::is_void_v<op::common<typename decltype(a)::value_type, typename decltype(b)::value_type>>,
      "situ: the two choices of where() have no common element type without loss; use "
      "situ::cast<T>(x)");
  detail::check_broadcast(c, a, b);
  return Map<op::Where, decltype(c), decltype(a), decltype(b)>{
      make_tuple(std::move(c), std::move(a), std::move(b))};
}
template <expression C, class A, class B, class Cure = move_one_operand_with_situ_to_Device>
  requires detail::ternary_operands<C, A, B> && detail::any_two_apart<C, A, B>
void where(C&&, A&&, B&&)
    SITU_REFUSE("situ: the operands live on different devices; move one with situ::to<Device>(x)");

namespace detail {
struct CommonType {
  template <class A, class B>
  using result = op::common<A, B>;
};
}  // namespace detail

// `x` if the option is set, else `y`: for options of a metric that are known at run time. Unlike where(),
// only the chosen expression is computed; row reductions inside either are always computed.
template <class Tag, symbolic A, symbolic B>
[[nodiscard]] constexpr auto choose(Constant<bool, Tag> option, A x, B y) {
  return Choose<detail::CommonType, Constant<bool, Tag>, A, B>{make_tuple(option, x, y)};
}
template <symbolic A, symbolic B>
[[nodiscard]] constexpr auto choose(bool option, A x, B y) {
  return choose(Constant<bool>{option}, x, y);
}

// x limited to [low, high]; NaN stays NaN.
template <expression X, class L, class H>
  requires detail::ternary_operands<X, L, H> && (!detail::any_two_apart<X, L, H>)
[[nodiscard]] constexpr auto clip(X&& x, L&& low, H&& high) {
  return minimum(maximum(std::forward<X>(x), std::forward<L>(low)), std::forward<H>(high));
}
template <expression X, class L, class H, class Cure = move_one_operand_with_situ_to_Device>
  requires detail::ternary_operands<X, L, H> && detail::any_two_apart<X, L, H>
void clip(X&&, L&&, H&&)
    SITU_REFUSE("situ: the operands live on different devices; move one with situ::to<Device>(x)");

}  // namespace situ
