// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "situ/simd/pack.hpp"

// Lanes together: sums over lanes, lanes moved, squares of packs transposed.
namespace situ::simd {

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
