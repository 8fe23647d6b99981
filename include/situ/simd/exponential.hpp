// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/polynomial.hpp"

// exp, exp2, expm1, tanh and sigmoid. With k = round(x / ln 2) and r = x - k ln 2, exp(x) is exp(r)
// 2^k.
namespace situ::simd {

namespace detail {
// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2, to 7e-8 and 2e-18.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V exp_tail(const V& r) {
  if constexpr (std::is_same_v<lane_t<V>, float>) {
    return horner(r, 0.5f, 0.16666573381900846f, 0.041666550110305124f, 0.0083637738744055735f,
                  0.0013926926614021906f);
  } else {
    return horner(r, 0.5, 0.16666666666666671438, 0.041666666666666670074, 0.0083333333333255446996,
                  0.0013888888888883326674, 0.00019841269876864354929, 2.4801587327007186731e-5,
                  2.7557252833516909748e-6, 2.7557271810219799569e-7, 2.5106274733573294688e-8,
                  2.0915442297780115217e-9);
  }
}

// y 2^n in two steps, each of which is representable, so it rounds once; n comes as the bits that
// rounding to an integer left. AVX-512 has an instruction with the same result.
SITU_EXEC_CHECK_OFF
template <class V, class B>
SITU_HD SITU_INLINE V scale(const V& y, const B& rounded_bits) {
  using T = lane_t<V>;
  using C = MathConstants<T>;
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  if constexpr (!std::is_same_v<V, T>) {
    constexpr int N = V::lanes;
    if constexpr (part_bytes<T, N> == 64) {
      const V n = from_bits<T>(rounded_bits) - Like<V>::of(C::round);
      return by_parts<T, N>(
          [](auto a, auto b) __attribute__((always_inline)) {
            if constexpr (sizeof(T) == 4) {
              return (vec<T, N>)_mm512_maskz_scalef_ps(0xFFFF, (__m512)a, (__m512)b);
            } else {
              return (vec<T, N>)_mm512_maskz_scalef_pd(0xFF, (__m512d)a, (__m512d)b);
            }
          },
          y, n);
    }
  }
#endif
  const auto twice = rounded_bits - Like<V>::bits(to_bits(C::round) - 2 * C::bias);  // n + 2 bias
  const auto half = twice >> Like<V>::bits(1);
  const auto digits = Like<V>::bits(C::digits);
  return multiply(multiply(y, from_bits<T>(half << digits)),
                  from_bits<T>((twice - half) << digits));
}

// round(x / ln 2) + MathConstants::round, whose low bits are the integer.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V shifted_quotient(const V& x) {
  using T = lane_t<V>;
  const V log2e = Like<V>::of(static_cast<T>(1.4426950408889634074));
  return multiply(x, log2e) + Like<V>::of(MathConstants<T>::round);
}
// x - k ln 2, with ln 2 in two parts.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V without_ln2(const V& x, const V& k) {
  using C = MathConstants<lane_t<V>>;
  const V r = x - multiply(k, Like<V>::of(C::ln2_high));
  return r - multiply(k, Like<V>::of(C::ln2_low));
}

#if defined(__SSE2__)
// min(high, max(low, v)) of a register. Of two operands these instructions return the second for
// NaN.
template <class T, class V>
SITU_INLINE V limit_register(const V& low, const V& v, const V& high) {
  constexpr bool single = sizeof(T) == 4;
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && single) {
    const __m512 above = _mm512_maskz_max_ps(0xFFFF, (__m512)low, (__m512)v);
    return (V)_mm512_maskz_min_ps(0xFFFF, (__m512)high, above);
  } else if constexpr (sizeof(V) == 64) {
    const __m512d above = _mm512_maskz_max_pd(0xFF, (__m512d)low, (__m512d)v);
    return (V)_mm512_maskz_min_pd(0xFF, (__m512d)high, above);
  } else
#endif
#if defined(__AVX2__)
      if constexpr (sizeof(V) == 32 && single) {
    return (V)_mm256_min_ps((__m256)high, _mm256_max_ps((__m256)low, (__m256)v));
  } else if constexpr (sizeof(V) == 32) {
    return (V)_mm256_min_pd((__m256d)high, _mm256_max_pd((__m256d)low, (__m256d)v));
  } else
#endif
      if constexpr (single) {
    return (V)_mm_min_ps((__m128)high, _mm_max_ps((__m128)low, (__m128)v));
  } else {
    return (V)_mm_min_pd((__m128d)high, _mm_max_pd((__m128d)low, (__m128d)v));
  }
}
#endif
// The nearest number in [low, high]; NaN stays.
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V limit(const V& x, lane_t<V> low, lane_t<V> high) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  if constexpr (!std::is_same_v<V, lane_t<V>>) {
    return by_parts<lane_t<V>, V::lanes>(
        [](auto a, auto b, auto c)
            __attribute__((always_inline)) { return limit_register<lane_t<V>>(a, b, c); },
        Like<V>::of(low), x, Like<V>::of(high));
  }
#endif
  const V above = select(x < Like<V>::of(low), Like<V>::of(low), x);
  return select(above > Like<V>::of(high), Like<V>::of(high), above);
}

}  // namespace detail

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V exp(const V& x) {
  using L = detail::Like<V>;
  using C = detail::MathConstants<detail::lane_t<V>>;
  const V limited = detail::limit(x, C::exp_low, C::exp_high);
  const V shifted = detail::shifted_quotient(limited);
  const V r = detail::without_ln2(limited, shifted - L::of(C::round));
  const V y = L::of(1) + (r + multiply(multiply(r, r), detail::exp_tail(r)));
  return detail::scale(y, to_bits(shifted));
}

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V exp2(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  using C = detail::MathConstants<T>;
  const V limited = detail::limit(x, static_cast<T>(C::exp_low * T(1.46)), C::exp_high * T(1.45));
  const V shifted = limited + L::of(C::round);
  const V r = multiply(limited - (shifted - L::of(C::round)),
                       L::of(static_cast<T>(0.69314718055994530942)));
  const V y = L::of(1) + (r + multiply(multiply(r, r), detail::exp_tail(r)));
  return detail::scale(y, to_bits(shifted));
}

// exp(x) - 1 without cancellation near 0: with x = k ln 2 + r it is (e^r - 1 + (1 - 2^-k)) 2^k.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V expm1(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  using C = detail::MathConstants<T>;
  const V limited = detail::limit(x, C::expm1_low, C::exp_high);
  const V shifted = detail::shifted_quotient(limited);
  const V k = shifted - L::of(C::round);
  const V r = detail::without_ln2(limited, k);
  const V small = r + multiply(multiply(r, r), detail::exp_tail(r));
  const auto bits = to_bits(shifted);
  // 2^-k, which is nothing beside 1 for the large k where it would not be normal.
  const auto exponent = L::bits(to_bits(C::round) + C::bias) - bits;
  const V inverse =
      select(k > L::of(T(C::digits + 3)), L::of(0), from_bits<T>(exponent << L::bits(C::digits)));
  const V y = detail::scale(small + (L::of(1) - inverse), bits);
  return select(x == L::of(0), x, y);
}

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V tanh(const V& x) {
  using L = detail::Like<V>;
  const V a = abs(x);
  const V t = expm1(select(a > L::of(20), L::of(40), a + a));
  return copysign(t / (t + L::of(2)), x);
}
// 1 / (1 + exp(-x)), without overflow for large negative x.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V sigmoid(const V& x) {
  using L = detail::Like<V>;
  const V e = exp(-abs(x));
  return select(x >= L::of(0), L::of(1), e) / (L::of(1) + e);
}

}  // namespace situ::simd
