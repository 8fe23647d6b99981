// SPDX-License-Identifier: Apache-2.0
// Integers at the ends of their types: no error, weight or count of cells may overflow on the way.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "situ/metrics/accuracy.hpp"
#include "situ/metrics/confusion.hpp"
#include "situ/metrics/mean.hpp"
#include "situ/metrics/regression.hpp"
#include "situ/metrics/relative_errors.hpp"

using namespace situ;

namespace {

template <class T>
std::vector<T> extremes() {
  const T low = std::numeric_limits<T>::min();
  const T high = std::numeric_limits<T>::max();
  return {low, high, low, high, T{0}, T{1}, high, low, T{100}};
}

// Predictions are the targets backwards, so that the ends of the type meet.
template <class T>
void check_errors() {
  CAPTURE(sizeof(T));
  const std::vector<T> y = extremes<T>();
  const std::vector<T> p(y.rbegin(), y.rend());
  double squares = 0;
  double sizes = 0;
  double errors = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double e = static_cast<double>(y[i]) - static_cast<double>(p[i]);
    squares += e * e;
    errors += std::abs(e);
    sizes += std::abs(static_cast<double>(y[i]));
  }
  const auto rows = static_cast<double>(y.size());
  auto m = collect<Host>(MeanSquaredError{}, MeanAbsoluteError{}, WeightedMAPE{},
                         PSNR{.data_range = 1}, Huber{}, Quantile{.quantile = 0.5});
  m.update_state(View<const T, 1, Host>(y), View<const T, 1, Host>(p));
  CHECK(m.template result<MeanSquaredError>() == doctest::Approx(squares / rows).epsilon(1e-14));
  CHECK(m.template result<MeanAbsoluteError>() == doctest::Approx(errors / rows).epsilon(1e-14));
  CHECK(m.template result<WeightedMAPE>() == doctest::Approx(errors / sizes).epsilon(1e-14));
  CHECK(m.template result<PSNR>() ==
        doctest::Approx(-10 * std::log10(squares / rows)).epsilon(1e-14));
  CHECK(m.template result<Quantile>() == doctest::Approx(errors / rows / 2).epsilon(1e-14));
}

}  // namespace

TEST_CASE("errors of integers do not overflow") {
  check_errors<std::int8_t>();
  check_errors<std::uint8_t>();
  check_errors<std::int16_t>();
  check_errors<std::uint16_t>();
  check_errors<std::int32_t>();
  check_errors<std::uint32_t>();
  check_errors<std::int64_t>();
  check_errors<std::uint64_t>();
}

TEST_CASE("integer weights of integers are multiplied where the product fits") {
  const std::vector<std::int32_t> x{2'000'000'000, -2'000'000'000, 2'000'000'000};
  const std::vector<std::int32_t> w{2'000'000'000, 1'000'000'000, 0};
  auto m = collect<Host>(Mean{}, Sum{});
  m.update_state(View<const std::int32_t, 1, Host>(x), View<const std::int32_t, 1, Host>(w));
  CHECK(m.result<Sum>() == 2e18);
  CHECK(m.result<Mean>() == 2e18 / 3e9);
  const std::vector<std::int64_t> large{4'000'000'000'000};
  const std::vector<std::int64_t> heavy{8'000'000'000'000};
  auto sum = collect<Host>(Sum{});
  sum.update_state(View<const std::int64_t, 1, Host>(large),
                   View<const std::int64_t, 1, Host>(heavy));
  CHECK(sum.result() == 4e12 * 8e12);
  const std::vector<std::int32_t> rows_weight{2'000'000'000};
  const std::vector<float> matrix{1, 2, 3, 4};
  auto mean = collect<Host>(Mean{});
  mean.update_state(View<const float, 2, Host>(matrix.data(), {{1, 4}}),
                    View<const std::int32_t, 1, Host>(rows_weight));
  CHECK(mean.result() == 2.5);
}

TEST_CASE("a table of classes with too many cells is refused before its index overflows") {
  const std::vector<std::int32_t> label{65536};
  const std::vector<float> scores(70'000);
  Metric<ConfusionMatrix, Host> m;
  CHECK_THROWS_WITH_AS(
      m.update_state(View<const std::int32_t, 1, Host>(label),
                     View<const float, 2, Host>(scores.data(), {{1, 70'000}})),
      "situ: a histogram or table of classes would have 4900000000 cells; ask for at "
      "least one and at most 2147483647",
      argument_error);
  CHECK_THROWS_AS((Metric<ConfusionMatrix, Host>{{.num_classes = 100'000}}), argument_error);
  CHECK_THROWS_AS((Metric<ConfusionMatrix, Host>{{.num_classes = -1}}), argument_error);
}
