// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/core.hpp"

// Arithmetic and comparisons of packs, and the logic of masks.
namespace situ::simd {

namespace detail {
// Signed integers are added, subtracted and multiplied as unsigned ones, so that they wrap around
// as in NumPy instead of being undefined.
template <class T>
inline constexpr bool wraps = std::is_integral_v<T>&& std::is_signed_v<T>;
template <class T, class V>
struct unsigned_register {
  typedef std::make_unsigned_t<T> type __attribute__((vector_size(sizeof(V))));
};
template <class T, class V>
SITU_INLINE auto wrapping(const V& x) {
  if constexpr (wraps<T>) {
    return (typename unsigned_register<T, V>::type)x;
  } else {
    return x;
  }
}
}  // namespace detail

#define SITU_PACK_OPERATOR(symbol)                                                    \
  template <class T, int N>                                                           \
  SITU_INLINE Pack<T, N> operator symbol(const Pack<T, N>& a, const Pack<T, N>& b) {  \
    return detail::by_parts<T, N>(                                                    \
        [](auto x, auto y) __attribute__((always_inline)) {                           \
          return (decltype(x))(detail::wrapping<T>(x) symbol detail::wrapping<T>(y)); \
        },                                                                            \
        a, b);                                                                        \
  }
SITU_PACK_OPERATOR(+)
SITU_PACK_OPERATOR(-)
#undef SITU_PACK_OPERATOR
template <class T, int N>
SITU_INLINE Pack<T, N> operator/(const Pack<T, N>& a, const Pack<T, N>& b) {
  return detail::by_parts<T, N>(
      [](auto x, auto y) __attribute__((always_inline)) { return x / y; }, a, b);
}
template <class T, int N>
SITU_INLINE Pack<T, N> operator-(const Pack<T, N>& a) {
  return detail::by_parts<T, N>(
      [](auto x) __attribute__((always_inline)) { return (decltype(x))(-detail::wrapping<T>(x)); },
      a);
}

// The same of scalars, and of packs for those who do not know which they have.
#define SITU_WRAPPING(name, symbol)                                       \
  template <class T, int N>                                               \
  SITU_INLINE Pack<T, N> name(const Pack<T, N>& a, const Pack<T, N>& b) { \
    return a symbol b;                                                    \
  }                                                                       \
  template <class T>                                                      \
  requires std::is_arithmetic_v<T> SITU_HD SITU_INLINE T name(T a, T b) { \
    if constexpr (detail::wraps<T>) {                                     \
      using U = std::make_unsigned_t<T>;                                  \
      return static_cast<T>(static_cast<U>(a) symbol static_cast<U>(b));  \
    } else {                                                              \
      return static_cast<T>(a symbol b);                                  \
    }                                                                     \
  }
SITU_WRAPPING(add, +)
SITU_WRAPPING(subtract, -)
#undef SITU_WRAPPING
template <class T, int N>
SITU_INLINE Pack<T, N> negate(const Pack<T, N>& a) {
  return -a;
}
template <class T>
requires std::is_arithmetic_v<T> SITU_HD SITU_INLINE T negate(T a) {
  if constexpr (detail::wraps<T>) {
    return subtract(T{0}, a);
  } else {
    return static_cast<T>(-a);
  }
}

// A product that may not be contracted with a sum into a fused multiply-add: the bits of a result
// would then depend on the instruction set and the compiler. The barrier costs nothing but the
// contraction.
template <class T, int N>
SITU_INLINE Pack<T, N> multiply(const Pack<T, N>& a, const Pack<T, N>& b) {
  return detail::by_parts<T, N>(
      [](auto x, auto y) __attribute__((always_inline)) {
        auto product = (decltype(x))(detail::wrapping<T>(x) * detail::wrapping<T>(y));
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
        if constexpr (std::is_floating_point_v<T>) asm("" : "+v"(product));
#endif
        return product;
      },
      a, b);
}
template <class T>
requires std::is_arithmetic_v<T> SITU_HD SITU_INLINE T multiply(T a, T b) {
  if constexpr (detail::wraps<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
#ifdef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) {
      return __fmul_rn(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return __dmul_rn(a, b);
    } else {
      return static_cast<T>(a * b);
    }
#else
    T product = static_cast<T>(a * b);
#if defined(__x86_64__)
    if constexpr (std::is_floating_point_v<T>) asm("" : "+v"(product));
#endif
    return product;
#endif
  }
}
template <class T, int N>
SITU_INLINE Pack<T, N> operator*(const Pack<T, N>& a, const Pack<T, N>& b) {
  return multiply(a, b);
}

namespace detail {
// How a relation is written in instructions: of floats (ordered, quiet) and of integers.
template <int Real, int Whole>
struct Relation {};

// One bit per lane of a register; only where masks have registers.
template <class T, int Real, int Whole, class V>
SITU_INLINE unsigned compare_register(Relation<Real, Whole>, const V& a, const V& b) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, float>) {
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, Real);
  } else if constexpr (std::is_same_v<T, double>) {
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, Real);
  } else if constexpr (sizeof(T) == 4) {
    return std::is_signed_v<T> ? _mm512_cmp_epi32_mask((__m512i)a, (__m512i)b, Whole)
                               : _mm512_cmp_epu32_mask((__m512i)a, (__m512i)b, Whole);
  } else {
    return std::is_signed_v<T> ? _mm512_cmp_epi64_mask((__m512i)a, (__m512i)b, Whole)
                               : _mm512_cmp_epu64_mask((__m512i)a, (__m512i)b, Whole);
  }
#else
  return static_cast<unsigned>(sizeof(T) + sizeof(a) + sizeof(b));
#endif
}
// x where the bit is set, else y.
template <class T, class V>
SITU_INLINE V blend(unsigned bits, const V& x, const V& y) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return (V)_mm512_mask_blend_epi32(static_cast<__mmask16>(bits), (__m512i)y, (__m512i)x);
  } else {
    return (V)_mm512_mask_blend_epi64(static_cast<__mmask8>(bits), (__m512i)y, (__m512i)x);
  }
#else
  return bits != 0 ? x : y;
#endif
}

// A comparison of 64-bit lanes gives 64-bit integers; masks have 32 bits.
template <class R, class T, int N, class F>
SITU_INLINE Pack<bool, N> compare(R relation, F&& f, const Pack<T, N>& a, const Pack<T, N>& b) {
  if constexpr (in_mask_register<N>) {
    unsigned bits = compare_register<T>(relation, get(a, 0), get(b, 0));
    if constexpr (parts<T, N> == 2)
      bits |= compare_register<T>(relation, get(a, 1), get(b, 1)) << 8;
    return {static_cast<std::uint16_t>(bits)};
  } else if constexpr (sizeof(stored_t<T>) == 4) {
    return by_parts<bool, N>(
        [&](auto x, auto y) __attribute__((always_inline)) { return (vec<bool, N>)f(x, y); }, a, b);
  } else {
    Pack<bool, N> r;
    using Half = typename vector_of<std::int32_t, part_bytes<T, N> / 2>::type;
    const auto narrow = [&](int p) __attribute__((always_inline)) {
      return __builtin_convertvector(f(get(a, p), get(b, p)), Half);
    };
    for (int p = 0; p < parts<bool, N>; ++p) {
      if constexpr (parts<T, N> == parts<bool, N>) {
        set(r, p, narrow(p));
      } else {
        set(r, p, join<N / parts<bool, N>>(narrow(2 * p), narrow(2 * p + 1)));
      }
    }
    return r;
  }
}
// The mask widened to lanes as wide as T's.
template <class T, int N>
SITU_INLINE auto mask_part(const Pack<bool, N>& m, int part) {
  if constexpr (sizeof(stored_t<T>) == 4) {
    return get(m, part);
  } else {
    using Wide = typename vector_of<std::int64_t, part_bytes<T, N>>::type;
    if constexpr (parts<T, N> == parts<bool, N>) {
      return __builtin_convertvector(get(m, part), Wide);
    } else {
      constexpr int width = N / parts<bool, N>;
      const auto x = get(m, part / 2);
      return part % 2 == 0 ? __builtin_convertvector((half<width, 0>(x)), Wide)
                           : __builtin_convertvector((half<width, 1>(x)), Wide);
    }
  }
}
}  // namespace detail

#define SITU_PACK_OPERATOR(symbol, real, whole)                                          \
  template <class T, int N>                                                              \
  SITU_INLINE Pack<bool, N> operator symbol(const Pack<T, N>& a, const Pack<T, N>& b) {  \
    return detail::compare(                                                              \
        detail::Relation<real, whole>{},                                                 \
        [](auto x, auto y) __attribute__((always_inline)) { return x symbol y; }, a, b); \
  }
SITU_PACK_OPERATOR(==, 0, 0)
SITU_PACK_OPERATOR(!=, 4, 4)
SITU_PACK_OPERATOR(<, 17, 1)
SITU_PACK_OPERATOR(<=, 18, 2)
SITU_PACK_OPERATOR(>, 30, 6)
SITU_PACK_OPERATOR(>=, 29, 5)
#undef SITU_PACK_OPERATOR

#define SITU_PACK_OPERATOR(symbol)                                                            \
  template <int N>                                                                            \
  SITU_INLINE Pack<bool, N> operator symbol(const Pack<bool, N>& a, const Pack<bool, N>& b) { \
    if constexpr (in_mask_register<N>) {                                                      \
      return {static_cast<std::uint16_t>(a.bits symbol b.bits)};                              \
    } else {                                                                                  \
      return detail::by_parts<bool, N>(                                                       \
          [](auto x, auto y) __attribute__((always_inline)) { return x symbol y; }, a, b);    \
    }                                                                                         \
  }
SITU_PACK_OPERATOR(&)
SITU_PACK_OPERATOR(|)
SITU_PACK_OPERATOR(^)
#undef SITU_PACK_OPERATOR
template <int N>
SITU_INLINE Pack<bool, N> operator!(const Pack<bool, N>& a) {
  if constexpr (in_mask_register<N>) {
    return {static_cast<std::uint16_t>(~a.bits)};
  } else {
    return detail::by_parts<bool, N>(
        [](auto x) __attribute__((always_inline)) { return ~x; }, a);
  }
}
// Masks are compared by their bits, false before true.
#define SITU_PACK_OPERATOR(symbol, Expression)                                                \
  template <int N>                                                                            \
  SITU_INLINE Pack<bool, N> operator symbol(const Pack<bool, N>& a, const Pack<bool, N>& b) { \
    return Expression;                                                                        \
  }
SITU_PACK_OPERATOR(==, !(a ^ b))
SITU_PACK_OPERATOR(!=, a ^ b)
SITU_PACK_OPERATOR(<, (!a) & b)
SITU_PACK_OPERATOR(<=, (!a) | b)
SITU_PACK_OPERATOR(>, a & !b)
SITU_PACK_OPERATOR(>=, a | !b)
#undef SITU_PACK_OPERATOR

}  // namespace situ::simd
