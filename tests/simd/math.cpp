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
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) == std::isnan(rounded) ? 0 : 1e9;
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

template <class T>
void check_all() {
  const bool wide = sizeof(T) == 8;
  const double exp_high = wide ? 709.7 : 88.7;
  const double exp_low = wide ? -745.0 : -103.9;
  const double tiny = wide ? -307.0 : -37.0;
  check<T>("exp", [](auto x) { return simd::exp(x); }, [](long double x) { return std::exp(x); }, 1.0,
           exp_low, exp_high);
  check<T>("exp near 0", [](auto x) { return simd::exp(x); }, [](long double x) { return std::exp(x); },
           1.0, -1, 1);
  check<T>("exp2", [](auto x) { return simd::exp2(x); }, [](long double x) { return std::exp2(x); }, 1.1,
           exp_low * 1.4, exp_high * 1.4);
  check<T>("expm1", [](auto x) { return simd::expm1(x); }, [](long double x) { return std::expm1(x); },
           2.0, -50, exp_high);
  check<T>("expm1 near 0", [](auto x) { return simd::expm1(x); },
           [](long double x) { return std::expm1(x); }, 2.0, tiny, 0, true);
  check<T>("log", [](auto x) { return simd::log(x); }, [](long double x) { return std::log(x); }, 1.0,
           tiny * 1.04, -tiny, true);
  check<T>("log near 1", [](auto x) { return simd::log(x); }, [](long double x) { return std::log(x); },
           1.0, 0.4, 2.2);
  check<T>("log1p", [](auto x) { return simd::log1p(x); }, [](long double x) { return std::log1p(x); },
           1.5, -0.9999, 3);
  check<T>("log1p of small and large", [](auto x) { return simd::log1p(x); },
           [](long double x) { return std::log1p(x); }, 1.5, tiny, -tiny, true);
  check<T>("log2", [](auto x) { return simd::log2(x); }, [](long double x) { return std::log2(x); }, 2.5,
           tiny, -tiny, true);
  check<T>("log10", [](auto x) { return simd::log10(x); }, [](long double x) { return std::log10(x); },
           2.5, tiny, -tiny, true);
  check<T>("tanh", [](auto x) { return simd::tanh(x); }, [](long double x) { return std::tanh(x); }, 2.5,
           -25, 25);
  check<T>("sigmoid", [](auto x) { return simd::sigmoid(x); },
           [](long double x) { return 1 / (1 + std::exp(-x)); }, 2.5, exp_low * 0.8, 40);
  check<T>("softplus", [](auto x) { return simd::softplus(x); },
           [](long double x) {
             return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
           },
           2.5, exp_low * 0.8, 80);
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
  for (const T x : {simd::exp(nan), simd::log(nan), simd::log1p(nan), simd::expm1(nan), simd::tanh(nan),
                    simd::sigmoid(nan), simd::softplus(nan), simd::exp2(nan)}) {
    CHECK(std::isnan(x));
  }
}
