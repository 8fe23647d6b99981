// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "situ/config.hpp"
#include "situ/dtype.hpp"
#include "situ/simd/math.hpp"
#include "situ/simd/pack.hpp"

// What a Map does to its operands. An operation is a type with
//   result<V...>      the element type of the result from those of the operands (void: refused)
//   apply<V...>(x...) the value, for scalars (host and device) or for packs of lanes (host)
// A new elementwise function is one entry here and one in functions.hpp.
namespace situ::op {

template <class T>
struct element_or_void {
  using type = compute_t<T>;
};
template <>
struct element_or_void<void> {
  using type = void;
};

// Common element type of two values of which one is chosen: it stays as it is when both agree.
template <class A, class B>
using common = std::conditional_t<std::is_same_v<A, B>, A, promote_t<A, B>>;

// What a function of real numbers computes in and returns: float stays float, 16-bit floats and small
// integers become float, wider integers become double.
template <class A>
using real = std::conditional_t<
    std::is_same_v<compute_t<A>, float>, float,
    std::conditional_t<!std::is_floating_point_v<A> && sizeof(A) <= 2, float, double>>;

#define SITU_BINARY(Name, Result, Compute, Expression)                           \
  struct Name {                                                                  \
    template <class A, class B>                                                  \
    using result = Result;                                                       \
    SITU_EXEC_CHECK_OFF                                                          \
    template <class A, class B, class X, class Y>                                \
    SITU_HD static SITU_INLINE auto apply(const X& x_, const Y& y_) {            \
      using C = typename element_or_void<Compute>::type;                         \
      const auto x = simd::convert<C>(x_);                                       \
      const auto y = simd::convert<C>(y_);                                       \
      return Expression;                                                         \
    }                                                                            \
  };

// Promotion has said what the operands become; C's usual conversions must not say it again.
template <class A, class B>
using promoted = promote_t<A, B>;
template <class A, class B>
using quotient =
    std::conditional_t<std::is_void_v<promote_t<A, B>>, void,
                       std::conditional_t<std::is_same_v<promote_t<A, B>, float>, float, double>>;
template <class A, class B>
using verdict = std::conditional_t<std::is_void_v<common<A, B>>, void, bool>;

#define SITU_COMMA ,
SITU_BINARY(Plus, promoted<A SITU_COMMA B>, promoted<A SITU_COMMA B>, simd::add(x, y))
SITU_BINARY(Minus, promoted<A SITU_COMMA B>, promoted<A SITU_COMMA B>, simd::subtract(x, y))
SITU_BINARY(Times, promoted<A SITU_COMMA B>, promoted<A SITU_COMMA B>, simd::multiply(x, y))
SITU_BINARY(Divide, quotient<A SITU_COMMA B>, quotient<A SITU_COMMA B>, x / y)
// Masks are compared by their bits, without leaving the registers they are in.
SITU_EXEC_CHECK_OFF
template <class X>
SITU_HD SITU_INLINE auto equal(const X& x, const X& y) {
  if constexpr (!element<X> && std::is_same_v<decltype(x == y), X>) {
    return !(x ^ y);
  } else {
    return x == y;
  }
}
SITU_BINARY(Equal, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, equal(x, y))
SITU_BINARY(NotEqual, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, !equal(x, y))
SITU_BINARY(Less, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, x < y)
SITU_BINARY(LessEqual, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, x <= y)
SITU_BINARY(Greater, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, x > y)
SITU_BINARY(GreaterEqual, verdict<A SITU_COMMA B>, common<A SITU_COMMA B>, x >= y)
SITU_BINARY(And, bool, bool, x & y)
SITU_BINARY(Or, bool, bool, x | y)
SITU_BINARY(Xor, bool, bool, x ^ y)
SITU_BINARY(Minimum, common<A SITU_COMMA B>, common<A SITU_COMMA B>, simd::min(x, y))
SITU_BINARY(Maximum, common<A SITU_COMMA B>, common<A SITU_COMMA B>, simd::max(x, y))
SITU_BINARY(Pow, quotient<A SITU_COMMA B>, quotient<A SITU_COMMA B>, simd::pow(x, y))
#undef SITU_BINARY

#define SITU_UNARY(Name, Result, Compute, Expression)                 \
  struct Name {                                                       \
    template <class A>                                                \
    using result = Result;                                            \
    SITU_EXEC_CHECK_OFF                                               \
    template <class A, class X>                                       \
    SITU_HD static SITU_INLINE auto apply(const X& x_) {              \
      using C = compute_t<Compute>;                                   \
      const auto x = simd::convert<C>(x_);                            \
      return Expression;                                              \
    }                                                                 \
  };

// bool counts as a number from 0 to 1 in arithmetic, as in promotion.
template <class A>
using number = std::conditional_t<std::is_same_v<A, bool>, std::int32_t, compute_t<A>>;

SITU_UNARY(Negate, number<A>, number<A>, simd::negate(x))
SITU_UNARY(Not, bool, bool, !x)
SITU_UNARY(Abs, number<A>, number<A>, simd::abs(x))
SITU_UNARY(Sign, number<A>, number<A>, simd::sign(x))
SITU_UNARY(Square, number<A>, number<A>, simd::multiply(x, x))
SITU_UNARY(Sqrt, real<A>, real<A>, simd::sqrt(x))
SITU_UNARY(Exp, real<A>, real<A>, simd::exp(x))
SITU_UNARY(Exp2, real<A>, real<A>, simd::exp2(x))
SITU_UNARY(Expm1, real<A>, real<A>, simd::expm1(x))
SITU_UNARY(Log, real<A>, real<A>, simd::log(x))
SITU_UNARY(Log2, real<A>, real<A>, simd::log2(x))
SITU_UNARY(Log10, real<A>, real<A>, simd::log10(x))
SITU_UNARY(Log1p, real<A>, real<A>, simd::log1p(x))
SITU_UNARY(Tanh, real<A>, real<A>, simd::tanh(x))
SITU_UNARY(Sigmoid, real<A>, real<A>, simd::sigmoid(x))
SITU_UNARY(Softplus, real<A>, real<A>, simd::softplus(x))
SITU_UNARY(Floor, real<A>, real<A>, simd::floor(x))
SITU_UNARY(Ceil, real<A>, real<A>, simd::ceil(x))
SITU_UNARY(Trunc, real<A>, real<A>, simd::trunc(x))
SITU_UNARY(Round, real<A>, real<A>, simd::round(x))
SITU_UNARY(Relu, number<A>, number<A>, simd::max(x, std::remove_cvref_t<decltype(x)>{}))
SITU_UNARY(IsNan, bool, real<A>, simd::isnan(x))
SITU_UNARY(IsInf, bool, real<A>, simd::isinf(x))
SITU_UNARY(IsFinite, bool, real<A>, simd::isfinite(x))
#undef SITU_UNARY
#undef SITU_COMMA

// where(condition, x, y): x where the condition holds, y elsewhere. Both are computed.
struct Where {
  template <class Condition, class A, class B>
  using result = common<A, B>;
  SITU_EXEC_CHECK_OFF
  template <class Condition, class A, class B, class C, class X, class Y>
  SITU_HD static SITU_INLINE auto apply(const C& c, const X& x, const Y& y) {
    using T = typename element_or_void<common<A, B>>::type;
    return simd::select(simd::convert<bool>(c), simd::convert<T>(x), simd::convert<T>(y));
  }
};

// How many of the thresholds 1/steps, 2/steps, ... lie strictly below p in [0, 1], decided exactly:
// ceil(p steps) - 1, and 0 for p = 0. The product is exact in double; packs of floats split p in two, whose
// products with up to 12 bits are exact too, and look at the sign of p steps - round(p steps).
struct ThresholdsBelow {
  template <class A, class Steps>
  using result = std::int32_t;
  SITU_EXEC_CHECK_OFF
  template <class A, class Steps, class X, class S>
  SITU_HD static SITU_INLINE auto apply(const X& p, const S& steps) {
    if constexpr (!element<X> && std::is_same_v<compute_t<A>, float>) {
      if (steps.v[0] <= 4096) return of_floats(p, simd::convert<float>(steps));
    }
    const auto product = simd::multiply(simd::convert<double>(p), simd::convert<double>(steps));
    const auto n = simd::convert<std::int32_t>(simd::ceil(product));
    return simd::max(n - ones(n), n ^ n);
  }

 private:
  SITU_EXEC_CHECK_OFF
  template <class N>
  SITU_HD static SITU_INLINE N ones(const N&) {
    if constexpr (element<N>) {
      return 1;
    } else {
      return simd::broadcast<N::lanes>(std::int32_t{1});
    }
  }
  template <class X>
  static SITU_INLINE auto of_floats(const X& p, const X& steps) {
    constexpr int N = X::lanes;
    const auto wide = simd::multiply(p, simd::broadcast<N>(4097.0f));
    const auto high = wide - (wide - p);  // Veltkamp: 12 bits of p, and the rest
    const auto nearest = simd::round(simd::multiply(p, steps));
    const auto rest = (simd::multiply(high, steps) - nearest) + simd::multiply(p - high, steps);
    const auto zero = simd::broadcast<N>(0.0f);
    const auto below = simd::select(rest > zero, nearest, nearest - simd::broadcast<N>(1.0f));
    return simd::to_int32(simd::select(below > zero, below, zero));
  }
};

// Element type conversion with the rules of cast_value. A 16-bit or 8-bit target keeps its range and
// rounding although the lanes are wider: cast<float16>(x) has the values of a float16.
template <class To>
struct Cast {
  template <class A>
  using result = To;
  SITU_EXEC_CHECK_OFF
  template <class A, class X>
  SITU_HD static SITU_INLINE auto apply(const X& x) {
    using C = compute_t<To>;
    if constexpr (std::is_same_v<C, To>) {
      return simd::convert<To>(x);
    } else if constexpr (element<X>) {
      return static_cast<C>(cast_value<To>(x));
    } else {
      auto lanes = simd::convert<C>(x);
      for (int i = 0; i < X::lanes; ++i) lanes.v[i] = static_cast<C>(cast_value<To>(simd::lane(x, i)));
      return lanes;
    }
  }
};

}  // namespace situ::op
