// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "situ/simd/lanes.hpp"
#include "situ/simd/pack.hpp"

// Between memory and packs: elements of any type become lanes of their compute type. Pointers need
// no alignment beyond that of the element.
namespace situ::simd {

namespace detail {
template <int N, class S>
SITU_INLINE Pack<compute_t<S>, N> load_each(const S* p, int count) {
  using C = compute_t<S>;
  Pack<C, N> r = broadcast<N>(C(0));
  for (int i = 0; i < count; ++i) {
    set_lane(r, i, static_cast<C>(p[i]));
  }
  return r;
}

template <class T, int N, class V>
SITU_INLINE Pack<T, N> pack_of(const V& x) {
  Pack<T, N> r;
  set(r, 0, x);
  return r;
}

// N bytes or halves widened to int32 lanes; what g++ makes of __builtin_convertvector here is slow.
template <int N, class S>
SITU_INLINE Pack<std::int32_t, N> widen_integers(const S* p) {
#if defined(__AVX512F__)
  if constexpr (N == 16) {
    __m512i x;
    if constexpr (sizeof(S) == 1) {
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      x = std::is_signed_v<S> ? _mm512_maskz_cvtepi8_epi32(0xFFFF, b)
                              : _mm512_maskz_cvtepu8_epi32(0xFFFF, b);
    } else {
      const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
      x = std::is_signed_v<S> ? _mm512_maskz_cvtepi16_epi32(0xFFFF, h)
                              : _mm512_maskz_cvtepu16_epi32(0xFFFF, h);
    }
    return pack_of<std::int32_t, N>(x);
  }
#elif defined(__AVX2__)
  if constexpr (N == 8) {
    __m256i x;
    if constexpr (sizeof(S) == 1) {
      const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
      x = std::is_signed_v<S> ? _mm256_cvtepi8_epi32(b) : _mm256_cvtepu8_epi32(b);
    } else {
      const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      x = std::is_signed_v<S> ? _mm256_cvtepi16_epi32(h) : _mm256_cvtepu16_epi32(h);
    }
    return pack_of<std::int32_t, N>(x);
  }
#endif
  typedef S Narrow __attribute__((vector_size(sizeof(S) * static_cast<std::size_t>(N))));
  Narrow x;
  __builtin_memcpy(&x, p, sizeof x);
  Pack<std::int32_t, N> r;
  set(r, 0, __builtin_convertvector(x, vec<std::int32_t, N>));
  return r;
}

// 16-bit floats: a bfloat16 is the upper half of a float; float16 has an instruction or is built
// from its parts. The value is exact either way.
template <int N>
SITU_INLINE Pack<float, N> load_halves(const bfloat16* p) {
  const auto wide = widen_integers<N>(reinterpret_cast<const std::uint16_t*>(p));
  return reinterpret_lanes<float>(wide << broadcast<N>(std::int32_t{16}));
}
template <int N>
SITU_INLINE Pack<float, N> load_halves(const float16* p) {
#if defined(__AVX512F__)
  if constexpr (N == 16) {
    return pack_of<float, N>(
        _mm512_maskz_cvtph_ps(0xFFFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))));
  }
#elif defined(__AVX2__) && defined(__F16C__)
  if constexpr (N == 8) {
    return pack_of<float, N>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
  }
#endif
  const auto of = [](std::int32_t c) { return broadcast<N>(c); };
  const auto h = widen_integers<N>(reinterpret_cast<const std::uint16_t*>(p));
  const auto exponent = h & of(0x7C00);
  const auto digits = (h & of(0x7FFF)) << of(13);
  const auto bias = select(exponent == of(0x7C00), of(224 << 23), of(112 << 23));
  // Without an exponent the number is its digits times 2^-24.
  const auto denormal = convert<float>(h & of(0x3FF)) * broadcast<N>(5.9604644775390625e-8f);
  const auto magnitude =
      select(exponent == of(0), reinterpret_lanes<std::int32_t>(denormal), digits + bias);
  return reinterpret_lanes<float>(magnitude | ((h & of(0x8000)) << of(16)));
}
}  // namespace detail

// N elements from p on.
template <int N, class S>
SITU_INLINE Pack<compute_t<S>, N> load(const S* p) {
  using C = compute_t<S>;
  if constexpr (situ::detail::is_half<S>) {
    return detail::load_halves<N>(p);
  } else if constexpr (std::is_same_v<S, bool>) {
    const auto bytes = detail::widen_integers<N>(reinterpret_cast<const std::uint8_t*>(p));
    return bytes != broadcast<N>(std::int32_t{0});
  } else if constexpr (sizeof(S) < sizeof(C)) {
    return detail::widen_integers<N>(p);
  } else {
    // A register at a time: a copy of the whole array goes through memory in pieces.
    Pack<C, N> r;
    for (int k = 0; k < detail::parts<C, N>; ++k) {
      detail::vec<C, N> x;
      __builtin_memcpy(
          &x, reinterpret_cast<const char*>(p) + static_cast<std::size_t>(k) * sizeof x, sizeof x);
      detail::set(r, k, x);
    }
    return r;
  }
}
// `count` elements from p on, the other lanes zero; nothing beyond them is read.
template <int N, class S>
SITU_INLINE Pack<compute_t<S>, N> load_partial(const S* p, int count) {
#if defined(__AVX512F__)
  if constexpr (N == 16 && sizeof(S) == 4) {
    const auto mask = static_cast<__mmask16>((1u << count) - 1u);
    return detail::pack_of<compute_t<S>, N>(_mm512_maskz_loadu_epi32(mask, p));
  }
#endif
  return detail::load_each<N>(p, count);
}

namespace detail {
// The low bytes or halves of int32 lanes.
template <int N, class S>
SITU_INLINE void narrow_integers(S* p, const Pack<std::int32_t, N>& x) {
  const auto v = get(x, 0);
#if defined(__AVX512F__)
  if constexpr (N == 16 && sizeof(S) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_maskz_cvtepi32_epi8(0xFFFF, (__m512i)v));
    return;
  } else if constexpr (N == 16) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_maskz_cvtepi32_epi16(0xFFFF, (__m512i)v));
    return;
  }
#endif
  typedef S Narrow __attribute__((vector_size(sizeof(S) * static_cast<std::size_t>(N))));
  typedef std::int16_t Short __attribute__((vector_size(2 * static_cast<std::size_t>(N))));
  // Bytes by way of halves: g++ moves them one by one otherwise.
  const Narrow narrow = __builtin_convertvector(__builtin_convertvector(v, Short), Narrow);
  __builtin_memcpy(p, &narrow, sizeof narrow);
}
template <int N>
SITU_INLINE void store_mask(bool* p, const Pack<bool, N>& mask) {
  const auto ones = select(mask, broadcast<N>(std::int32_t{1}), broadcast<N>(std::int32_t{0}));
  narrow_integers(reinterpret_cast<std::uint8_t*>(p), ones);
}
// Floats rounded to nearest even, by the steps of the scalar conversions.
template <int N>
SITU_INLINE void store_halves(bfloat16* p, const Pack<float, N>& x) {
  const auto of = [](std::int32_t c) { return broadcast<N>(c); };
  const auto b = reinterpret_lanes<std::uint32_t>(x);
  const auto upper = reinterpret_lanes<std::int32_t>(b >> broadcast<N>(16u));
  const auto rounded = reinterpret_lanes<std::int32_t>(
      (b + broadcast<N>(0x7FFFu) + ((b >> broadcast<N>(16u)) & broadcast<N>(1u))) >>
      broadcast<N>(16u));
  narrow_integers(reinterpret_cast<std::uint16_t*>(p), select(x == x, rounded, upper | of(0x40)));
}
template <int N>
SITU_INLINE void store_halves(float16* p, const Pack<float, N>& x) {
#if defined(__AVX512F__)
  if constexpr (N == 16) {
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(p),
        _mm512_maskz_cvtps_ph(0xFFFF, (__m512)get(x, 0), _MM_FROUND_TO_NEAREST_INT));
    return;
  }
#elif defined(__AVX2__) && defined(__F16C__)
  if constexpr (N == 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm256_cvtps_ph((__m256)get(x, 0), _MM_FROUND_TO_NEAREST_INT));
    return;
  }
#endif
  const auto of = [](std::int32_t c) { return broadcast<N>(c); };
  const auto b = reinterpret_lanes<std::int32_t>(x);
  const auto m = b & of(0x7FFFFFFF);
  const auto normal = (m + of(0xFFF - 0x38000000) + ((m >> of(13)) & of(1))) >> of(13);
  const auto shifted = reinterpret_lanes<float>(m) + broadcast<N>(0.5f);
  const auto denormal = reinterpret_lanes<std::int32_t>(shifted) - of(0x3F000000);
  const auto finite = select(m < of(0x38800000), denormal, normal);
  const auto nan = of(0x7E00) | ((m >> of(13)) & of(0x3FF));
  const auto large = select(m > of(0x7F800000), nan, of(0x7C00));
  const auto magnitude = select(m < of(0x477FF000), finite, large);
  narrow_integers(reinterpret_cast<std::uint16_t*>(p), magnitude | ((b >> of(16)) & of(0x8000)));
}
}  // namespace detail

// Lanes converted to S, N or `count` of them.
template <class S, class C, int N>
SITU_INLINE void store_partial(S* p, const Pack<C, N>& x, int count) {
  for (int i = 0; i < count; ++i) p[i] = cast_value<S>(lane(x, i));
}
template <class S, class C, int N>
SITU_INLINE void store(S* p, const Pack<C, N>& x) {
  using L = compute_t<S>;
  if constexpr (std::is_same_v<S, bool>) {
    detail::store_mask(p, convert<bool>(x));
  } else if constexpr (situ::detail::is_half<S>) {
    if constexpr (std::is_same_v<C, float>) {
      detail::store_halves(p, x);
    } else {
      store_partial(p, x, N);
    }
  } else if constexpr (sizeof(S) < sizeof(L)) {
    constexpr std::int32_t low = std::numeric_limits<S>::min();
    constexpr std::int32_t high = std::numeric_limits<S>::max();
    const auto wide = convert<std::int32_t>(x);
    const auto above = select(wide < broadcast<N>(low), broadcast<N>(low), wide);
    detail::narrow_integers(p, select(above > broadcast<N>(high), broadcast<N>(high), above));
  } else {
    const auto lanes = convert<L>(x);
    for (int k = 0; k < detail::parts<L, N>; ++k) {
      const auto v = detail::get(lanes, k);
      __builtin_memcpy(reinterpret_cast<char*>(p) + static_cast<std::size_t>(k) * sizeof v, &v,
                       sizeof v);
    }
  }
}

}  // namespace situ::simd
