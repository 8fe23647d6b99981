// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/pack.hpp"

// What the functions of math.hpp share: the same words for a scalar and a pack, constants of the
// two types, and polynomials.
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
  static constexpr int digits = 23;  // explicit bits of the significand
  static constexpr std::uint32_t bias = 127;
  static constexpr float round = 12582912.0f;      // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0.693359375f;  // few bits: its multiples are exact
  static constexpr float ln2_low = -2.12194440054690583e-4f;
  static constexpr float exp_low = -110.0f;  // beyond these exp is 0 and infinity
  static constexpr float exp_high = 100.0f;
  static constexpr float expm1_low = -18.0f;               // below this expm1 is -1
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
SITU_EXEC_CHECK_OFF
template <class V, class T>
SITU_HD SITU_INLINE V horner(const V&, T last) {
  return Like<V>::of(last);
}
SITU_EXEC_CHECK_OFF
template <class V, class T, class... Ts>
SITU_HD SITU_INLINE V horner(const V& x, T first, Ts... rest) {
  return Like<V>::of(first) + multiply(x, horner(x, rest...));
}

}  // namespace detail

}  // namespace situ::simd
