// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "situ/simd/load.hpp"

namespace {

namespace simd = situ::simd;
constexpr int N = simd::native_lanes;
constexpr auto count = static_cast<std::size_t>(N);

template <class T>
std::vector<T> awkward() {
  std::vector<T> v;
  for (int i = 0; i < 3 * N; ++i)
    v.push_back(static_cast<T>((i * 37) % 101 - (std::is_signed_v<T> ? 50 : 0)));
  if constexpr (std::is_floating_point_v<T>) {
    v[0] = std::numeric_limits<T>::quiet_NaN();
    v[1] = std::numeric_limits<T>::infinity();
    v[2] = -std::numeric_limits<T>::infinity();
    v[3] = T(-0.0);
    v[5] = T(2.5);
    v[6] = T(-3.5);
    v[7] = T(0.49999997);
  }
  return v;
}
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

}  // namespace

TEST_CASE_TEMPLATE("operators on packs do what they do on scalars", T, float, double, std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  const auto a = awkward<T>();
  for (std::size_t shift = 0; shift < count; ++shift) {
    const auto x = simd::load<N>(a.data());
    const auto y = simd::load<N>(a.data() + shift);
    for (int l = 0; l < N; ++l) {
      const T s = a[static_cast<std::size_t>(l)];
      const T t = a[static_cast<std::size_t>(l) + shift];
      CHECK(same(simd::lane(x + y, l), static_cast<T>(s + t)));
      CHECK(same(simd::lane(x - y, l), static_cast<T>(s - t)));
      CHECK(same(simd::lane(x * y, l), static_cast<T>(s * t)));
      CHECK(simd::lane(x == y, l) == (s == t));
      CHECK(simd::lane(x != y, l) == (s != t));
      CHECK(simd::lane(x < y, l) == (s < t));
      CHECK(simd::lane(x <= y, l) == (s <= t));
      CHECK(simd::lane(x > y, l) == (s > t));
      CHECK(simd::lane(x >= y, l) == (s >= t));
      CHECK(simd::lane((!(x < y)) & (x != y), l) == (!(s < t) && s != t));
      CHECK(same(simd::lane(simd::select(x < y, x, y), l), s < t ? s : t));
      CHECK(same(simd::lane(simd::min(x, y), l), simd::min(s, t)));
      CHECK(same(simd::lane(simd::max(x, y), l), simd::max(s, t)));
      CHECK(same(simd::lane(simd::abs(x), l), simd::abs(s)));
      CHECK(same(simd::lane(simd::sign(x), l), simd::sign(s)));
    }
  }
}

TEST_CASE_TEMPLATE("rounding is that of the C library", T, float, double) {
  for (const double base : {0.0, 0.5, 1.5, -0.5, -1.5, 1e6 + 0.5, 8388607.5, -8388608.0, 4194304.5,
                            4503599627370497.0, -2.7, 1e300}) {
    std::vector<T> v(count);
    for (std::size_t i = 0; i < count; ++i)
      v[i] = static_cast<T>(base + static_cast<double>(i) * 0.25);
    const auto x = simd::load<N>(v.data());
    for (int l = 0; l < N; ++l) {
      const T s = v[static_cast<std::size_t>(l)];
      CHECK(same(simd::lane(simd::round(x), l), std::nearbyint(s)));
      CHECK(same(simd::lane(simd::floor(x), l), std::floor(s)));
      CHECK(same(simd::lane(simd::ceil(x), l), std::ceil(s)));
      CHECK(same(simd::lane(simd::trunc(x), l), std::trunc(s)));
      CHECK(same(simd::lane(simd::sqrt(simd::abs(x)), l), std::sqrt(std::abs(s))));
    }
  }
}

TEST_CASE("conversions saturate and NaN becomes zero") {
  const double values[] = {1e300, -1e300,       std::nan(""),  2.9,
                           -2.9,  2147483647.0, -2147483648.0, 0.0};
  for (const double value : values) {
    const auto d = simd::broadcast<N>(value);
    CHECK(simd::lane(simd::convert<std::int32_t>(d), 0) == situ::cast_value<std::int32_t>(value));
    CHECK(simd::lane(simd::convert<std::int64_t>(d), N - 1) ==
          situ::cast_value<std::int64_t>(value));
    const auto f = simd::broadcast<N>(static_cast<float>(value));
    CHECK(simd::lane(simd::convert<std::int32_t>(f), 0) ==
          situ::cast_value<std::int32_t>(static_cast<float>(value)));
  }
  const auto mask = simd::iota<N>(0) < simd::broadcast<N>(2);
  const auto ones = simd::convert<double>(mask);
  CHECK(simd::lane(ones, 0) == 1.0);
  CHECK(simd::lane(ones, 2) == 0.0);
}

TEST_CASE_TEMPLATE("every element type loads as its compute type, whole or in part", T, bool,
                   std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double, situ::float16,
                   situ::bfloat16) {
  std::vector<unsigned char> storage((count + 1) * sizeof(T));
  T* p = reinterpret_cast<T*>(storage.data() + (sizeof(T) > 1 ? 0 : 1));  // unaligned for bytes
  for (std::size_t i = 0; i < count; ++i) {
    p[i] = situ::cast_value<T>(static_cast<float>(i % 2 == 0 ? i : i + 100));
  }
  const auto whole = simd::load<N>(p);
  for (int n = 0; n <= N; ++n) {
    const auto part = simd::load_partial<N>(p, n);
    std::array<T, count> back;
    simd::store(back.data(), part);
    for (int l = 0; l < N; ++l) {
      using C = situ::compute_t<T>;
      const C expected = static_cast<C>(p[l]);
      CHECK(simd::lane(whole, l) == expected);
      CHECK(simd::lane(part, l) == (l < n ? expected : C(0)));
      CHECK(static_cast<C>(back[static_cast<std::size_t>(l)]) == (l < n ? expected : C(0)));
    }
  }
}

TEST_CASE_TEMPLATE("transposing a square of packs swaps rows and columns", T, float, std::int32_t,
                   double, std::int64_t, bool) {
  simd::Pack<T, N> rows[count];
  simd::Pack<T, N> columns[count];
  for (int r = 0; r < N; ++r) {
    rows[r] = simd::broadcast<N>(T(0));
    for (int c = 0; c < N; ++c) simd::set_lane(rows[r], c, static_cast<T>((r * 3 + c * 5) % 7 > 3));
  }
  simd::transpose<N>(rows, columns);
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) CHECK(simd::lane(columns[c], r) == simd::lane(rows[r], c));
  }
}

TEST_CASE("the tree over 32 logical lanes has one shape for every width") {
  simd::Pack<double, N> lanes[static_cast<std::size_t>(simd::logical_lanes / N)];
  double flat[simd::logical_lanes];
  for (int i = 0; i < simd::logical_lanes; ++i) {
    flat[i] = std::ldexp(1.0 + i * 0.37, (i * 7) % 40 - 20);
    simd::set_lane(lanes[i / N], i % N, flat[i]);
  }
  for (int half = simd::logical_lanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) flat[l] += flat[l + half];
  }
  CHECK(simd::tree_sum(lanes) == flat[0]);
}

TEST_CASE_TEMPLATE("a broadcast keeps the sign of zero", T, float, double) {
  volatile T zero = T(-0.0);
  const auto x = simd::broadcast<N>(static_cast<T>(zero));
  for (int l = 0; l < N; ++l) CHECK(std::signbit(simd::lane(x, l)));
}

TEST_CASE_TEMPLATE("the lowest integer is its own absolute value", T, std::int32_t, std::int64_t) {
  const T lowest = std::numeric_limits<T>::min();
  CHECK(simd::abs(lowest) == lowest);
  CHECK(simd::lane(simd::abs(simd::broadcast<N>(lowest)), 0) == lowest);
}

TEST_CASE("signed integers wrap around in packs and scalars") {
  const auto check = []<class T>(T low, T high) {
    const auto a = simd::broadcast<N>(high);
    const auto b = simd::broadcast<N>(T{1});
    CHECK(simd::lane(a + b, 0) == low);
    CHECK(simd::add(high, T{1}) == low);
    CHECK(simd::lane(simd::broadcast<N>(low) - b, 0) == high);
    CHECK(simd::subtract(low, T{1}) == high);
    CHECK(simd::lane(-simd::broadcast<N>(low), 0) == low);
    CHECK(simd::negate(low) == low);
    CHECK(simd::lane(a * simd::broadcast<N>(T{2}), 0) == T{-2});
    CHECK(simd::multiply(high, T{2}) == T{-2});
  };
  check(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  check(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}
