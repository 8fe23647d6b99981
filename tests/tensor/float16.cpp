// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <situ/dtype.hpp>

using situ::bfloat16;
using situ::float16;

namespace {

// An independent rounding to nearest even: `digits` significant bits, exponents from `lowest` on.
// Scaled so that the last place is 1, std::nearbyint does it.
double round_to(double x, int digits, int lowest, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  (void)std::frexp(x, &exponent);  // |x| in [2^(exponent-1), 2^exponent)
  const int last = std::max(exponent - digits, lowest - digits + 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  if (std::fabs(rounded) > largest) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return rounded;
}
double as_float16(double x) { return round_to(x, 11, -14, 65504.0); }
double as_bfloat16(double x) { return round_to(x, 8, -126, std::ldexp(255.0, 120)); }

template <class H>
double value(H h) {
  return static_cast<double>(static_cast<float>(h));
}
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// The value of a binary16 pattern by its definition.
double by_definition(std::uint32_t bits, int fraction_bits, int bias) {
  const int exponent_bits = 15 - fraction_bits;
  const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  const int exponent = static_cast<int>((bits >> fraction_bits) & ((1u << exponent_bits) - 1));
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const double lead = exponent == 0 ? 0.0 : std::ldexp(1.0, fraction_bits);
  const int power = (exponent == 0 ? 1 : exponent) - bias - fraction_bits;
  return sign * std::ldexp(lead + static_cast<double>(fraction), power);
}

template <class H>
int count_wrong_patterns(int fraction_bits, int bias) {
  int wrong = 0;
  for (std::uint32_t b = 0; b < 65536; ++b) {
    const H h = H::from_bits(static_cast<std::uint16_t>(b));
    const double expected = by_definition(b, fraction_bits, bias);
    if (!same(value(h), expected)) ++wrong;
    const H back(static_cast<float>(h));
    if (std::isnan(expected)) {  // stays NaN and keeps its sign; a signalling one becomes quiet
      const std::uint32_t quiet = b | (1u << (fraction_bits - 1));
      if (back.bits != quiet) ++wrong;
    } else if (back.bits != b) {
      ++wrong;
    }
  }
  return wrong;
}

// Every sign, exponent and upper fraction, with the lower fraction bits around all ties.
template <class Check>
void for_many_floats(Check check) {
  constexpr std::uint32_t tails[] = {0,      1,      0xFFF,  0x1000, 0x1001, 0x1FFF,
                                     0x2000, 0x2001, 0x7FFF, 0x8000, 0x8001, 0xFFFF,
                                     0x5555, 0xAAAA, 0x3000, 0x2FFF};
  for (std::uint32_t top = 0; top < 65536; ++top) {
    for (const std::uint32_t tail : tails) check(std::bit_cast<float>((top << 16) | tail));
  }
}

}  // namespace

TEST_CASE("all 65536 patterns of float16 have the value that IEEE 754 gives them and round trip") {
  CHECK(count_wrong_patterns<float16>(10, 15) == 0);
}
TEST_CASE("all 65536 patterns of bfloat16 have the value of a float's upper half and round trip") {
  CHECK(count_wrong_patterns<bfloat16>(7, 127) == 0);
}

TEST_CASE("floats round to the nearest 16-bit value, ties to even") {
  int wrong16 = 0;
  int wrong_b16 = 0;
  for_many_floats([&](float x) {
    const double exact = static_cast<double>(x);
    if (!same(value(float16(x)), as_float16(exact))) ++wrong16;
    if (!same(value(bfloat16(x)), as_bfloat16(exact))) ++wrong_b16;
  });
  CHECK(wrong16 == 0);
  CHECK(wrong_b16 == 0);
}

TEST_CASE("known values of float16") {
  CHECK(float16(1.0f).bits == 0x3C00);
  CHECK(float16(-2.0f).bits == 0xC000);
  CHECK(float16(65504.0f).bits == 0x7BFF);
  CHECK(float16(65519.996f).bits == 0x7BFF);
  CHECK(float16(65520.0f).bits == 0x7C00);
  CHECK(float16(std::ldexp(1.0f, -24)).bits == 0x0001);
  CHECK(float16(std::ldexp(1.0f, -25)).bits == 0x0000);
  CHECK(float16(std::nextafter(std::ldexp(1.0f, -25), 1.0f)).bits == 0x0001);
  CHECK(float16(-0.0f).bits == 0x8000);
  CHECK(bfloat16(1.0f).bits == 0x3F80);
  CHECK(bfloat16(std::numeric_limits<float>::max()).bits == 0x7F80);
}

TEST_CASE("doubles and 64-bit integers round to 16 bits once, not twice") {
  // Just above a tie: by way of a float these would fall on the tie and round down to even.
  const double above = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  CHECK(situ::cast_value<float16>(above).bits == 0x3C01);
  CHECK(situ::cast_value<float16>(-above).bits == 0xBC01);
  CHECK(situ::cast_value<bfloat16>(1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40)).bits ==
        0x3F81);
  const std::int64_t big = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  CHECK(situ::cast_value<bfloat16>(big).bits == bfloat16(std::ldexp(1.0f, 62)).bits);
  CHECK(situ::cast_value<bfloat16>(big + 1).bits == bfloat16(std::ldexp(1.0f, 62)).bits + 1);
  CHECK(situ::cast_value<bfloat16>(-big - 1).bits == (bfloat16(std::ldexp(-1.0f, 62)).bits + 1));
  CHECK(situ::cast_value<bfloat16>(static_cast<std::uint64_t>(big) + 1).bits ==
        bfloat16(std::ldexp(1.0f, 62)).bits + 1);
  int wrong = 0;
  for (std::uint32_t b = 0; b < 0x7C00; ++b) {  // around the tie between neighbours
    const double low = value(float16::from_bits(static_cast<std::uint16_t>(b)));
    const double high =
        b + 1 == 0x7C00 ? 65536.0 : value(float16::from_bits(static_cast<std::uint16_t>(b + 1)));
    const double tie = (low + high) / 2;
    for (const double x : {std::nextafter(tie, low), tie, std::nextafter(tie, high)}) {
      for (const double y : {x, -x}) {
        if (!same(value(situ::cast_value<float16>(y)), as_float16(y))) ++wrong;
      }
    }
  }
  for (std::uint32_t b = 0; b < 0x7F7F; ++b) {
    const double low = value(bfloat16::from_bits(static_cast<std::uint16_t>(b)));
    const double high = value(bfloat16::from_bits(static_cast<std::uint16_t>(b + 1)));
    const double tie = (low + high) / 2;
    for (const double x : {std::nextafter(tie, low), tie, std::nextafter(tie, high)}) {
      if (!same(value(situ::cast_value<bfloat16>(x)), as_bfloat16(x))) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK(situ::cast_value<float16>(1e300).bits == 0x7C00);
  CHECK(situ::cast_value<bfloat16>(-1e300).bits == 0xFF80);
  CHECK(situ::cast_value<float16>(1e-300).bits == 0);
  CHECK(situ::cast_value<bfloat16>(-1e-300).bits == 0x8000);
}
