// SPDX-License-Identifier: Apache-2.0
// Ratios of binary counts and scores by class.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "situ/metrics/confusion.hpp"

namespace {

using namespace situ;

template <class M, class... Ts>
auto score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}
const Tensor<std::int32_t, 2, Host> y{{1, 0, 1}, {0, 0, 1}, {1, 1, 0}, {0, 0, 0}};
const Tensor<float, 2, Host> p{
    {0.9f, 0.1f, 0.2f}, {0.6f, 0.4f, 0.7f}, {0.8f, 0.9f, 0.1f}, {0.1f, 0.2f, 0.3f}};
const Tensor<float, 1, Host> w{1, 0.5f, 2, 0};

}  // namespace

TEST_CASE("specificity and negative predictive value look at the negatives") {
  // 7 negatives, of which 6 are predicted so; 7 predicted negatives.
  CHECK(score(Specificity{}, y, p) == 6.0 / 7);
  CHECK(score(NegativePredictiveValue{}, y, p) == 6.0 / 7);
  CHECK(score(Specificity{.threshold = 0.15}, y, p) == 3.0 / 7);
  CHECK(score(NegativePredictiveValue{.threshold = 0.25}, y, p) == 4.0 / 5);
  CHECK(std::isnan(score(NegativePredictiveValue{-1.0, undefined::nan}, y, p)));
}

TEST_CASE("Hamming loss counts elements and exact match rows") {
  CHECK(score(HammingLoss{}, y, p) == doctest::Approx(2.0 / 12));
  CHECK(score(ExactMatch{}, y, p) == 2.0 / 4);
  CHECK(score(HammingLoss{}, y, p, w) == doctest::Approx((1 + 0.5) / 3 / 3.5));
  CHECK(score(ExactMatch{}, y, p, w) == 2.0 / 3.5);
  CHECK(score(HammingLoss{}, y, p) + score(BinaryAccuracy{}, y, p) == doctest::Approx(1.0));
}

TEST_CASE("Jaccard index and Dice score of each class and their averages") {
  const auto jaccard = score(JaccardIndex{.average = Average::none, .threshold = 0.5}, y, p);
  REQUIRE(jaccard.size() == 3);
  CHECK(jaccard[0] == 2.0 / 3);
  CHECK(jaccard[1] == 1.0);
  CHECK(jaccard[2] == 1.0 / 2);
  CHECK(score(JaccardIndex{.average = Average::micro, .threshold = 0.5}, y, p) == 4.0 / 6);
  CHECK(score(JaccardIndex{.average = Average::macro, .threshold = 0.5}, y, p) ==
        doctest::Approx((2.0 / 3 + 1 + 0.5) / 3));
  CHECK(score(JaccardIndex{.average = Average::weighted, .threshold = 0.5}, y, p) ==
        doctest::Approx((2 * 2.0 / 3 + 1 + 2 * 0.5) / 5));
  for (const auto average : {Average::micro, Average::macro, Average::weighted}) {
    CHECK(double{score(DiceScore{average, 0.5}, y, p)} ==
          double{score(F1Score{average, 0.5}, y, p)});
  }
}

TEST_CASE("a class that never occurs does not spoil the weighted average") {
  const Tensor<std::int32_t, 1, Host> labels{0, 2, 2};
  const Tensor<float, 2, Host> scores{{1, 0, 0}, {0, 0, 1}, {0, 0, 1}};
  const auto metric = JaccardIndex{.average = Average::weighted, .undefined = undefined::nan};
  CHECK(score(metric, labels, scores) == 1.0);
  CHECK(std::isnan(
      score(JaccardIndex{.average = Average::macro, .undefined = undefined::nan}, labels, scores)));
}

TEST_CASE("an average that is not named is refused when the metric is made") {
  CHECK_THROWS_AS((Metric<JaccardIndex, Host>(JaccardIndex{})), argument_error);
  CHECK_THROWS_AS((Metric<DiceScore, Host>(DiceScore{})), argument_error);
  CHECK_THROWS_AS((Metric<F1Score, Host>(F1Score{})), argument_error);
}
