// SPDX-License-Identifier: Apache-2.0
// One collection of every family of metrics: a device says what the host says.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <situ/situ.hpp>

namespace {

using namespace situ;
using D = Cuda<0>;

constexpr std::int64_t rows = 3001;
constexpr std::int64_t classes = 7;

// Numbers of a result, whatever it is made of.
void flatten_into(std::vector<double>& to, double x) { to.push_back(x); }
void flatten_into(std::vector<double>& to, const ClassScores& scores) {
  for (const double x : scores) to.push_back(x);
}
void flatten_into(std::vector<double>& to, const Tensor<double, 2, Host>& t) {
  to.insert(to.end(), t.data(), t.data() + t.size());
}
template <class... Ts>
std::vector<double> numbers(const std::tuple<Ts...>& values) {
  std::vector<double> all;
  std::apply([&](const auto&... x) { (flatten_into(all, x), ...); }, values);
  return all;
}
template <class A, class B>
void check_same(const A& here, const B& there, double tolerance) {
  const auto want = numbers(here.result());
  const auto got = numbers(there.result());
  REQUIRE(got.size() == want.size());
  const auto names = here.names();
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i] - want[i]) <= tolerance * std::max(1.0, std::abs(want[i])));
    CHECK(std::isfinite(want[i]));
  }
}
// The same metrics on the host and on the device, updated with and without weights.
template <class Y, class P, class... Ms>
void compare(double tolerance, const Y& y, const P& p, const Ms&... metrics) {
  auto here = collect<Host>(metrics...);
  auto there = collect<D>(metrics...);
  const auto w = random_uniform<float>(Shape<1>{{y.extent(0)}}, 77);
  const auto dy = to<D>(y);
  const auto dp = to<D>(p);
  here.update_state(y, p);
  there.update_state(dy, dp);
  here.update_state(y, p, w);
  there.update_state(dy, dp, to<D>(w));
  check_same(here, there, tolerance);
}

TEST_CASE("scores of classes") {
  const auto scores = random_uniform<float>(Shape<2>{{rows, classes}}, 1);
  const auto labels = random_integers<std::int32_t>(Shape<1>{{rows}}, 2, 0, classes);
  compare(1e-6, labels, scores, CohenKappa{.weights = KappaWeights::quadratic},
          MatthewsCorrelation{}, BalancedAccuracy{}, JaccardIndex{.average = Average::none},
          DiceScore{.average = Average::micro}, ConfusionMatrix{}, LogLoss{}, BrierScore{},
          Perplexity{.from_logits = true});
}

TEST_CASE("labels beside labels") {
  const auto y = random_integers<std::int64_t>(Shape<1>{{rows}}, 2, 0, classes);
  const auto p = random_integers<std::int64_t>(Shape<1>{{rows}}, 9, 0, classes);
  compare(1e-6, y, p, Accuracy{}, MeanIoU{.num_classes = classes},
          CohenKappa{.num_classes = classes});
  // Scores of clusters take no weights.
  auto here = collect<Host>(RandScore{classes}, AdjustedRandScore{classes}, VMeasure{classes});
  auto there = collect<D>(RandScore{classes}, AdjustedRandScore{classes}, VMeasure{classes});
  here.update_state(y, p);
  there.update_state(to<D>(y), to<D>(p));
  check_same(here, there, 0);
}

TEST_CASE("binary scores and regression errors") {
  const auto p = random_uniform<float>(Shape<1>{{rows}}, 3);
  const Tensor<float, 1, Host> y =
      evaluate_now(cast<float>(random_uniform<float>(Shape<1>{{rows}}, 4) > 0.6f));
  compare(1e-6, y, p, Specificity{}, SensitivityAtSpecificity{.specificity = 0.5}, AUC{},
          CalibrationError{.num_bins = 15}, Hinge{}, LogCoshError{}, Huber{},
          Quantile{.quantile = 0.25}, MeanSquaredLogarithmicError{}, Correlation{}, Concordance{},
          TweedieDeviance{.power = 1.5}, PSNR{.data_range = 1});
}

TEST_CASE("vectors by row and columns of targets") {
  const auto y = random_uniform<double>(Shape<2>{{rows, 5}}, 5);
  const auto p = random_uniform<double>(Shape<2>{{rows, 5}}, 6);
  compare(1e-9, y, p, CosineSimilarity{}, PearsonCorrelation{}, ConcordanceCorrelation{},
          KLDivergence{}, Poisson{}, CategoricalHinge{}, R2Score{}, ExplainedVariance{},
          RelativeSquaredError{}, SymmetricMAPE{}, WeightedMAPE{}, MeanAbsolutePercentageError{});
}

TEST_CASE("a row with a NaN predicts no class") {
  auto scores = random_uniform<float>(Shape<2>{{rows, classes}}, 1);
  for (std::int64_t i = 0; i < rows; i += 5) scores(i, i % classes) = std::nanf("");
  const auto labels = random_integers<std::int32_t>(Shape<1>{{rows}}, 2, 0, classes);
  compare(0, labels, scores, SparseCategoricalAccuracy{}, F1Score{.average = Average::none},
          SparseTopKCategoricalAccuracy{.k = 2});
  auto table = collect<D>(ConfusionMatrix{});
  table.update_state(to<D>(labels), to<D>(scores));
  CHECK_THROWS_AS(table.check(), value_error);
}

TEST_CASE("metrics move between devices with their options and what they have seen") {
  const auto scores = random_uniform<float>(Shape<2>{{rows, classes}}, 1);
  const auto labels = random_integers<std::int32_t>(Shape<1>{{rows}}, 2, 0, classes);
  auto here = collect<Host>(SparseTopKCategoricalAccuracy{.k = 2}, ConfusionMatrix{});
  here.update_state(labels, scores);
  auto there = to<D>(here);
  there.update_state(to<D>(labels), to<D>(scores));
  here.update_state(labels, scores);
  CHECK(to<Host>(there).save() == here.save());
  here.merge_state(to<Host>(there));
  CHECK(here.result<SparseTopKCategoricalAccuracy>() ==
        there.result<SparseTopKCategoricalAccuracy>());
}

TEST_CASE("false is below true") {
  const Tensor<bool, 1, Host> a{false, false, true, true};
  const Tensor<bool, 1, Host> b{false, true, false, true};
  const auto x = to<D>(a);
  const auto y = to<D>(b);
  CHECK(evaluate(count(x < y), count(x <= y), count(x > y), count(x >= y)) ==
        std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>{1, 3, 1, 3});
  const auto least = to<Host>(evaluate_now(minimum(x, y)));
  const auto most = to<Host>(evaluate_now(maximum(x, y)));
  for (int i = 0; i < 4; ++i) CHECK((least(i) == (a(i) && b(i)) && most(i) == (a(i) || b(i))));
}

}  // namespace
