// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/exponential.hpp"

// log, log1p, log2, log10 and softplus. With x = (1 + f) 2^e and 1 + f next to 1, log(x) is
// log(1 + f) + e ln 2.
namespace situ::simd {

namespace detail {
// log(1 + f) + e ln 2 for 1 + f in [sqrt(1/2), sqrt(2)].
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V log_parts(const V& f, const V& e) {
  using L = Like<V>;
  using C = MathConstants<lane_t<V>>;
  const V half_square = multiply(multiply(f, f), L::of(lane_t<V>(0.5)));
  const V high = multiply(e, L::of(C::ln2_high));
  const V low = multiply(e, L::of(C::ln2_low));
  if constexpr (std::is_same_v<lane_t<V>, float>) {
    // (log(1 + f) - f + f^2 / 2) / f^3 to 3e-8
    const V tail = horner(f, 0.33333331180030048f, -0.24999996957950882f, 0.20000715748892102f,
                          -0.16667802319501254f, 0.14249057645697480f, -0.12425687331451106f,
                          0.11685419923486739f, -0.11479733846637636f, 0.069716114714511778f);
    const V cube = multiply(multiply(f, f), f);
    return high + (f + (low + (multiply(cube, tail) - half_square)));
  } else {
    // With s = f / (2 + f), log(1 + f) = 2 s + s^3 R(s^2), R to 3e-16.
    const V s = f / (L::of(2) + f);
    const V z = multiply(s, s);
    const V tail = horner(z, 0.66666666666666696862, 0.3999999999989950449, 0.28571428625975484921,
                          0.22222211134795079855, 0.1818288912526172208, 0.15331721600556041269,
                          0.1461644968504340586);
    const V correction = multiply(s, half_square + multiply(z, tail));
    return high - ((half_square - (correction + low)) - f);
  }
}
// 1 + f and e of a positive x that is neither denormal nor infinite.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE auto bits_above_sqrt_half(const V& x) {
  using C = MathConstants<lane_t<V>>;
  return to_bits(x) + Like<V>::bits((C::bias << C::digits) - C::sqrt_half);
}
SITU_EXEC_CHECK_OFF
template <class V, class B>
SITU_HD SITU_INLINE V fraction_of(const B& bits) {
  using T = lane_t<V>;
  using L = Like<V>;
  using C = MathConstants<T>;
  const auto fraction = bits & L::bits((bits_t<T>{1} << C::digits) - 1);
  return from_bits<T>(fraction + L::bits(C::sqrt_half)) - L::of(1);
}
SITU_EXEC_CHECK_OFF
template <class V, class B>
SITU_HD SITU_INLINE V exponent_of(const B& bits) {
  using T = lane_t<V>;
  using L = Like<V>;
  using C = MathConstants<T>;
  const auto biased = bits >> L::bits(C::digits);
  return from_bits<T>(biased + L::bits(to_bits(C::round))) - L::of(C::round + T(C::bias));
}
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V log_of_normal(const V& x) {
  const auto bits = bits_above_sqrt_half(x);
  return log_parts(fraction_of<V>(bits), exponent_of<V>(bits));
}
// log(1 + x) for 0 <= 1 + x < infinity, where u is 1 + x rounded: what was lost is put back to
// first order.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V log1p_of_normal(const V& u, const V& lost) {
  return log_of_normal(u) + lost / u;
}

#if defined(__AVX512F__)
// AVX-512 takes numbers apart, denormals too, and replaces special results by a table. The bits are
// those of the code below; of float logarithms it saves an eighth of the time, of double ones a
// quarter.
template <class V>
inline constexpr bool in_wide_registers = false;
template <class T, int N>
inline constexpr bool in_wide_registers<Pack<T, N>> = part_bytes<T, N> == 64;

// Without optimisation g++'s intrinsics are macros, whose conversions it then blames on us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
template <class T>
struct wide_register {
  typedef __m512 type;
};
template <>
struct wide_register<double> {
  typedef __m512d type;
};
template <class T>
inline constexpr T wide_sqrt_two = sizeof(T) == 4 ? T(1.41421354f) : T(1.4142135623730951);
SITU_INLINE __m512 wide_fraction(const __m512& x) {
  const __m512 m = _mm512_maskz_getmant_ps(0xFFFF, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
  const auto large = _mm512_cmp_ps_mask(m, _mm512_set1_ps(wide_sqrt_two<float>), _CMP_GE_OQ);
  return _mm512_mask_mul_ps(m, large, m, _mm512_set1_ps(0.5f)) - _mm512_set1_ps(1);
}
SITU_INLINE __m512d wide_fraction(const __m512d& x) {
  const __m512d m = _mm512_maskz_getmant_pd(0xFF, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
  const auto large = _mm512_cmp_pd_mask(m, _mm512_set1_pd(wide_sqrt_two<double>), _CMP_GE_OQ);
  return _mm512_mask_mul_pd(m, large, m, _mm512_set1_pd(0.5)) - _mm512_set1_pd(1);
}
SITU_INLINE __m512 wide_exponent(const __m512& x) {
  const __m512 m = _mm512_maskz_getmant_ps(0xFFFF, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
  const __m512 e = _mm512_maskz_getexp_ps(0xFFFF, x);
  const auto large = _mm512_cmp_ps_mask(m, _mm512_set1_ps(wide_sqrt_two<float>), _CMP_GE_OQ);
  return _mm512_mask_add_ps(e, large, e, _mm512_set1_ps(1));
}
SITU_INLINE __m512d wide_exponent(const __m512d& x) {
  const __m512d m = _mm512_maskz_getmant_pd(0xFF, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src);
  const __m512d e = _mm512_maskz_getexp_pd(0xFF, x);
  const auto large = _mm512_cmp_pd_mask(m, _mm512_set1_pd(wide_sqrt_two<double>), _CMP_GE_OQ);
  return _mm512_mask_add_pd(e, large, e, _mm512_set1_pd(1));
}
// Replaces y by class of x. From the highest digit of the table: a positive x keeps y, a negative
// one gives NaN, inf gives inf, -inf NaN, 1 keeps y, 0 gives -inf, NaN stays (two classes).
inline constexpr int wide_log_limits = 0x03530422;
SITU_INLINE __m512 wide_limits(const __m512& y, const __m512& x) {
  return _mm512_maskz_fixupimm_ps(0xFFFF, y, x, _mm512_set1_epi32(wide_log_limits), 0);
}
SITU_INLINE __m512d wide_limits(const __m512d& y, const __m512d& x) {
  return _mm512_maskz_fixupimm_pd(0xFF, y, x, _mm512_set1_epi64(wide_log_limits), 0);
}
#pragma GCC diagnostic pop
template <class T, int N>
SITU_INLINE Pack<T, N> wide_log(const Pack<T, N>& x) {
  using W = typename wide_register<T>::type;
  const auto f = by_parts<T, N>(
      [](auto v) __attribute__((always_inline)) { return wide_fraction((W)v); }, x);
  const auto e = by_parts<T, N>(
      [](auto v) __attribute__((always_inline)) { return wide_exponent((W)v); }, x);
  return by_parts<T, N>(
      [](auto y, auto v) __attribute__((always_inline)) { return wide_limits((W)y, (W)v); },
      log_parts(f, e), x);
}
#endif

}  // namespace detail

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  using C = detail::MathConstants<T>;
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  if constexpr (detail::in_wide_registers<V>) return detail::wide_log(x);
#endif
  // Denormals are scaled up by 2^54 first.
  const auto small = x < L::of(C::smallest_normal);
  const V normal = select(small, multiply(x, L::of(T(18014398509481984.0))), x);
  const auto bits = detail::bits_above_sqrt_half(normal);
  const V e = detail::exponent_of<V>(bits);
  const V y = detail::log_parts(detail::fraction_of<V>(bits), select(small, e - L::of(54), e));
  const V infinity = L::of(infinity_of<T>);
  const V at_zero = select(x == L::of(0), -infinity, L::of(nan_of<T>));
  return select(x > L::of(0), select(x == infinity, x, y), at_zero);
}

// log(1 + x) without cancellation near 0.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log1p(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  const V one = L::of(1);
  const V infinity = L::of(infinity_of<T>);
  const V u = one + x;
  const V lost = select(x > one, one - (u - x), x - (u - one));
  // The sign of x also serves -0.
  const V y = copysign(detail::log1p_of_normal(u, lost), x);
  const V at_pole = select(x == -one, -infinity, L::of(nan_of<T>));
  return select(x > -one, select(x == infinity, x, y), at_pole);
}
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log2(const V& x) {
  return multiply(log(x), detail::Like<V>::of(detail::lane_t<V>(1.4426950408889634074)));
}
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log10(const V& x) {
  return multiply(log(x), detail::Like<V>::of(detail::lane_t<V>(0.43429448190325182765)));
}

// log(1 + exp(x)), without overflow for large x.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V softplus(const V& x) {
  using L = detail::Like<V>;
  const V e = exp(-abs(x));  // at most 1, so its logarithm needs no special cases
  const V u = L::of(1) + e;
  return max(x, L::of(0)) + detail::log1p_of_normal(u, e - (u - L::of(1)));
}

}  // namespace situ::simd
