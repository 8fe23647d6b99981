// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "situ/config.hpp"

// 16-bit floating point as storage: bit-compatible with CUDA's __half and __nv_bfloat16 and with
// PyTorch's float16 and bfloat16. There is no arithmetic here: expressions load these as float and
// compute in float.
namespace situ {

namespace detail {
SITU_HD inline std::uint32_t bits_of(float x) {
  std::uint32_t b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}
SITU_HD inline float float_of(std::uint32_t b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}
}  // namespace detail

// IEEE 754 binary16: 5 exponent bits, 11 significant bits, largest 65504.
struct float16 {
  std::uint16_t bits;

  float16() = default;
  // Rounds to nearest, ties to even; beyond 65519 to infinity; denormals and NaN (quiet) are kept.
  SITU_HD explicit float16(float x) : bits(round(x)) {}
  SITU_HD explicit operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = bits & 0x3FFu;
    if (exponent == 0x1Fu) return detail::float_of(sign | 0x7F800000u | (fraction << 13));
    if (exponent == 0) {  // fraction * 2^-24 is exact
      const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;
      return sign != 0 ? -magnitude : magnitude;
    }
    return detail::float_of(sign | ((exponent + 112u) << 23) | (fraction << 13));
  }
  SITU_HD explicit operator double() const { return static_cast<float>(*this); }
  SITU_HD static float16 from_bits(std::uint16_t b) {
    float16 h;
    h.bits = b;
    return h;
  }

 private:
  SITU_HD static std::uint16_t round(float x) {
    const std::uint32_t b = detail::bits_of(x);
    const std::uint32_t sign = (b >> 16) & 0x8000u;
    const std::uint32_t magnitude = b & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) {  // NaN: keep the top of its payload, make it quiet
      return static_cast<std::uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
    }
    if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);
    if (magnitude < 0x38800000u) {  // below 2^-14: the unit in the last place is 2^-24
      // Adding 0.5 aligns the last place of a float with 2^-24, and the hardware rounds to even.
      const float shifted = detail::float_of(magnitude) + 0.5f;
      return static_cast<std::uint16_t>(sign | (detail::bits_of(shifted) - 0x3F000000u));
    }
    const std::uint32_t even = (magnitude >> 13) & 1u;
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xFFFu + even) >> 13));
  }
};

// bfloat16: the upper half of a float, 8 exponent bits, 8 significant bits.
struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  // Rounds to nearest, ties to even; overflow to infinity; denormals and NaN (quiet) are kept.
  SITU_HD explicit bfloat16(float x) : bits(round(x)) {}
  SITU_HD explicit operator float() const {
    return detail::float_of(static_cast<std::uint32_t>(bits) << 16);
  }
  SITU_HD explicit operator double() const { return static_cast<float>(*this); }
  SITU_HD static bfloat16 from_bits(std::uint16_t b) {
    bfloat16 h;
    h.bits = b;
    return h;
  }

 private:
  SITU_HD static std::uint16_t round(float x) {
    const std::uint32_t b = detail::bits_of(x);
    if ((b & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>((b >> 16) | 0x40u);
    return static_cast<std::uint16_t>((b + 0x7FFFu + ((b >> 16) & 1u)) >> 16);
  }
};

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);

}  // namespace situ
