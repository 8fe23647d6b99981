// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "situ/config.hpp"
#include "situ/dtype.hpp"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

// Packs: N values of one type that the host computes at once. A Pack holds a plain array, because
// nvcc rejects vector types in functions shared with the device; its operators move the array
// through a vector type, which compilers turn into registers. Every named function also has a
// scalar twin, so that one source serves packs on the host and scalars on both sides, with the same
// bits.
namespace situ::simd {

// 32-bit lanes of the widest register that the unit is compiled for. Wider packs spill, narrower
// ones waste.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr int native_lanes = 16;
#elif defined(__AVX2__)
inline constexpr int native_lanes = 8;
#else
inline constexpr int native_lanes = 4;
#endif
// Accumulators have this many lanes for every register width, so that results do not depend on it.
inline constexpr int logical_lanes = 32;

// bool is a mask of 32-bit lanes, 0 or -1.
template <class T>
using stored_t = std::conditional_t<std::is_same_v<T, bool>, std::int32_t, T>;

namespace detail {

// One register's worth of T. A pack of 32-bit lanes is one register, one of 64-bit lanes two:
// vector types wider than a register are left alone, since compilers spill them.
inline constexpr std::size_t register_bytes =
    sizeof(float) * static_cast<std::size_t>(native_lanes);
template <class T, std::size_t Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};
template <std::size_t Bytes>
SITU_INLINE void copy_registers(void* to, const void* from) {
  constexpr std::size_t piece = Bytes < register_bytes ? Bytes : register_bytes;
  typename vector_of<char, piece>::type x;
  __builtin_memcpy(&x, from, piece);
  __builtin_memcpy(to, &x, piece);
  if constexpr (Bytes > piece) {
    copy_registers<Bytes - piece>(static_cast<char*>(to) + piece,
                                  static_cast<const char*>(from) + piece);
  }
}

}  // namespace detail

template <class T, int N>
struct Pack {
  static constexpr int lanes = N;
  alignas(sizeof(stored_t<T>) * 4) stored_t<T> v[static_cast<std::size_t>(N)];

  Pack() = default;
  // Copied by the register: of an array g++ copies 16 bytes at a time, and reading a whole register
  // right afterwards then waits for memory. With AVX-512 that took accuracy of long rows 5 times as
  // long.
  SITU_EXEC_CHECK_OFF
  SITU_HD SITU_INLINE Pack(const Pack& x) { detail::copy_registers<sizeof v>(v, x.v); }
  SITU_EXEC_CHECK_OFF
  SITU_HD SITU_INLINE Pack& operator=(const Pack& x) {
    detail::copy_registers<sizeof v>(v, x.v);
    return *this;
  }
};

// AVX-512 has registers for masks, one bit a lane; there a mask of 16 lanes is one of them.
template <int N>
inline constexpr bool in_mask_register = native_lanes == 16 && N == 16;
template <class T, int N>
  requires(std::is_same_v<T, bool> && in_mask_register<N>)
struct Pack<T, N> {
  static constexpr int lanes = N;
  std::uint16_t bits;
};

// Lane l.
template <class T, int N>
SITU_INLINE T lane(const Pack<T, N>& x, int l) {
  if constexpr (!std::is_same_v<T, bool>) {
    return x.v[l];
  } else if constexpr (in_mask_register<N>) {
    return ((x.bits >> l) & 1) != 0;
  } else {
    return x.v[l] != 0;
  }
}
template <class T, int N>
SITU_INLINE void set_lane(Pack<T, N>& x, int l, T value) {
  if constexpr (!std::is_same_v<T, bool>) {
    x.v[l] = value;
  } else if constexpr (in_mask_register<N>) {
    const auto bit = static_cast<std::uint16_t>(1u << l);
    x.bits = static_cast<std::uint16_t>(value ? x.bits | bit : x.bits & ~bit);
  } else {
    x.v[l] = value ? -1 : 0;
  }
}

namespace detail {

template <class T, int N>
inline constexpr std::size_t pack_bytes = sizeof(stored_t<T>) * static_cast<std::size_t>(N);
template <class T, int N>
inline constexpr std::size_t part_bytes =
    pack_bytes<T, N> < register_bytes ? pack_bytes<T, N> : register_bytes;
template <class T, int N>
inline constexpr int parts = static_cast<int>(pack_bytes<T, N> / part_bytes<T, N>);
template <class T, int N>
using vec = typename vector_of<stored_t<T>, part_bytes<T, N>>::type;

template <class T, int N>
SITU_INLINE vec<T, N> get(const Pack<T, N>& p, int part) {
  vec<T, N> x;
  __builtin_memcpy(
      &x, reinterpret_cast<const char*>(p.v) + static_cast<std::size_t>(part) * sizeof x, sizeof x);
  return x;
}
template <class T, int N, class V>
SITU_INLINE void set(Pack<T, N>& p, int part, const V& x) {
  static_assert(sizeof(V) == sizeof(vec<T, N>));
  __builtin_memcpy(reinterpret_cast<char*>(p.v) + static_cast<std::size_t>(part) * sizeof x, &x,
                   sizeof x);
}

// Shuffles by a pattern: lane l of the result is lane Pattern::at(l) of x and, from its last on, y.
// The lanes are written out because nvcc loses the expansion of a pack inside a builtin.
#define SITU_FOUR(l) Pattern::at(l), Pattern::at(l + 1), Pattern::at(l + 2), Pattern::at(l + 3)
template <class Pattern, class V>
SITU_INLINE auto shuffle(const V& x, const V& y) {
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
template <int N, int First>
struct Run {
  static constexpr int lanes = N;
  static constexpr int at(int l) { return First + l; }
};
// Two registers as one of N lanes, and one half of a register of N lanes. Through memory the reader
// of the whole would wait for its halves.
template <int N, class V>
SITU_INLINE auto join(const V& low, const V& high) {
  return shuffle<Run<N, 0>>(low, high);
}
template <int N, int Half, class V>
SITU_INLINE auto half(const V& x) {
  return shuffle<Run<N / 2, Half * N / 2>>(x, x);
}

// f of each register of the operands.
template <class R, int N, class F, class... Ps>
SITU_INLINE Pack<R, N> by_parts(F&& f, const Ps&... ps) {
  Pack<R, N> r;
  constexpr int n = parts<R, N>;
  static_assert(n <= 2 || n == 4);
  set(r, 0, f(get(ps, 0)...));
  if constexpr (n > 1) set(r, 1, f(get(ps, 1)...));
  if constexpr (n > 2) {
    set(r, 2, f(get(ps, 2)...));
    set(r, 3, f(get(ps, 3)...));
  }
  return r;
}
}  // namespace detail

template <int N, class T>
SITU_INLINE Pack<T, N> broadcast(T x) {
  if constexpr (std::is_same_v<T, bool> && in_mask_register<N>) {
    return {static_cast<std::uint16_t>(x ? 0xFFFF : 0)};
  } else {
    stored_t<T> value;
    if constexpr (std::is_same_v<T, bool>) {
      value = x ? -1 : 0;
    } else {
      value = x;
    }
    Pack<T, N> r;
    // Subtracting zero keeps -0, which adding to zero would not.
    for (int p = 0; p < detail::parts<T, N>; ++p) detail::set(r, p, value - detail::vec<T, N>{});
    return r;
  }
}
template <int N>
SITU_INLINE Pack<std::int32_t, N> iota(std::int32_t first) {
  Pack<std::int32_t, N> p;
  for (int i = 0; i < N; ++i) p.v[i] = i;
  detail::set(p, 0, detail::get(p, 0) + first);
  return p;
}

}  // namespace situ::simd
