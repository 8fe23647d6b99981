// SPDX-License-Identifier: Apache-2.0
#include "situ/simd/math.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "situ/simd/load.hpp"

namespace {

namespace simd = situ::simd;
constexpr int N = simd::native_lanes;

// Distance of a result from the true value in units of the last place of that value.
template <class T>
double ulps(T got, long double want) {
  const T rounded = static_cast<T>(want);
  if (std::isnan(got) || std::isnan(rounded))
    return std::isnan(got) == std::isnan(rounded) ? 0 : 1e9;
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded)) return 1e9;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const int digits = std::numeric_limits<T>::digits;
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  const long double unit = std::ldexp(1.0L, exponent - digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / unit);
}

// Inputs whose bits do not depend on how the compiler contracts a * b + c.
template <class T>
std::vector<T> sweep(double low, double high, bool logarithmic) {
  std::vector<T> xs;
  const int steps = 40000;
  for (int i = 0; i <= steps; ++i) {
    const volatile double part = (high - low) * (i / static_cast<double>(steps));
    const volatile double x = low + part;
    xs.push_back(static_cast<T>(logarithmic ? std::pow(10.0, x) : static_cast<double>(x)));
  }
  while (xs.size() % static_cast<std::size_t>(N) != 0) xs.push_back(xs.back());
  return xs;
}

template <class T, class F, class G>
void check(const std::string& name, F f, G reference, double bound, double low, double high,
           bool logarithmic = false) {
  INFO(name);
  double worst = 0;
  const auto xs = sweep<T>(low, high, logarithmic);
  for (std::size_t i = 0; i < xs.size(); i += static_cast<std::size_t>(N)) {
    const auto pack = f(simd::load<N>(&xs[i]));
    for (int l = 0; l < N; ++l) {
      const T x = xs[i + static_cast<std::size_t>(l)];
      const T scalar = f(x);
      const T lane = simd::lane(pack, l);
      CHECK_MESSAGE((std::memcmp(&scalar, &lane, sizeof(T)) == 0), name, " of ", x,
                    " differs between a scalar and a lane: ", scalar, " ", lane);
      worst = std::max(worst, ulps<T>(lane, reference(static_cast<long double>(x))));
    }
  }
  CHECK(worst <= bound);
}

// The bounds are those that math.hpp promises.
template <class T>
void check_all() {
  const bool wide = sizeof(T) == 8;
  const double exp_high = wide ? 709.7 : 88.7;
  const double exp_low = wide ? -745.0 : -103.9;
  const double tiny = wide ? -307.0 : -37.0;
  using Real = long double;
  const auto exp = [](auto x) { return simd::exp(x); };
  const auto exp2 = [](auto x) { return simd::exp2(x); };
  const auto expm1 = [](auto x) { return simd::expm1(x); };
  const auto log = [](auto x) { return simd::log(x); };
  const auto log1p = [](auto x) { return simd::log1p(x); };
  const auto log2 = [](auto x) { return simd::log2(x); };
  const auto log10 = [](auto x) { return simd::log10(x); };
  const auto tanh = [](auto x) { return simd::tanh(x); };
  const auto sigmoid = [](auto x) { return simd::sigmoid(x); };
  const auto softplus = [](auto x) { return simd::softplus(x); };
  const auto true_exp = [](Real x) { return std::exp(x); };
  const auto true_exp2 = [](Real x) { return std::exp2(x); };
  const auto true_expm1 = [](Real x) { return std::expm1(x); };
  const auto true_log = [](Real x) { return std::log(x); };
  const auto true_log1p = [](Real x) { return std::log1p(x); };
  const auto true_tanh = [](Real x) { return std::tanh(x); };
  const auto true_sigmoid = [](Real x) { return 1 / (1 + std::exp(-x)); };
  const auto true_softplus = [](Real x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  };
  check<T>("exp", exp, true_exp, 1.05, exp_low, exp_high);
  check<T>("exp near 0", exp, true_exp, 1.05, -1, 1);
  check<T>("exp2", exp2, true_exp2, 1.05, exp_low * 1.4, exp_high * 1.4);
  check<T>("expm1", expm1, true_expm1, 2.0, -50, exp_high);
  check<T>("expm1 next to 0", expm1, true_expm1, 2.0, -2, 2);
  check<T>("expm1 of small numbers", expm1, true_expm1, 2.0, tiny, 0, true);
  check<T>("log", log, true_log, 1.05, tiny * 1.04, -tiny, true);
  check<T>("log next to 1", log, true_log, 1.05, 0.4, 2.2);
  check<T>("log1p", log1p, true_log1p, 1.5, -0.9999, 3);
  check<T>("log1p of small and large numbers", log1p, true_log1p, 1.5, tiny, -tiny, true);
  check<T>(
      "log2", log2, [](Real x) { return std::log2(x); }, 2.0, tiny, -tiny, true);
  check<T>(
      "log10", log10, [](Real x) { return std::log10(x); }, 2.1, tiny, -tiny, true);
  check<T>("tanh", tanh, true_tanh, 2.5, -25, 25);
  check<T>("tanh next to 0", tanh, true_tanh, 2.5, -0.7, 0.7);
  check<T>("sigmoid", sigmoid, true_sigmoid, 2.5, exp_low * 0.8, 40);
  check<T>("softplus", softplus, true_softplus, 2.0, exp_low * 0.8, 80);
}

}  // namespace

TEST_CASE("float functions keep their error bounds, and scalars and lanes agree in every bit") {
  check_all<float>();
}
TEST_CASE("double functions keep their error bounds, and scalars and lanes agree in every bit") {
  check_all<double>();
}

TEST_CASE_TEMPLATE("special values are right", T, float, double) {
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T tiny = std::numeric_limits<T>::denorm_min();
  const T huge = std::numeric_limits<T>::max();
  CHECK(simd::exp(T(0)) == 1);
  CHECK(simd::exp(inf) == inf);
  CHECK(simd::exp(-inf) == 0);
  CHECK(simd::exp(huge) == inf);
  CHECK(simd::log(T(0)) == -inf);
  CHECK(simd::log(T(-0.0)) == -inf);
  CHECK(simd::log(T(1)) == 0);
  CHECK(simd::log(inf) == inf);
  CHECK(std::isnan(simd::log(T(-1))));
  CHECK(ulps<T>(simd::log(tiny), std::log(static_cast<long double>(tiny))) <= 1);
  CHECK(simd::log1p(T(-1)) == -inf);
  CHECK(simd::log1p(tiny) == tiny);
  CHECK(std::signbit(simd::log1p(T(-0.0))));
  CHECK(simd::expm1(-inf) == -1);
  CHECK(std::signbit(simd::expm1(T(-0.0))));
  CHECK(simd::tanh(inf) == 1);
  CHECK(simd::tanh(-inf) == -1);
  CHECK(std::signbit(simd::tanh(T(-0.0))));
  CHECK(simd::sigmoid(-inf) == 0);
  CHECK(simd::sigmoid(inf) == 1);
  CHECK(simd::softplus(inf) == inf);
  CHECK(simd::softplus(-inf) == 0);
  CHECK(simd::exp(-huge) == 0);
  CHECK(simd::exp2(T(-1)) == T(0.5));
  CHECK(simd::exp2(inf) == inf);
  CHECK(std::isnan(simd::log(-inf)));
  CHECK(std::isnan(simd::log(-tiny)));
  CHECK(simd::log1p(inf) == inf);
  CHECK(std::isnan(simd::log1p(T(-1.5))));
  CHECK(std::isnan(simd::log1p(-inf)));
  CHECK(simd::expm1(huge) == inf);
  CHECK(simd::expm1(tiny) == tiny);
  for (const T x : {simd::exp(nan), simd::log(nan), simd::log1p(nan), simd::expm1(nan),
                    simd::tanh(nan), simd::sigmoid(nan), simd::softplus(nan), simd::exp2(nan)}) {
    CHECK(std::isnan(x));
  }
}

TEST_CASE_TEMPLATE("lanes treat special values as scalars do", T, float, double) {
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T tiny = std::numeric_limits<T>::denorm_min();
  const T huge = std::numeric_limits<T>::max();
  const T edge = std::numeric_limits<T>::min();
  for (const T x : {T(0), T(-0.0), T(1), T(-1), inf, -inf, nan, tiny, -tiny, edge, -edge, huge,
                    -huge, T(-2), T(-1e-3), edge / 2}) {
    CAPTURE(x);
    const auto check_one = [x](auto f) {
      const auto pack = f(simd::broadcast<N>(x));
      const T scalar = f(x);
      for (int l = 0; l < N; ++l) {
        const T lane = simd::lane(pack, l);
        CHECK((std::memcmp(&scalar, &lane, sizeof(T)) == 0 ||
               (std::isnan(scalar) && std::isnan(lane))));
      }
    };
    check_one([](auto v) { return simd::exp(v); });
    check_one([](auto v) { return simd::exp2(v); });
    check_one([](auto v) { return simd::expm1(v); });
    check_one([](auto v) { return simd::log(v); });
    check_one([](auto v) { return simd::log1p(v); });
    check_one([](auto v) { return simd::log2(v); });
    check_one([](auto v) { return simd::tanh(v); });
    check_one([](auto v) { return simd::sigmoid(v); });
    check_one([](auto v) { return simd::softplus(v); });
    check_one([](auto v) { return simd::sqrt(v); });
    check_one([](auto v) { return simd::pow(v, v); });
  }
}
