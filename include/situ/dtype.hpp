// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "situ/float16.hpp"

// Element types, what they are computed in, and what becomes of two of them in one operation.
//
// Nothing is lost silently: int32 with float32 is double (as in NumPy), and mixtures that no type
// holds exactly, such as int64 with float32, do not compile without a cast. Plain C++ numbers
// beside a tensor are weak: `x * 2.0` keeps a float tensor float.
namespace situ {

namespace detail {
template <class T, class... Ts>
inline constexpr bool one_of = (std::is_same_v<T, Ts> || ...);
template <class T>
inline constexpr bool is_half = one_of<T, float16, bfloat16>;
// long and long long are two types of 64 bits: both are int64.
template <class T>
inline constexpr bool is_integer =
    std::is_integral_v<T> && !one_of<T, bool, wchar_t, char16_t, char32_t, char8_t>;
}  // namespace detail

// bool, (u)int8 to (u)int64, float16, bfloat16, float, double.
template <class T>
concept element =
    std::is_same_v<T, std::remove_cvref_t<T>> &&
    (detail::is_integer<T> || detail::is_half<T> || detail::one_of<T, bool, float, double>);
template <class T>
concept integer_element = element<T> && detail::is_integer<T>;
template <class T>
concept floating_element = element<T> && (detail::is_half<T> || std::is_floating_point_v<T>);

namespace detail {
template <class T>
struct compute {
  using type = T;
};
template <class T>
  requires is_half<T>
struct compute<T> {
  using type = float;
};
template <class T>
  requires(is_integer<T> && sizeof(T) <= 2)
struct compute<T> {
  using type = std::int32_t;
};
template <class T>
  requires(is_integer<T> && sizeof(T) >= 4)
struct compute<T> {
  using type =
      std::conditional_t<sizeof(T) == 4,
                         std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                         std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
};
}  // namespace detail

// What a T, const or not, is loaded and computed as: 16-bit floats as float, 8- and 16-bit integers as int32.
template <class T>
using compute_t = typename detail::compute<std::remove_const_t<T>>::type;

namespace detail {

template <class A, class B>
struct promotion {
  using CA = compute_t<A>;
  using CB = compute_t<B>;
  static constexpr bool float_a = std::is_floating_point_v<CA>;
  static constexpr bool float_b = std::is_floating_point_v<CB>;
  static constexpr bool any_double = one_of<double, CA, CB>;
  // The integer beside a float: exact in float up to 16 bits, in double up to 32.
  static constexpr std::size_t integer_bytes =
      float_a == float_b ? 0 : (float_a ? sizeof(B) : sizeof(A));
  using floating =
      std::conditional_t<integer_bytes == 8, void,
                         std::conditional_t<integer_bytes == 4 || any_double, double, float>>;
  static constexpr bool any_u64 = one_of<std::uint64_t, CA, CB>;
  static constexpr bool both_unsigned = std::is_unsigned_v<A> && std::is_unsigned_v<B>;
  using integral = std::conditional_t<
      std::is_same_v<CA, CB>, CA,
      std::conditional_t<any_u64, std::conditional_t<both_unsigned, std::uint64_t, void>,
                         std::int64_t>>;
  using type = std::conditional_t<float_a || float_b, floating, integral>;
};
template <class B>
struct promotion<bool, B> {
  using type = compute_t<B>;
};
template <class A>
struct promotion<A, bool> {
  using type = compute_t<A>;
};
template <>
struct promotion<bool, bool> {
  using type = std::int32_t;
};

template <class T, class S>
struct scalar_promotion {
  static constexpr bool weak_integer =
      std::is_integral_v<S> && (sizeof(S) <= 4 || std::is_same_v<compute_t<T>, std::uint64_t>);
  static auto pick() {
    if constexpr (floating_element<T>) {
      return std::type_identity<compute_t<T>>{};
    } else if constexpr (floating_element<S>) {
      if constexpr (sizeof(T) <= 2) {
        return std::type_identity<compute_t<S>>{};
      } else {
        return std::type_identity<std::conditional_t<sizeof(T) == 4, double, void>>{};
      }
    } else if constexpr (std::is_same_v<T, bool> && !std::is_same_v<S, bool>) {
      return std::type_identity<compute_t<S>>{};
    } else if constexpr (weak_integer) {
      return std::type_identity<compute_t<T>>{};
    } else {
      return promotion<T, S>{};
    }
  }
  using type = typename decltype(pick())::type;
};

}  // namespace detail

// Element type of an arithmetic operation on an A and a B; void when no type holds both without
// loss.
template <class A, class B>
using promote_t = typename detail::promotion<A, B>::type;
template <class A, class B>
concept promotable = !std::is_void_v<promote_t<A, B>>;

// The type that a plain number of type S takes beside elements of type T; void when it would be
// lossy.
template <class T, class S>
using promote_scalar_t = typename detail::scalar_promotion<T, S>::type;

namespace detail {
template <element T>
inline constexpr int significant_bits = std::numeric_limits<T>::digits;
template <>
inline constexpr int significant_bits<float16> = 11;
template <>
inline constexpr int significant_bits<bfloat16> = 8;

// Whether a T keeps every value of a V.
template <element T, element V>
inline constexpr bool holds_all = [] {
  if constexpr (std::is_same_v<T, V> || std::is_same_v<V, bool>) {
    return true;
  } else if constexpr (floating_element<V>) {
    return floating_element<T> && sizeof(T) > sizeof(V);
  } else {
    return significant_bits<T> >= significant_bits<V> &&
           (floating_element<T> || std::is_signed_v<T> || std::is_unsigned_v<V>);
  }
}();
template <class T, class V>
concept holds = holds_all<T, V>;
}  // namespace detail

// "float32", "int64", ...: NumPy's names.
template <element T>
constexpr const char* dtype_name() {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_same_v<T, float16>) {
    return "float16";
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    return "bfloat16";
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? "float32" : "float64";
  } else {
    constexpr const char* names[] = {"int8", "uint8", "int16", "uint16", "", "", "int32", "uint32",
                                     "",     "",      "",      "",       "", "", "int64", "uint64"};
    return names[(sizeof(T) - 1) * 2 + (std::is_unsigned_v<T> ? 1 : 0)];
  }
}

namespace detail {
// Device code may read constants but not call std::numeric_limits.
template <class T>
inline constexpr T lowest_integer = std::numeric_limits<T>::min();
template <class T>
inline constexpr T highest_integer = std::numeric_limits<T>::max();

// A float that rounds to 16 bits as x itself would: cut towards zero, with the last bit set when
// something was cut off. Rounding twice to nearest would be wrong near the ties.
template <class From>
SITU_HD inline float round_to_odd(From x) {
  if constexpr (std::is_same_v<From, float>) {
    return x;
  } else if constexpr (is_integer<From> && sizeof(From) == 8) {
    // Beyond 40 bits the low 16 only matter as zero or not; 48 bits fit in a double.
    bool negative = false;
    if constexpr (std::is_signed_v<From>) negative = x < 0;
    std::uint64_t m = static_cast<std::uint64_t>(x);
    if (negative) m = 0 - m;
    if ((m >> 40) != 0) m = (m & ~std::uint64_t{0xFFFF}) | ((m & 0xFFFFu) != 0 ? 0x8000u : 0u);
    const double d = static_cast<double>(m);
    return round_to_odd(negative ? -d : d);
  } else if constexpr (std::is_same_v<From, double>) {
    const float f = static_cast<float>(x);
    const double back = static_cast<double>(f);
    if (back == x || x != x) return f;
    std::uint32_t b = bits_of(f);
    if ((back < 0 ? -back : back) > (x < 0 ? -x : x)) --b;
    return float_of(b | 1u);
  } else {
    return round_to_odd(static_cast<double>(x));
  }
}
}  // namespace detail

// Conversion of one element: floating point to an integer drops the fraction, a value out of range
// becomes the nearest one, NaN becomes 0; an integer that another integer type cannot hold becomes
// its nearest value too. To a 16-bit float it rounds to nearest even. To bool: whether it is not
// zero.
template <class To, class From>
SITU_HD constexpr To cast_value(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (detail::is_half<From>) {
    return cast_value<To>(static_cast<float>(x));
  } else if constexpr (detail::is_half<To>) {
    return To(detail::round_to_odd(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (x != x) return To(0);
    // As From, the upper bound may round up to a power of two, which no To reaches.
    constexpr From low = static_cast<From>(detail::lowest_integer<To>);
    constexpr From high = static_cast<From>(detail::highest_integer<To>);
    if (x <= low) return detail::lowest_integer<To>;
    if (x >= high) return detail::highest_integer<To>;
    return static_cast<To>(x);
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To> &&
                       !std::is_same_v<From, bool>) {
    constexpr bool from_signed = std::is_signed_v<From>;
    constexpr To low = detail::lowest_integer<To>;
    constexpr To high = detail::highest_integer<To>;
    if constexpr (from_signed && std::is_signed_v<To>) {
      if constexpr (sizeof(From) > sizeof(To)) {
        if (x < static_cast<From>(low)) return low;
        if (x > static_cast<From>(high)) return high;
      }
    } else if constexpr (from_signed) {
      if (x < 0) return To(0);
      if (static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>(high)) return high;
    } else {
      if (static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>(high)) return high;
    }
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace situ
