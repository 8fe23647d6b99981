// SPDX-License-Identifier: Apache-2.0
#include "situ/simd/convert.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "situ/simd/load.hpp"

namespace {

namespace simd = situ::simd;
constexpr int N = simd::native_lanes;

// Numbers around every limit of every type, in From as far as it holds them.
template <class From>
std::vector<From> edges() {
  const double limits[] = {0.0,          1.0,          -1.0,         127.0,         128.0,
                           -128.0,       -129.0,       255.0,        256.0,         32767.0,
                           -32769.0,     65535.0,      65536.0,      2147483520.0,  2147483647.0,
                           2147483648.0, 4294967295.0, 4294967296.0, -2147483648.0, -2147483904.0,
                           0.5,          -0.5,         -0.99999,     2.5,           -2.5,
                           16777217.0,   9.3e18,       -9.3e18,      1.8e19,        1.9e19,
                           1e30,         -1e30};
  std::vector<From> v;
  for (const double x : limits) v.push_back(situ::cast_value<From>(x));
  v.push_back(std::numeric_limits<From>::max());
  v.push_back(std::numeric_limits<From>::lowest());
  if constexpr (std::is_floating_point_v<From>) {
    v.push_back(std::numeric_limits<From>::infinity());
    v.push_back(-std::numeric_limits<From>::infinity());
    v.push_back(std::numeric_limits<From>::quiet_NaN());
    v.push_back(std::numeric_limits<From>::denorm_min());
  }
  while (v.size() % static_cast<std::size_t>(N) != 0) v.push_back(From(3));
  return v;
}

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

template <class To, class From>
void check_conversion() {
  const auto xs = edges<From>();
  for (std::size_t i = 0; i < xs.size(); i += static_cast<std::size_t>(N)) {
    const auto pack = simd::convert<To>(simd::load<N>(&xs[i]));
    for (int l = 0; l < N; ++l) {
      const From x = xs[i + static_cast<std::size_t>(l)];
      CAPTURE(x);
      CHECK(same(simd::lane(pack, l), situ::cast_value<To>(x)));
    }
  }
}

template <class S, class From>
void check_store() {
  const auto xs = edges<From>();
  constexpr auto count = static_cast<std::size_t>(N);
  for (std::size_t i = 0; i < xs.size(); i += count) {
    S out[count + 1] = {};
    simd::store(out, simd::load<N>(&xs[i]));
    for (std::size_t l = 0; l < count; ++l) {
      const S want = situ::cast_value<S>(xs[i + l]);
      CAPTURE(xs[i + l]);
      CHECK(std::memcmp(&out[l], &want, sizeof(S)) == 0);
    }
    const S untouched{};
    CHECK(std::memcmp(&out[count], &untouched, sizeof(S)) == 0);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("packs convert by the rules of cast_value", From, float, double, std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  check_conversion<float, From>();
  check_conversion<double, From>();
  check_conversion<std::int32_t, From>();
  check_conversion<std::int64_t, From>();
  check_conversion<std::uint32_t, From>();
  check_conversion<std::uint64_t, From>();
  check_conversion<bool, From>();
}

TEST_CASE_TEMPLATE("stores convert by the rules of cast_value", From, float, double, std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  check_store<std::int8_t, From>();
  check_store<std::uint8_t, From>();
  check_store<std::int16_t, From>();
  check_store<std::uint16_t, From>();
  check_store<std::int32_t, From>();
  check_store<std::int64_t, From>();
  check_store<bool, From>();
  check_store<situ::float16, From>();
  check_store<situ::bfloat16, From>();
}

TEST_CASE_TEMPLATE("16-bit floats go through packs as through scalars", Half, situ::float16,
                   situ::bfloat16) {
  constexpr auto count = static_cast<std::size_t>(N);
  for (std::uint32_t first = 0; first < 65536; first += static_cast<std::uint32_t>(N)) {
    Half in[count];
    Half out[count];
    for (std::size_t l = 0; l < count; ++l) {
      in[l] = Half::from_bits(static_cast<std::uint16_t>(first + l));
    }
    const auto x = simd::load<N>(in);
    simd::store(out, x);
    bool right = true;
    for (std::size_t l = 0; l < count; ++l) {
      const float f = static_cast<float>(in[l]);
      right = right && same(simd::lane(x, static_cast<int>(l)), f);
      right = right && (out[l].bits == in[l].bits || f != f);
    }
    CHECK(right);
  }
  // Between every two neighbours: just below, at and just above the middle.
  for (std::uint32_t bits = 0; bits < 0x7F800000u; bits += 0x1000) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      float in[count];
      Half out[count];
      for (std::size_t l = 0; l < count; ++l) {
        in[l] = simd::from_bits<float>((bits + static_cast<std::uint32_t>(l) - 1) | sign);
      }
      simd::store(out, simd::load<N>(in));
      bool right = true;
      for (std::size_t l = 0; l < count; ++l) right = right && out[l].bits == Half(in[l]).bits;
      CHECK(right);
    }
  }
}
