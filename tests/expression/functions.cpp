// SPDX-License-Identifier: Apache-2.0
// Every elementwise function of every element type, against the standard library in double.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "situ/situ.hpp"

using namespace situ;

namespace {

// 37 values: whole vectors of lanes and a rest. 64-bit integers stay where double is exact.
template <class T>
Tensor<T, 1, Host> values() {
  std::vector<double> xs{0, 1, 2, 3, 7, 10, 100, 1, 0};
  if constexpr (floating_element<T>) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double x : {-0.0, 0.5, 1.5, 2.5, 0.001, 0.75, 80.0, infinity, std::nan("")})
      for (const double y : {x, -x}) xs.push_back(y);
  } else if constexpr (!std::is_same_v<T, bool>) {
    const auto most = std::min(static_cast<double>(std::numeric_limits<T>::max()), 4294967295.0);
    for (const double x : {most, most - 1, 64.0}) xs.push_back(x);
    if constexpr (std::is_signed_v<T>) {
      for (const double x : {-1.0, -2.0, -100.0, -most}) xs.push_back(x);
    }
  }
  auto result = zeros<T, 1>({{37}});
  for (std::int64_t i = 0; i < 37; ++i)
    result(i) = cast_value<T>(xs[static_cast<std::size_t>(i) % xs.size()]);
  return result;
}

// Within `ulps` roundings of R, or the same integer, infinity or NaN.
template <class R>
bool near(R got, double want, double ulps) {
  if constexpr (std::is_same_v<R, bool>) {
    return got == (want != 0);
  } else if constexpr (!std::is_floating_point_v<R>) {
    return static_cast<double>(got) == want;
  } else {
    if (std::isnan(want)) return std::isnan(got);
    const R rounded = static_cast<R>(want);
    if (got == rounded) return true;
    const double epsilon = static_cast<double>(std::numeric_limits<R>::epsilon());
    return std::abs(static_cast<double>(got) - want) <= ulps * epsilon * std::abs(want);
  }
}

template <class T, class F, class G>
void compare(const char* name, double ulps, F f, G reference) {
  const auto x = values<T>();
  const auto y = evaluate_now(f(x));
  CAPTURE(name);
  CAPTURE(std::string(dtype_name<T>()));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double at = static_cast<double>(x(i));
    CAPTURE(at);
    CAPTURE(static_cast<double>(y(i)));
    CAPTURE(static_cast<double>(reference(at)));
    CHECK(near(y(i), static_cast<double>(reference(at)), ulps));
  }
}

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double softplus_of(double x) { return x > 40 ? x : std::log1p(std::exp(x)); }

}  // namespace

#define ALL_TYPES                                                                                 \
  float, double, float16, bfloat16, bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, \
      std::int32_t, std::uint32_t, std::int64_t, std::uint64_t
#define COMPARE(name, ulps, reference) \
  compare<T>(                          \
      #name, ulps, [](const auto& x) { return name(x); }, [](double x) { return reference; })

TEST_CASE_TEMPLATE("functions of real numbers", T, double, float16, bool, std::uint8_t,
                   std::int64_t) {
  COMPARE(sqrt, 0, std::sqrt(x));
  COMPARE(exp, 2, std::exp(x));
  COMPARE(exp2, 2, std::exp2(x));
  COMPARE(expm1, 2, std::expm1(x));
  COMPARE(log, 2, std::log(x));
  COMPARE(log2, 2, std::log2(x));
  COMPARE(log10, 2, std::log10(x));
  COMPARE(log1p, 2, std::log1p(x));
  COMPARE(tanh, 2, std::tanh(x));
  COMPARE(sigmoid, 2, sigmoid_of(x));
  COMPARE(softplus, 2, softplus_of(x));
  COMPARE(floor, 0, std::floor(x));
  COMPARE(ceil, 0, std::ceil(x));
  COMPARE(trunc, 0, std::trunc(x));
  COMPARE(round, 0, std::nearbyint(x));
  COMPARE(isnan, 0, std::isnan(x));
  COMPARE(isinf, 0, std::isinf(x));
  COMPARE(isfinite, 0, std::isfinite(x));
  COMPARE(logical_not, 0, x == 0);
}

TEST_CASE_TEMPLATE("functions that keep the type", T, ALL_TYPES) {
  COMPARE(abs, 0, std::abs(x));
  COMPARE(sign, 0, std::isnan(x) ? x : (x > 0) - (x < 0));
  COMPARE(relu, 0, std::isnan(x) ? x : std::max(x, 0.0));
}
