// SPDX-License-Identifier: Apache-2.0
// Rules of correlations, extremes, variances and probabilistic scores.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "situ/metrics/aggregate.hpp"
#include "situ/metrics/correlation.hpp"
#include "situ/metrics/probabilistic.hpp"

namespace {

using namespace situ;
using Doubles = Tensor<double, 1, Host>;
using Table = Tensor<float, 2, Host>;
using Labels = Tensor<std::int32_t, 1, Host>;

double score(auto metric, const auto&... data) {
  Metric<decltype(metric), Host> m(metric);
  m.update_state(data...);
  return m.result();
}
double empty(auto metric) { return Metric<decltype(metric), Host>(metric).result(); }
bool refused(auto metric) {
  try {
    Metric<decltype(metric), Host> m(metric);
  } catch (const argument_error& e) {
    return std::string(e.what()).starts_with("situ: ");
  }
  return false;
}
doctest::Approx near(double x) { return doctest::Approx(x).epsilon(1e-6); }
const double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("correlations of a few numbers are those computed by hand") {
  const Doubles y{1, 2, 3, 4};
  const Doubles p{2, 1, 4, 3};
  CHECK(score(Correlation{}, y, p) == near(0.6));
  CHECK(score(Covariance{.ddof = 0}, y, p) == near(0.75));
  CHECK(score(Covariance{.ddof = 1}, y, p) == near(1));
  CHECK(score(Concordance{}, y, p) == near(0.6));
  CHECK(score(Concordance{}, y, Doubles{2, 3, 4, 5}) == near(2.5 / 3.5));
  CHECK(score(Variance{.ddof = 0}, y) == near(1.25));
  CHECK(score(Variance{.ddof = 1}, y) == near(5.0 / 3));
  CHECK(score(ExplainedVariance{}, y, Doubles{2, 3, 4, 5}) == 1);
  CHECK(score(RelativeSquaredError{}, y, p) == near(0.8));
  CHECK(score(RelativeSquaredError{.root = true}, y, p) == near(std::sqrt(0.8)));
  const Table a{{1, 2, 3, 4}, {1, 0, 0, 0}};
  const Table b{{2, 1, 4, 3}, {0, 2, 0, 0}};
  CHECK(score(PearsonCorrelation{}, a, b) == near((0.6 - 1.0 / 3) / 2));
  CHECK(score(CosineSimilarity{}, a, b) == near(28.0 / 30 / 2));
}

TEST_CASE("constant rows and rows of zeros follow the policy of undefined ratios") {
  const Table zero{{0, 0, 0}, {1, 1, 1}};
  const Table other{{1, 2, 3}, {1, 2, 3}};
  CHECK(score(CosineSimilarity{}, zero, other) == near(6 / std::sqrt(42.0) / 2));
  CHECK(score(CosineSimilarity{.undefined = undefined::one}, zero, other) ==
        near((1 + 6 / std::sqrt(42.0)) / 2));
  CHECK(score(PearsonCorrelation{}, zero, other) == 0);
  CHECK(score(PearsonCorrelation{.undefined = undefined::one}, zero, other) == 1);
  CHECK(std::isnan(score(PearsonCorrelation{.undefined = undefined::nan}, zero, other)));
  CHECK(score(ConcordanceCorrelation{.undefined = undefined::one}, zero, zero) == 1);
  const Doubles flat{2, 2, 2};
  const Doubles steep{1, 2, 4};
  CHECK(std::isnan(score(Correlation{}, flat, steep)));
  CHECK(score(Correlation{.undefined = undefined::zero}, flat, steep) == 0);
  CHECK(score(Concordance{}, flat, steep) == 0);
  CHECK(std::isnan(score(Concordance{}, flat, flat)));
  CHECK(score(ExplainedVariance{}, flat, steep) == 0);
  CHECK(score(ExplainedVariance{}, flat, flat) == 1);
  CHECK(score(RelativeSquaredError{.undefined = undefined::one}, flat, steep) == 1);
}

TEST_CASE("without rows every score is what the policy says") {
  CHECK(empty(CosineSimilarity{}) == 0);
  CHECK(empty(CosineSimilarity{.undefined = undefined::one}) == 1);
  CHECK(std::isnan(empty(Correlation{})));
  CHECK(std::isnan(empty(Concordance{})));
  CHECK(std::isnan(empty(MinMetric{})));
  CHECK(empty(MaxMetric{.undefined = undefined::zero}) == 0);
  CHECK(std::isnan(empty(Variance{.ddof = 0})));
  CHECK(std::isnan(empty(Covariance{.ddof = 1})));
  CHECK(empty(BrierScore{.undefined = undefined::one}) == 1);
  CHECK(empty(LogLoss{}) == 0);
  CHECK(std::isnan(score(Variance{.ddof = 1}, Doubles{3})));
  CHECK(score(Variance{.ddof = 0}, Doubles{3}) == 0);
}

TEST_CASE("the divisor of a variance must be named") {
  CHECK(refused(Variance{}));
  CHECK(refused(Covariance{}));
  CHECK_FALSE(refused(Variance{.ddof = 0}));
  CHECK(refused(LogLoss{.epsilon = -1}));
  CHECK(refused(LogLoss{.epsilon = 0.5}));
}

TEST_CASE("a row of weight 0 is neither an extreme nor part of a moment, also when it is NaN") {
  const Doubles y{1, missing, 3, 100, 2};
  const Doubles p{2, 1, 5, missing, 3};
  const Doubles w{1, 0, 2, 0, 1};
  const Doubles y3{1, 3, 3, 2};
  const Doubles p3{2, 5, 5, 3};
  CHECK(score(MinMetric{}, y, w) == 1);
  CHECK(score(MaxMetric{}, y, w) == 3);
  CHECK(score(Variance{.ddof = 0}, y, w) == near(score(Variance{.ddof = 0}, y3)));
  CHECK(score(Covariance{.ddof = 1}, y, p, w) == near(score(Covariance{.ddof = 1}, y3, p3)));
  CHECK(score(Correlation{}, y, p, w) == near(score(Correlation{}, y3, p3)));
  CHECK(score(Concordance{}, y, p, w) == near(score(Concordance{}, y3, p3)));
  CHECK(score(ExplainedVariance{}, y, p, w) == near(score(ExplainedVariance{}, y3, p3)));
  CHECK(score(RelativeSquaredError{}, y, p, w) == near(score(RelativeSquaredError{}, y3, p3)));
  CHECK(std::isnan(score(MinMetric{}, y)));
  CHECK(std::isnan(score(MaxMetric{}, y)));
}

TEST_CASE("correlation of large numbers is that of numbers without their mean") {
  std::vector<double> small_y, small_p, large_y, large_p;
  for (int i = 0; i < 3000; ++i) {
    small_y.push_back((i * 37 % 101) / 128.0);
    small_p.push_back((i * 37 % 101 + i * 53 % 89) / 128.0);
    large_y.push_back(1e8 + small_y.back());
    large_p.push_back(1e8 + small_p.back());
  }
  const auto view = [](const std::vector<double>& x) { return View<const double, 1, Host>(x); };
  const auto tolerant = [](double x) { return doctest::Approx(x).epsilon(1e-13); };
  CHECK(score(Correlation{}, view(large_y), view(large_p)) ==
        tolerant(score(Correlation{}, view(small_y), view(small_p))));
  // float64 numbers around 1e8 have steps of 1.5e-8: the gap of the means, 0.3, needs finer means.
  CHECK(score(Concordance{}, view(large_y), view(large_p)) ==
        tolerant(score(Concordance{}, view(small_y), view(small_p))));
  CHECK(score(Variance{.ddof = 1}, view(large_y)) ==
        tolerant(score(Variance{.ddof = 1}, view(small_y))));
  // Two passes in float64 over the numbers without their mean.
  double my = 0, mp = 0, yy = 0, pp = 0, yp = 0;
  for (std::size_t i = 0; i < 3000; ++i) my += small_y[i] / 3000, mp += small_p[i] / 3000;
  for (std::size_t i = 0; i < 3000; ++i) {
    yy += (small_y[i] - my) * (small_y[i] - my);
    pp += (small_p[i] - mp) * (small_p[i] - mp);
    yp += (small_y[i] - my) * (small_p[i] - mp);
  }
  CHECK(score(Correlation{}, view(large_y), view(large_p)) == tolerant(yp / std::sqrt(yy * pp)));
  CHECK(score(Covariance{.ddof = 1}, view(large_y), view(large_p)) == tolerant(yp / 2999));
  // In 64 parts that are merged.
  Metric<Variance, Host> whole{{.ddof = 0}};
  Metric<Concordance, Host> all_parts;
  for (std::int64_t part = 0; part < 64; ++part) {
    const std::int64_t first = 3000 * part / 64;
    const std::int64_t last = 3000 * (part + 1) / 64;
    Metric<Variance, Host> one{{.ddof = 0}};
    Metric<Concordance, Host> two;
    one.update_state(view(large_y).slice(0, first, last));
    two.update_state(view(large_y).slice(0, first, last), view(large_p).slice(0, first, last));
    whole.merge_state(one);
    all_parts.merge_state(two);
  }
  CHECK(whole.result() == tolerant(yy / 3000));
  CHECK(all_parts.result() == tolerant(score(Concordance{}, view(small_y), view(small_p))));
}

TEST_CASE("equal numbers have no deviation, also where its square would overflow") {
  const double huge = 1e300;
  CHECK(score(Variance{.ddof = 0}, View<const double, 1, Host>(&huge, {{1}})) == 0);
  const std::vector<double> same(100, 1e300);
  CHECK(score(Variance{.ddof = 0}, View<const double, 1, Host>(same)) == 0);
}

TEST_CASE("likeness never leaves [-1, 1]") {
  for (int i = 1; i < 400; ++i) {
    const auto x = static_cast<float>(i) / 7;
    const Table a{{x, 3 * x, 0.1f * x, x - 5}};
    const Table b{{7 * x, 21 * x, 0.7f * x, 7 * x - 35}};
    for (const double s : {score(CosineSimilarity{}, a, b), score(PearsonCorrelation{}, a, b)}) {
      CHECK(s <= 1);
      CHECK(s > 0.999999);
    }
    CHECK(score(CosineSimilarity{}, a, a) <= 1);
  }
}

TEST_CASE("probabilistic scores of a few numbers are those computed by hand") {
  const Doubles p{0.25, 0.75, 0.5};
  CHECK(score(BrierScore{}, Labels{0, 1, 1}, p) == near(0.375 / 3));
  CHECK(score(LogLoss{}, Labels{0, 1, 1}, p) == near(-(2 * std::log(0.75) + std::log(0.5)) / 3));
  const Table q{{0.5f, 0.25f, 0.25f}, {0, 0, 1}};
  CHECK(score(BrierScore{}, Labels{0, 1}, q) == near((0.375 + 2) / 2));
  CHECK(std::isinf(score(LogLoss{}, Labels{0, 1}, q)));
  CHECK(score(LogLoss{.epsilon = 0.125}, Labels{0, 2}, q) ==
        near(-(std::log(0.5) + std::log(0.875)) / 2));
  CHECK_THROWS_AS((void)score(BrierScore{}, Labels{1}, Doubles{1.5}), value_error);
}
