// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/pack.hpp"

// Exponentials and logarithms of packs and scalars, from one source: short polynomials, near-minimax fits
// made with Chebyshev interpolation in 40 digits. Products are never contracted into fused multiply-adds, so
// the bits are the same for every instruction set and compiler, and for a scalar and a lane. Largest errors
// in units in the last place, as tests/simd asserts them: exp, log 1; log1p, expm1, exp2 1.5; tanh, sigmoid,
// softplus, log2, log10 2.5. Zeros, denormals, infinities and NaN are right.
namespace situ::simd {

namespace detail {

template <class V>
struct lane_type {
  using type = V;
};
template <class T, int N>
struct lane_type<Pack<T, N>> {
  using type = T;
};
template <class V>
using lane_t = typename lane_type<V>::type;

// The number c as a scalar, or in every lane.
template <class V>
struct Like {
  SITU_HD static SITU_INLINE V of(V c) { return c; }
  SITU_HD static SITU_INLINE bits_t<V> bits(bits_t<V> c) { return c; }
};
template <class T, int N>
struct Like<Pack<T, N>> {
  static SITU_INLINE Pack<T, N> of(T c) { return broadcast<N>(c); }
  static SITU_INLINE Pack<bits_t<T>, N> bits(bits_t<T> c) { return broadcast<N>(c); }
};

template <class V>
concept real_lanes = std::is_same_v<lane_t<V>, float> || std::is_same_v<lane_t<V>, double>;

template <class T>
struct MathConstants;
template <>
struct MathConstants<float> {
  static constexpr int digits = 23;     // explicit bits of the significand
  static constexpr std::uint32_t bias = 127;
  static constexpr float round = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0.693359375f;  // few bits: its multiples are exact
  static constexpr float ln2_low = -2.12194440054690583e-4f;
  static constexpr float exp_low = -110.0f;  // beyond these exp is 0 and infinity
  static constexpr float exp_high = 100.0f;
  static constexpr float expm1_low = -18.0f;  // below this expm1 is -1
  static constexpr std::uint32_t sqrt_half = 0x3F3504F3u;  // bits of sqrt(1/2)
  static constexpr float smallest_normal = 1.17549435e-38f;
};
template <>
struct MathConstants<double> {
  static constexpr int digits = 52;
  static constexpr std::uint64_t bias = 1023;
  static constexpr double round = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double ln2_high = 6.93147180369123816490e-01;
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_low = -760.0;
  static constexpr double exp_high = 720.0;
  static constexpr double expm1_low = -40.0;
  static constexpr std::uint64_t sqrt_half = 0x3FE6A09E667F3BCDull;
  static constexpr double smallest_normal = 2.2250738585072014e-308;
};

// c0 + x (c1 + x (c2 + ...)).
template <class V, class T>
SITU_HD SITU_INLINE V horner(const V&, T last) {
  return Like<V>::of(last);
}
SITU_EXEC_CHECK_OFF
template <class V, class T, class... Ts>
SITU_HD SITU_INLINE V horner(const V& x, T first, Ts... rest) {
  return Like<V>::of(first) + multiply(x, horner(x, rest...));
}

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

// y 2^n in two steps, each of which is representable, so it rounds once; n comes as the bits that rounding
// to an integer left. AVX-512 has an instruction with the same result.
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
  return multiply(multiply(y, from_bits<T>(half << digits)), from_bits<T>((twice - half) << digits));
}

template <class V>
struct Reduced {
  V k_shifted;  // round(x / ln 2) + MathConstants::round
  V r;          // x - k ln 2
};
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE Reduced<V> reduce_by_ln2(const V& x) {
  using C = MathConstants<lane_t<V>>;
  const V log2e = Like<V>::of(static_cast<lane_t<V>>(1.4426950408889634074));
  const V shifted = multiply(x, log2e) + Like<V>::of(C::round);
  const V k = shifted - Like<V>::of(C::round);
  const V r = x - multiply(k, Like<V>::of(C::ln2_high));
  return {shifted, r - multiply(k, Like<V>::of(C::ln2_low))};
}
SITU_EXEC_CHECK_OFF
template <class V>
SITU_HD SITU_INLINE V limit(const V& x, lane_t<V> low, lane_t<V> high) {
#if defined(__AVX512F__) && !defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, Pack<float, 16>>) {  // of two operands it returns the second for NaN
    return by_parts<float, 16>(
        [&](auto v) __attribute__((always_inline)) {
          const __m512 above = _mm512_maskz_max_ps(0xFFFF, _mm512_set1_ps(low), (__m512)v);
          return (vec<float, 16>)_mm512_maskz_min_ps(0xFFFF, _mm512_set1_ps(high), above);
        },
        x);
  }
#endif
  const V above = select(x < Like<V>::of(low), Like<V>::of(low), x);
  return select(above > Like<V>::of(high), Like<V>::of(high), above);  // NaN stays
}

}  // namespace detail

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V exp(const V& x) {
  using L = detail::Like<V>;
  using C = detail::MathConstants<detail::lane_t<V>>;
  const auto a = detail::reduce_by_ln2(detail::limit(x, C::exp_low, C::exp_high));
  const V y = L::of(1) + (a.r + multiply(multiply(a.r, a.r), detail::exp_tail(a.r)));
  return detail::scale(y, to_bits(a.k_shifted));
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
  const auto a = detail::reduce_by_ln2(detail::limit(x, C::expm1_low, C::exp_high));
  const V small = a.r + multiply(multiply(a.r, a.r), detail::exp_tail(a.r));
  const auto bits = to_bits(a.k_shifted);
  // 2^-k, which is nothing beside 1 for the large k where it would not be normal.
  const auto exponent = L::bits(to_bits(C::round) + C::bias) - bits;
  const V k = a.k_shifted - L::of(C::round);
  const V inverse = select(k > L::of(T(C::digits + 3)), L::of(0),
                           from_bits<T>(exponent << L::bits(C::digits)));
  const V y = detail::scale(small + (L::of(1) - inverse), bits);
  return select(x == L::of(0), x, y);
}

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
}  // namespace detail

SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  using C = detail::MathConstants<T>;
  // Denormals are scaled up by 2^54 first.
  const auto small = x < L::of(C::smallest_normal);
  const V normal = select(small, multiply(x, L::of(T(18014398509481984.0))), x);
  const auto digits = L::bits(C::digits);
  const auto one = C::bias << C::digits;
  const auto shifted = to_bits(normal) + L::bits(one - C::sqrt_half);
  const auto exponent = shifted >> digits;  // biased
  const auto mantissa = (shifted & L::bits((detail::bits_t<T>{1} << C::digits) - 1)) + L::bits(C::sqrt_half);
  const V f = from_bits<T>(mantissa) - L::of(1);
  V e = from_bits<T>(exponent + L::bits(to_bits(C::round))) - L::of(C::round + T(C::bias));
  e = select(small, e - L::of(54), e);
  const V y = detail::log_parts(f, e);
  const V infinity = L::of(infinity_of<T>);
  const V at_zero = select(x == L::of(0), -infinity, L::of(nan_of<T>));
  return select(x > L::of(0), select(x == infinity, x, y), at_zero);
}

// log(1 + x) without cancellation near 0: what 1 + x rounds away is put back to first order.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V log1p(const V& x) {
  using T = detail::lane_t<V>;
  using L = detail::Like<V>;
  const V one = L::of(1);
  const V u = one + x;
  const V lost = select(x > one, one - (u - x), x - (u - one));
  const V y = log(u) + lost / u;
  const auto ordinary = (x > L::of(-1)) & (x < L::of(infinity_of<T>)) & (x != L::of(0));
  return select(ordinary, y, select(x == L::of(0), x, log(u)));
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
// log(1 + exp(x)), without overflow for large x.
SITU_EXEC_CHECK_OFF
template <detail::real_lanes V>
SITU_HD SITU_INLINE V softplus(const V& x) {
  return max(x, detail::Like<V>::of(0)) + log1p(exp(-abs(x)));
}

// The C library's, lane by lane.
template <detail::number T>
SITU_HD SITU_INLINE T pow(T x, T y) {
  return std::pow(x, y);
}
template <class T, int N>
inline Pack<T, N> pow(const Pack<T, N>& x, const Pack<T, N>& y) {
  Pack<T, N> r;
  for (int i = 0; i < N; ++i) r.v[i] = std::pow(x.v[i], y.v[i]);
  return r;
}

}  // namespace situ::simd
