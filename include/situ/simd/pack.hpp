// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <utility>

#include "situ/simd/convert.hpp"

// Named functions of packs and of scalars, under the same names.
namespace situ::simd {

// Numbers at namespace scope, because device code may not call std::numeric_limits.
template <class T>
inline constexpr T infinity_of = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T largest_of = std::numeric_limits<T>::max();
template <class T>
inline constexpr T smallest_of = std::numeric_limits<T>::min();  // of integers the lowest

namespace detail {
template <class T>
concept number = std::is_arithmetic_v<T>;

// The vector with its sign bits cleared, and other bit tricks, in integers of the lane's width.
template <class T>
using bits_t = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
inline constexpr bits_t<T> sign_bit = bits_t<T>{1} << (sizeof(T) * 8 - 1);
template <class To, class From>
SITU_HD SITU_INLINE To bit_cast(const From& x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  __builtin_memcpy(&y, &x, sizeof y);
  return y;
}
}  // namespace detail

// ---- reinterpretation
// --------------------------------------------------------------------------------

namespace detail {
// A register at a time: g++ copies a whole array in pieces, through memory.
template <class To, class From, int N>
SITU_INLINE Pack<To, N> reinterpret_lanes(const Pack<From, N>& a) {
  static_assert(sizeof(To) == sizeof(From));
  Pack<To, N> r;
  for (int p = 0; p < parts<To, N>; ++p) set(r, p, (vec<To, N>)get(a, p));
  return r;
}
}  // namespace detail
// The bits of floating-point lanes as unsigned integers, and back.
template <class T, int N>
SITU_INLINE Pack<detail::bits_t<T>, N> to_bits(const Pack<T, N>& a) {
  return detail::reinterpret_lanes<detail::bits_t<T>>(a);
}
template <class T, int N>
SITU_INLINE Pack<T, N> from_bits(const Pack<detail::bits_t<T>, N>& a) {
  return detail::reinterpret_lanes<T>(a);
}
template <detail::number T>
SITU_HD SITU_INLINE detail::bits_t<T> to_bits(T a) {
  return detail::bit_cast<detail::bits_t<T>>(a);
}
template <class T>
SITU_HD SITU_INLINE T from_bits(detail::bits_t<T> a) {
  return detail::bit_cast<T>(a);
}

#define SITU_PACK_OPERATOR(symbol)                                                       \
  template <class T, int N>                                                              \
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)                          \
  SITU_INLINE Pack<T, N> operator symbol(const Pack<T, N>& a, const Pack<T, N>& b) {     \
    return detail::by_parts<T, N>(                                                       \
        [](auto x, auto y) __attribute__((always_inline)) { return x symbol y; }, a, b); \
  }
SITU_PACK_OPERATOR(&)
SITU_PACK_OPERATOR(|)
SITU_PACK_OPERATOR(^)
SITU_PACK_OPERATOR(<<)
SITU_PACK_OPERATOR(>>)
#undef SITU_PACK_OPERATOR

// ---- elementary functions
// ----------------------------------------------------------------------------

template <detail::number T>
SITU_HD SITU_INLINE T abs(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return from_bits<T>(static_cast<detail::bits_t<T>>(to_bits(x) & ~detail::sign_bit<T>));
  } else if constexpr (std::is_unsigned_v<T>) {
    return x;
  } else {
    using U = std::make_unsigned_t<T>;  // the lowest number stays, as in packs
    return x < 0 ? static_cast<T>(U{0} - static_cast<U>(x)) : x;
  }
}
template <class T, int N>
SITU_INLINE Pack<T, N> abs(const Pack<T, N>& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return from_bits<T>(to_bits(x) &
                        broadcast<N>(static_cast<detail::bits_t<T>>(~detail::sign_bit<T>)));
  } else if constexpr (std::is_unsigned_v<T>) {
    return x;
  } else {
    return select(x < broadcast<N>(T(0)), -x, x);
  }
}

// -1, 0 or 1; NaN stays NaN, as in NumPy.
template <detail::number T>
SITU_HD SITU_INLINE T sign(T x) {
  if (x != x) return x;
  return static_cast<T>(static_cast<int>(x > T(0)) - static_cast<int>(x < T(0)));
}
template <class T, int N>
SITU_INLINE Pack<T, N> sign(const Pack<T, N>& x) {
  const auto zero = broadcast<N>(T(0));
  auto s = select(x > zero, broadcast<N>(T(1)), zero);
  if constexpr (!std::is_unsigned_v<T>) s = select(x < zero, broadcast<N>(T(-1)), s);
  return select(x == x, s, x);
}

template <detail::number T>
SITU_HD SITU_INLINE T copysign(T magnitude, T sign) {
  return from_bits<T>(static_cast<detail::bits_t<T>>((to_bits(magnitude) & ~detail::sign_bit<T>) |
                                                     (to_bits(sign) & detail::sign_bit<T>)));
}
template <class T, int N>
SITU_INLINE Pack<T, N> copysign(const Pack<T, N>& magnitude, const Pack<T, N>& sign) {
  const auto bit = broadcast<N>(detail::sign_bit<T>);
  return from_bits<T>((to_bits(abs(magnitude))) | (to_bits(sign) & bit));
}

// NaN in either operand gives NaN, as NumPy's minimum and maximum.
template <detail::number T>
SITU_HD SITU_INLINE T min(T a, T b) {
  return (a < b || a != a) ? a : b;
}
template <detail::number T>
SITU_HD SITU_INLINE T max(T a, T b) {
  return (a > b || a != a) ? a : b;
}
template <class T, int N>
SITU_INLINE Pack<T, N> min(const Pack<T, N>& a, const Pack<T, N>& b) {
  if constexpr (std::is_same_v<T, bool>)
    return a & b;
  else
    return detail::by_parts<T, N>(
        [](auto x, auto y) __attribute__((always_inline)) { return ((x < y) | (x != x)) ? x : y; },
        a, b);
}
template <class T, int N>
SITU_INLINE Pack<T, N> max(const Pack<T, N>& a, const Pack<T, N>& b) {
  if constexpr (std::is_same_v<T, bool>)
    return a | b;
  else
    return detail::by_parts<T, N>(
        [](auto x, auto y) __attribute__((always_inline)) { return ((x > y) | (x != x)) ? x : y; },
        a, b);
}

template <detail::number T>
SITU_HD SITU_INLINE bool isnan(T x) {
  return x != x;
}
template <detail::number T>
SITU_HD SITU_INLINE bool isfinite(T x) {
  return abs(x) <= largest_of<T>;
}
template <detail::number T>
SITU_HD SITU_INLINE bool isinf(T x) {
  return abs(x) > largest_of<T>;
}
template <class T, int N>
SITU_INLINE Pack<bool, N> isnan(const Pack<T, N>& x) {
  return x != x;
}
template <class T, int N>
SITU_INLINE Pack<bool, N> isfinite(const Pack<T, N>& x) {
  return abs(x) <= broadcast<N>(largest_of<T>);
}
template <class T, int N>
SITU_INLINE Pack<bool, N> isinf(const Pack<T, N>& x) {
  return abs(x) > broadcast<N>(largest_of<T>);
}

// ---- rounding and roots: exact in hardware, the same for every width
// -----------------------------------

namespace detail {
template <class T, int N, class F>
SITU_INLINE Pack<T, N> each_lane(F&& f, const Pack<T, N>& x) {
  Pack<T, N> r;
  for (int i = 0; i < N; ++i) r.v[i] = f(x.v[i]);
  return r;
}
// Without optimisation g++'s intrinsics are macros, whose conversions it then blames on us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
// By the instruction that wide registers have, else by arithmetic.
template <int Mode, class T, int N>
SITU_INLINE Pack<T, N> rounded(const Pack<T, N>& x) {
#if defined(__AVX512F__)
  if constexpr (part_bytes<T, N> == 64) {
    return by_parts<T, N>(
        [](auto v) __attribute__((always_inline)) {
          if constexpr (sizeof(T) == 4) {
            return (vec<T, N>)_mm512_maskz_roundscale_ps(0xFFFF, (__m512)v, Mode);
          } else {
            return (vec<T, N>)_mm512_maskz_roundscale_pd(0xFF, (__m512d)v, Mode);
          }
        },
        x);
  }
#elif defined(__AVX2__)
  if constexpr (part_bytes<T, N> == 32) {
    return by_parts<T, N>(
        [](auto v) __attribute__((always_inline)) {
          if constexpr (sizeof(T) == 4) {
            return (vec<T, N>)_mm256_round_ps((__m256)v, Mode | 8);
          } else {
            return (vec<T, N>)_mm256_round_pd((__m256d)v, Mode | 8);
          }
        },
        x);
  }
#endif
  // Adding 2^23 (2^52) and taking it away rounds to nearest even; larger numbers are integers
  // already.
  constexpr T shift = sizeof(T) == 4 ? T(8388608.0) : T(4503599627370496.0);
  const auto a = abs(x);
  const auto nearest = copysign((a + broadcast<N>(shift)) - broadcast<N>(shift), x);
  const auto r = select(a < broadcast<N>(shift), nearest, x);
  const auto zero = broadcast<N>(T(0));
  const auto one = broadcast<N>(T(1));
  if constexpr (Mode == 0) return r;
  if constexpr (Mode == 1) return copysign(r - select(r > x, one, zero), x);
  if constexpr (Mode == 2) return copysign(r + select(r < x, one, zero), x);
  if constexpr (Mode == 3) {
    const auto toward = abs(r) - select(abs(r) > a, one, zero);
    return copysign(toward, x);
  }
}
#pragma GCC diagnostic pop
}  // namespace detail

#define SITU_ROUNDING(name, mode, scalar)            \
  template <detail::number T>                        \
  SITU_HD SITU_INLINE T name(T x) {                  \
    return scalar(x);                                \
  }                                                  \
  template <class T, int N>                          \
  SITU_INLINE Pack<T, N> name(const Pack<T, N>& x) { \
    return detail::rounded<mode>(x);                 \
  }
SITU_ROUNDING(round, 0, std::nearbyint)  // halves to even
SITU_ROUNDING(floor, 1, std::floor)
SITU_ROUNDING(ceil, 2, std::ceil)
SITU_ROUNDING(trunc, 3, std::trunc)
#undef SITU_ROUNDING

template <detail::number T>
SITU_HD SITU_INLINE T sqrt(T x) {
  return std::sqrt(x);
}
template <class T, int N>
SITU_INLINE Pack<T, N> sqrt(const Pack<T, N>& x) {
#if defined(__SSE2__)
  // By name, since std::sqrt of each lane also looks for negative ones, to set errno.
  return detail::by_parts<T, N>(
      [](auto v) __attribute__((always_inline)) {
        using V = decltype(v);
        constexpr bool single = sizeof(T) == 4;
#if defined(__AVX512F__)
        if constexpr (sizeof(V) == 64 && single) {
          return (V)_mm512_maskz_sqrt_ps(0xFFFF, (__m512)v);
        } else if constexpr (sizeof(V) == 64) {
          return (V)_mm512_maskz_sqrt_pd(0xFF, (__m512d)v);
        } else
#endif
#if defined(__AVX2__)
            if constexpr (sizeof(V) == 32 && single) {
          return (V)_mm256_sqrt_ps((__m256)v);
        } else if constexpr (sizeof(V) == 32) {
          return (V)_mm256_sqrt_pd((__m256d)v);
        } else
#endif
            if constexpr (single) {
          return (V)_mm_sqrt_ps((__m128)v);
        } else {
          return (V)_mm_sqrt_pd((__m128d)v);
        }
      },
      x);
#else
  return detail::each_lane([](T v) { return std::sqrt(v); }, x);
#endif
}

}  // namespace situ::simd
