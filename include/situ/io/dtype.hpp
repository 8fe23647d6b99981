// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "situ/dtype.hpp"
#include "situ/error.hpp"

// Element types that are known at run time only, because a file says them.
namespace situ {

enum class DType : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  raw16,  // two bytes without a meaning: NumPy's name for the bfloat16 of ml_dtypes in a .npy file
};

namespace detail {
template <class T>
constexpr DType find_dtype() {
  using C = compute_t<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_same_v<T, situ::float16>) {
    return DType::float16;
  } else if constexpr (std::is_same_v<T, situ::bfloat16>) {
    return DType::bfloat16;
  } else if constexpr (std::is_floating_point_v<C>) {
    return sizeof(T) == 4 ? DType::float32 : DType::float64;
  } else if constexpr (std::is_signed_v<T>) {
    return sizeof(T) == 1   ? DType::int8
           : sizeof(T) == 2 ? DType::int16
           : sizeof(T) == 4 ? DType::int32
                            : DType::int64;
  } else {
    return sizeof(T) == 1   ? DType::uint8
           : sizeof(T) == 2 ? DType::uint16
           : sizeof(T) == 4 ? DType::uint32
                            : DType::uint64;
  }
}
}  // namespace detail

template <element T>
inline constexpr DType dtype_of = detail::find_dtype<T>();

// f(std::type_identity<T>{}) with the element type T that `d` names:
//   with_dtype(d, [&](auto type) { using T = typename decltype(type)::type; ... });
// dtype_error for raw16, whose meaning the caller must say.
template <class F>
decltype(auto) with_dtype(DType d, F&& f) {
  switch (d) {
    case DType::boolean:
      return f(std::type_identity<bool>{});
    case DType::int8:
      return f(std::type_identity<std::int8_t>{});
    case DType::uint8:
      return f(std::type_identity<std::uint8_t>{});
    case DType::int16:
      return f(std::type_identity<std::int16_t>{});
    case DType::uint16:
      return f(std::type_identity<std::uint16_t>{});
    case DType::int32:
      return f(std::type_identity<std::int32_t>{});
    case DType::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case DType::int64:
      return f(std::type_identity<std::int64_t>{});
    case DType::uint64:
      return f(std::type_identity<std::uint64_t>{});
    case DType::float16:
      return f(std::type_identity<situ::float16>{});
    case DType::bfloat16:
      return f(std::type_identity<situ::bfloat16>{});
    case DType::float32:
      return f(std::type_identity<float>{});
    case DType::float64:
      return f(std::type_identity<double>{});
    case DType::raw16:
      break;
  }
  throw dtype_error(
      "situ: elements of two raw bytes have no meaning of their own; read them as situ::bfloat16");
}

// NumPy's names; "raw16" for NumPy's V2.
inline std::string to_string(DType d) {
  if (d == DType::raw16) return "raw16";
  return with_dtype(
      d, [](auto type) { return std::string(dtype_name<typename decltype(type)::type>()); });
}
// Bytes of one element.
inline std::int64_t size_of(DType d) {
  if (d == DType::raw16) return 2;
  return with_dtype(d, [](auto type) {
    return static_cast<std::int64_t>(sizeof(typename decltype(type)::type));
  });
}

}  // namespace situ
