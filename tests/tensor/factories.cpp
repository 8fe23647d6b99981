// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <situ/factories.hpp>
#include <situ/random.hpp>
#include <vector>

using namespace situ;

namespace {
template <class T>
std::vector<double> values(const Tensor<T, 1, Host>& t) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.size(); ++i) out.push_back(cast_value<double>(t(i)));
  return out;
}
using Doubles = std::vector<double>;
}  // namespace

TEST_CASE("zeros, ones, full and eye") {
  CHECK(zeros<int, 2>({2, 2})(1, 1) == 0);
  CHECK(cast_value<float>(ones<float16, 1>({3})(2)) == 1.0f);
  CHECK(full<double, 3>({2, 1, 2}, 2.5)(1, 0, 1) == 2.5);
  const auto wide = eye<int>(2, 3);
  CHECK(wide(0, 0) == 1);
  CHECK(wide(1, 1) == 1);
  CHECK(wide(1, 2) == 0);
  CHECK(eye<float>(3)(2, 2) == 1);
  CHECK(eye<float>(0).size() == 0);
}

TEST_CASE("arange stops before its end") {
  CHECK(values(arange<int>(4)) == Doubles{0, 1, 2, 3});
  CHECK(values(arange<int>(5, -4, -3)) == Doubles{5, 2, -1});
  CHECK(values(arange<std::uint8_t>(250, 255, 2)) == Doubles{250, 252, 254});
  CHECK(arange<int>(3, 3).size() == 0);
  CHECK(arange<int>(3, 0).size() == 0);
  CHECK(values(arange<float>(0.0f, 1.0f, 0.25f)) == Doubles{0, 0.25, 0.5, 0.75});
  CHECK(values(arange<float16>(float16(2.0f), float16(0.0f), float16(-0.5f))) ==
        Doubles{2, 1.5, 1, 0.5});
  const auto whole = arange<std::int8_t>(-128, 127, 100);
  CHECK(values(whole) == Doubles{-128, -28, 72});
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  const auto far = arange<std::int64_t>(lowest, highest, highest);
  CHECK(far.size() == 3);
  CHECK(far(2) == highest - 1);
  CHECK(arange<std::int64_t>(highest, lowest, lowest).size() == 2);
  CHECK_THROWS_AS((void)arange<int>(0, 1, 0), argument_error);
  CHECK_THROWS_AS((void)arange<double>(0, std::numeric_limits<double>::infinity()), argument_error);
  CHECK_THROWS_AS((void)arange<double>(0, std::nan("")), argument_error);
  CHECK_THROWS_AS((void)arange<std::int64_t>(lowest, highest), argument_error);
}

TEST_CASE("linspace includes both ends exactly") {
  CHECK(values(linspace<double>(0, 1, 5)) == Doubles{0, 0.25, 0.5, 0.75, 1});
  CHECK(values(linspace<float>(3, 3, 1)) == Doubles{3});
  CHECK(linspace<float>(0, 1, 0).size() == 0);
  const auto t = linspace<double>(0.1, 0.7, 50);
  CHECK(t(0) == 0.1);
  CHECK(t(49) == 0.7);
}

TEST_CASE("the random bits are those of the published generator") {
  // The authors' known answer for zeros, and one of an independent implementation that reproduces
  // all three of their known answers.
  CHECK(detail::philox(0, 0).a == 0xe169c58d6627e8d5u);
  CHECK(detail::philox(0, 0).b == 0x9b00dbd8bc57ac4cu);
  CHECK(detail::philox(0x299f31d0a4093822u, 0x85a308d3243f6a88u).a == 0xb5a3d762e69c9c31u);
  CHECK(detail::philox(0x299f31d0a4093822u, 0x85a308d3243f6a88u).b == 0x341a787ce733bfc1u);
}

TEST_CASE("a random element depends on the seed and its position only") {
  const auto a = random_uniform<float, 2>({10, 10}, 5);
  const auto b = random_uniform<float, 1>({37}, 5);
  bool equal = true;
  for (std::int64_t i = 0; i < 37; ++i) equal = equal && flatten(a)(i) == b(i);
  CHECK(equal);
  CHECK(random_uniform<double, 1>({1}, 5)(0) != random_uniform<double, 1>({1}, 6)(0));
}

TEST_CASE("random numbers have the moments and the range that they should have") {
  constexpr std::int64_t n = 200000;
  const auto moments = [](const auto& t) {
    double sum = 0;
    double squares = 0;
    for (std::int64_t i = 0; i < t.size(); ++i) {
      const double x = cast_value<double>(t(i));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / static_cast<double>(t.size());
    return std::pair{mean, squares / static_cast<double>(t.size()) - mean * mean};
  };
  const auto [mean, variance] = moments(random_uniform<double, 1>({n}, 1));
  CHECK(mean == doctest::Approx(0.5).epsilon(0.005));
  CHECK(variance == doctest::Approx(1.0 / 12).epsilon(0.01));
  const auto [normal_mean, normal_variance] = moments(random_normal<float, 1>({n}, 2, 3.0, 2.0));
  CHECK(normal_mean == doctest::Approx(3.0).epsilon(0.005));
  CHECK(normal_variance == doctest::Approx(4.0).epsilon(0.02));
  bool inside = true;
  const auto half = random_uniform<float16, 1>({n}, 3);
  const auto brain = random_uniform<bfloat16, 1>({n}, 3);
  const auto single = random_uniform<float, 1>({n}, 3);
  for (std::int64_t i = 0; i < n; ++i) {
    for (const float x : {cast_value<float>(half(i)), cast_value<float>(brain(i)), single(i)}) {
      inside = inside && x >= 0 && x < 1;
    }
  }
  CHECK(inside);
}

TEST_CASE("random integers are equally likely and stay in their range") {
  std::int64_t counts[7] = {};
  const auto t = random_integers<std::int8_t, 1>({70000}, 9, -3, 4);
  for (std::int64_t i = 0; i < t.size(); ++i) ++counts[t(i) + 3];
  for (const std::int64_t c : counts) CHECK(std::abs(static_cast<double>(c) - 10000) < 500);
  CHECK(random_integers<bool, 1>({5}, 1, 1, 2)(3));
  CHECK_THROWS_AS(((void)random_integers<std::uint8_t, 1>({5}, 1, 0, 257)), argument_error);
  CHECK_THROWS_AS(((void)random_integers<std::uint8_t, 1>({5}, 1, -1, 2)), argument_error);
  CHECK_THROWS_AS(((void)random_integers<int, 1>({5}, 1, 2, 2)), argument_error);
  CHECK_THROWS_AS(((void)random_uniform<float, 1>({5}, 1, 2.0, 1.0)), argument_error);
  CHECK_THROWS_AS(((void)random_normal<float, 1>({5}, 1, 0.0, -1.0)), argument_error);
}
