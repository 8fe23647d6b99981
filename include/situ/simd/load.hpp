// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

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
  return load_each<N>(p, N);
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

// Lanes converted to S, N or `count` of them.
template <class S, class C, int N>
SITU_INLINE void store_partial(S* p, const Pack<C, N>& x, int count) {
  for (int i = 0; i < count; ++i) {
    p[i] = cast_value<S>(lane(x, i));
  }
}
template <class S, class C, int N>
SITU_INLINE void store(S* p, const Pack<C, N>& x) {
  if constexpr (std::is_same_v<C, S> && !std::is_same_v<S, bool>) {
    for (int k = 0; k < detail::parts<C, N>; ++k) {
      const auto v = detail::get(x, k);
      __builtin_memcpy(reinterpret_cast<char*>(p) + static_cast<std::size_t>(k) * sizeof v, &v,
                       sizeof v);
    }
  } else {
    store_partial(p, x, N);
  }
}

// ---- lanes together
// ------------------------------------------------------------------------------------

template <int N>
SITU_INLINE void widen_add(Pack<double, N>& sum, const Pack<float, N>& x) {
  sum = sum + convert<double>(x);
}
// Adds one where the mask holds.
template <int N>
SITU_INLINE void count_add(Pack<std::int32_t, N>& count, const Pack<bool, N>& mask) {
  const auto c = detail::get(count, 0);
#if defined(__AVX512F__)
  if constexpr (in_mask_register<N>) {
    const __m512i one = _mm512_set1_epi32(1);
    detail::set(count, 0,
                (detail::vec<std::int32_t, N>)_mm512_mask_add_epi32((__m512i)c, mask.bits,
                                                                    (__m512i)c, one));
    return;
  }
#endif
  if constexpr (!in_mask_register<N>) detail::set(count, 0, c - detail::get(mask, 0));
}

template <int N>
SITU_INLINE bool all(const Pack<bool, N>& mask) {
  if constexpr (in_mask_register<N>) {
    return mask.bits == 0xFFFF;
  } else {
#if defined(__AVX2__) && !defined(__AVX512F__)
    if constexpr (N == 8) {
      return _mm256_movemask_ps((__m256)detail::get(mask, 0)) == 0xFF;
    }
#endif
    std::int32_t every = -1;
    for (int i = 0; i < N; ++i) every &= mask.v[i];
    return every != 0;
  }
}
template <int N>
SITU_INLINE bool any(const Pack<bool, N>& mask) {
  return !all(!mask);
}

namespace detail {
// Shuffles by a pattern: lane l of the result is lane Pattern::at(l) of x and, from N on, y. The
// lanes are written out because nvcc loses the expansion of a pack inside a builtin.
#define SITU_FOUR(l) Pattern::at(l), Pattern::at(l + 1), Pattern::at(l + 2), Pattern::at(l + 3)
template <class Pattern, class V>
SITU_INLINE V shuffle(const V& x, const V& y) {
  constexpr int n = Pattern::lanes;
  if constexpr (n == 2) {
    return __builtin_shufflevector(x, y, Pattern::at(0), Pattern::at(1));
  } else if constexpr (n == 4) {
    return __builtin_shufflevector(x, y, SITU_FOUR(0));
  } else if constexpr (n == 8) {
    return __builtin_shufflevector(x, y, SITU_FOUR(0), SITU_FOUR(4));
  } else {
    static_assert(n == 16);
    return __builtin_shufflevector(x, y, SITU_FOUR(0), SITU_FOUR(4), SITU_FOUR(8), SITU_FOUR(12));
  }
}
#undef SITU_FOUR
template <int N, int Distance>
struct Down {
  static constexpr int lanes = N;
  static constexpr int at(int l) { return (l + Distance) % N; }
};
// Lanes of x and y in turn, those of the first or the second half.
template <int N, int Half>
struct Interleaved {
  static constexpr int lanes = N;
  static constexpr int at(int l) { return Half * N / 2 + l / 2 + (l % 2) * N; }
};
}  // namespace detail

// Lane l of the result is lane l + Distance, for the lanes below Distance; Distance is a power of
// two.
template <int Distance, class T, int N>
SITU_INLINE Pack<T, N> lanes_down(const Pack<T, N>& x) {
  constexpr int width = N / detail::parts<T, N>;  // lanes of a register
  if constexpr (std::is_same_v<T, bool> && in_mask_register<N>) {
    return {static_cast<std::uint16_t>(x.bits >> Distance)};
  } else if constexpr (Distance >= width) {
    Pack<T, N> r = x;
    for (int p = 0; p + Distance / width < detail::parts<T, N>; ++p) {
      detail::set(r, p, detail::get(x, p + Distance / width));
    }
    return r;
  } else {
    return detail::by_parts<T, N>(
        [](auto v) __attribute__((always_inline)) {
          return detail::shuffle<detail::Down<width, Distance>>(v, v);
        },
        x);
  }
}

namespace detail {
template <int Distance, class T, int N>
SITU_INLINE Pack<T, N> halving_sum(const Pack<T, N>& x) {
  const auto s = x + lanes_down<Distance>(x);
  if constexpr (Distance == 1) {
    return s;
  } else {
    return halving_sum<Distance / 2>(s);
  }
}
}  // namespace detail
// The sum of 32 logical lanes by a fixed tree: lane l with l + 16, then + 8, + 4, + 2, + 1.
template <class T, int N, std::size_t Packs>
SITU_INLINE T tree_sum(const Pack<T, N> (&lanes)[Packs]) {
  static_assert(Packs * static_cast<std::size_t>(N) == static_cast<std::size_t>(logical_lanes));
  Pack<T, N> s[Packs];
  for (std::size_t u = 0; u < Packs; ++u) s[u] = lanes[u];
  for (std::size_t half = Packs / 2; half > 0; half /= 2) {
    for (std::size_t u = 0; u < half; ++u) s[u] = s[u] + s[u + half];
  }
  return detail::halving_sum<N / 2>(s[0]).v[0];
}

namespace detail {
// Interleaves every two rows half the matrix apart, `Rounds` times. Written without loops, because
// only then the rows stay in registers at -O2.
template <int Rounds, int N, class T, class V, std::size_t... I>
SITU_INLINE void interleave_rows(const V* a, Pack<T, N>* columns,
                                 std::index_sequence<I...> halves) {
  constexpr std::size_t half = sizeof...(I);
  if constexpr (Rounds == 0) {
    ((set(columns[I], 0, a[I]), set(columns[I + half], 0, a[I + half])), ...);
  } else {
    V b[2 * half];
    ((b[2 * I] = shuffle<Interleaved<N, 0>>(a[I], a[I + half]),
      b[2 * I + 1] = shuffle<Interleaved<N, 1>>(a[I], a[I + half])),
     ...);
    interleave_rows<Rounds - 1>(b, columns, halves);
  }
}
template <int N, class T, std::size_t... I>
SITU_INLINE void transpose_rows(const Pack<T, N>* rows, Pack<T, N>* columns,
                                std::index_sequence<I...> halves) {
  constexpr std::size_t half = sizeof...(I);
  constexpr int rounds = N == 2 ? 1 : N == 4 ? 2 : N == 8 ? 3 : 4;
  vec<T, N> a[2 * half];
  ((a[I] = get(rows[I], 0), a[I + half] = get(rows[I + half], 0)), ...);
  interleave_rows<rounds>(a, columns, halves);
}
}  // namespace detail

// columns[j] lane r = rows[r] lane j. In registers for 32-bit lanes: log2(N) rounds of
// interleaving.
template <int N, class T>
SITU_INLINE void transpose(const Pack<T, N> (&rows)[static_cast<std::size_t>(N)],
                           Pack<T, N> (&columns)[static_cast<std::size_t>(N)]) {
  if constexpr (sizeof(stored_t<T>) == 4 && !(std::is_same_v<T, bool> && in_mask_register<N>)) {
    detail::transpose_rows<N, T>(rows, columns,
                                 std::make_index_sequence<static_cast<std::size_t>(N / 2)>{});
  } else {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) set_lane(columns[j], i, lane(rows[i], j));
    }
  }
}

}  // namespace situ::simd
