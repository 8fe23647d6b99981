// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>

#include "situ/simd/operators.hpp"

namespace situ::simd {

// ---- choice and conversion
// ---------------------------------------------------------------------------

template <class T>
  requires std::is_arithmetic_v<T>
SITU_HD SITU_INLINE T select(bool condition, T a, T b) {
  return condition ? a : b;
}
template <class T, int N>
SITU_INLINE Pack<T, N> select(const Pack<bool, N>& m, const Pack<T, N>& a, const Pack<T, N>& b) {
  if constexpr (std::is_same_v<T, bool>) {
    return (m & a) | ((!m) & b);
  } else {
    Pack<T, N> r;
    for (int p = 0; p < detail::parts<T, N>; ++p) {
      if constexpr (in_mask_register<N>) {
        const unsigned bits = static_cast<unsigned>(m.bits) >> (8 * p);
        detail::set(r, p, detail::blend<T>(bits, detail::get(a, p), detail::get(b, p)));
      } else {
        detail::set(r, p, detail::mask_part<T, N>(m, p) ? detail::get(a, p) : detail::get(b, p));
      }
    }
    return r;
  }
}

template <class To, class From>
  requires element<From>
SITU_HD SITU_INLINE To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else {
    return cast_value<To>(x);
  }
}
namespace detail {
template <class To, class From, int N>
SITU_INLINE Pack<To, N> convert_halves(const Pack<From, N>& a) {
  Pack<To, N> r;
  if constexpr (parts<From, N> == parts<To, N>) {
    for (int p = 0; p < parts<To, N>; ++p)
      set(r, p, __builtin_convertvector(get(a, p), vec<To, N>));
  } else if constexpr (parts<From, N> < parts<To, N>) {  // one register becomes two
    constexpr int width = N / parts<From, N>;
    for (int p = 0; p < parts<From, N>; ++p) {
      const auto x = get(a, p);
      set(r, 2 * p, __builtin_convertvector((half<width, 0>(x)), vec<To, N>));
      set(r, 2 * p + 1, __builtin_convertvector((half<width, 1>(x)), vec<To, N>));
    }
  } else {
    using Half = typename vector_of<stored_t<To>, part_bytes<To, N> / 2>::type;
    for (int p = 0; p < parts<To, N>; ++p) {
      const Half low = __builtin_convertvector(get(a, 2 * p), Half);
      const Half high = __builtin_convertvector(get(a, 2 * p + 1), Half);
      set(r, p, join<N / parts<To, N>>(low, high));
    }
  }
  return r;
}
// float to double and int32 to int64 by name: g++ 12 goes through memory for them. The zero-masked
// forms with a full mask are the plain instructions, without g++ 12's false warnings of
// uninitialised values.
template <class To, class From, int N>
SITU_INLINE Pack<To, N> widen_lanes(const Pack<From, N>& a) {
  [[maybe_unused]] Pack<To, N> r;
#if defined(__AVX512F__)
  const auto x = get(a, 0);
  if constexpr (N == 16 && std::is_same_v<From, float>) {
    const __m512 v = (__m512)x;
    set(r, 0,
        (vec<To, N>)_mm512_maskz_cvtps_pd(
            0xFF, (__m256)__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)));
    set(r, 1, (vec<To, N>)_mm512_maskz_cvtps_pd(0xFF, _mm512_maskz_extractf32x8_ps(0xFF, v, 1)));
    return r;
  } else if constexpr (N == 16) {
    const __m512i v = (__m512i)x;
    const auto low = (__m256i)__builtin_shufflevector(v, v, 0, 1, 2, 3);
    const __m256i high = _mm512_maskz_extracti32x8_epi32(0xFF, v, 1);
    if constexpr (std::is_same_v<To, double>) {
      set(r, 0, (vec<To, N>)_mm512_maskz_cvtepi32_pd(0xFF, low));
      set(r, 1, (vec<To, N>)_mm512_maskz_cvtepi32_pd(0xFF, high));
    } else {
      set(r, 0, (vec<To, N>)_mm512_maskz_cvtepi32_epi64(0xFF, low));
      set(r, 1, (vec<To, N>)_mm512_maskz_cvtepi32_epi64(0xFF, high));
    }
    return r;
  }
#elif defined(__AVX2__)
  const auto x = get(a, 0);
  if constexpr (N == 8 && std::is_same_v<From, float>) {
    const __m256 v = (__m256)x;
    set(r, 0, (vec<To, N>)_mm256_cvtps_pd(_mm256_castps256_ps128(v)));
    set(r, 1, (vec<To, N>)_mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
    return r;
  } else if constexpr (N == 8) {
    const __m256i v = (__m256i)x;
    const __m128i low = _mm256_castsi256_si128(v);
    const __m128i high = _mm256_extracti128_si256(v, 1);
    if constexpr (std::is_same_v<To, double>) {
      set(r, 0, (vec<To, N>)_mm256_cvtepi32_pd(low));
      set(r, 1, (vec<To, N>)_mm256_cvtepi32_pd(high));
    } else {
      set(r, 0, (vec<To, N>)_mm256_cvtepi32_epi64(low));
      set(r, 1, (vec<To, N>)_mm256_cvtepi32_epi64(high));
    }
    return r;
  }
#endif
  return convert_halves<To>(a);
}
template <class To, class From, int N>
SITU_INLINE Pack<To, N> convert_lanes(const Pack<From, N>& a) {
  constexpr bool named =
      (std::is_same_v<From, float> && std::is_same_v<To, double>) ||
      (std::is_same_v<From, std::int32_t> && (std::is_same_v<To, double> || sizeof(To) == 8));
  if constexpr (named) {
    return widen_lanes<To>(a);
  } else {
    return convert_halves<To>(a);
  }
}
}  // namespace detail
// Floats that are known to be int32 numbers, without the limits that convert<int32_t> respects.
template <int N>
SITU_INLINE Pack<std::int32_t, N> to_int32(const Pack<float, N>& a) {
  return detail::convert_lanes<std::int32_t>(a);
}

namespace detail {
// The int32 limits as floats; the highest that is one: 2^31 - 128 in float.
template <class From>
inline constexpr From int32_low = -2147483648.0f;
template <class From>
inline constexpr From int32_high = sizeof(From) == 8 ? From(2147483647.0) : From(2147483520.0f);
// Floats or doubles to int32: NaN gives 0, what is out of range its nearest number. In the vectors
// themselves, since masks of 32 bits cost doubles a detour.
template <class From, int N>
SITU_INLINE Pack<std::int32_t, N> saturate_int32(const Pack<From, N>& a) {
  const auto r = convert_lanes<std::int32_t>(by_parts<From, N>(
      [](auto x) __attribute__((always_inline)) {
        using V = decltype(x);
        const V number = x == x ? x : V{};
        const V below = number < int32_high<From> ? number : V{} + int32_high<From>;
        return below > int32_low<From> ? below : V{} + int32_low<From>;
      },
      a));
  if constexpr (sizeof(From) == 8) {
    return r;
  } else {
    const auto most = broadcast<N>(std::numeric_limits<std::int32_t>::max());
    return select(a > broadcast<N>(int32_high<From>), most, r);
  }
}
// Integers that an integer type cannot hold become its nearest number.
template <class To, class From, int N>
SITU_INLINE Pack<To, N> saturate_integer(const Pack<From, N>& a) {
  using Limit = std::numeric_limits<To>;
  Pack<From, N> r = a;
  if constexpr (std::cmp_less(std::numeric_limits<From>::min(), Limit::min())) {
    const auto low = broadcast<N>(static_cast<From>(Limit::min()));
    r = select(r < low, low, r);
  }
  if constexpr (std::cmp_greater(std::numeric_limits<From>::max(), Limit::max())) {
    const auto high = broadcast<N>(static_cast<From>(Limit::max()));
    r = select(r > high, high, r);
  }
  return convert_lanes<To>(r);
}
}  // namespace detail

// By the rules of cast_value.
template <class To, class From, int N>
SITU_INLINE Pack<To, N> convert(const Pack<From, N>& a) {
  if constexpr (std::is_same_v<To, From>) {
    return a;
  } else if constexpr (std::is_same_v<To, bool>) {
    return a != broadcast<N>(From(0));
  } else if constexpr (std::is_same_v<From, bool>) {
    return select(a, broadcast<N>(To(1)), broadcast<N>(To(0)));
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    return detail::saturate_integer<To>(a);
  } else if constexpr (std::is_same_v<To, std::int32_t>) {
    return detail::saturate_int32(a);
  } else if constexpr (std::is_integral_v<To>) {
    Pack<To, N> r;
    for (int i = 0; i < N; ++i) r.v[i] = cast_value<To>(a.v[i]);
    return r;
  } else {
    return detail::convert_lanes<To>(a);
  }
}

}  // namespace situ::simd
