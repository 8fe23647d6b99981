// SPDX-License-Identifier: Apache-2.0
// The best rate among the thresholds at which another reaches a value.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "situ/metrics/constrained.hpp"

namespace {

using namespace situ;
using Scores = Tensor<float, 1, Host>;

template <class M, class... Ts>
double score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}
const Scores y{0, 0, 0, 1, 1};
const Scores p{0, 0.3f, 0.8f, 0.3f, 0.8f};
const Scores w{1, 1, 2, 2, 1};

}  // namespace

TEST_CASE("the examples of Keras give what Keras says") {
  CHECK(score(PrecisionAtRecall{.recall = 0.5}, y, p) == 0.5);
  CHECK(score(PrecisionAtRecall{.recall = 0.5}, y, p, w) == doctest::Approx(0.5));
  CHECK(score(SensitivityAtSpecificity{.specificity = 0.5}, y, p) == 0.5);
  CHECK(score(SpecificityAtSensitivity{.sensitivity = 0.5}, y, p) == doctest::Approx(2.0 / 3));
  CHECK(score(RecallAtPrecision{.precision = 0.8}, Scores{0, 0, 1, 1},
              Scores{0, 0.5f, 0.3f, 0.9f}) == 0.5);
}

TEST_CASE("the best is that of all thresholds tried one by one") {
  std::vector<float> t, s;
  std::uint32_t state = 3;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
  for (int i = 0; i < 500; ++i) {
    t.push_back(static_cast<float>(next() & 1));
    s.push_back(static_cast<float>(next() % 65) / 64.0f);
  }
  const View<const float, 1, Host> a(t.data(), {{500}}), b(s.data(), {{500}});
  double best = 0;
  for (int k = 0; k < 17; ++k) {
    double tp = 0, fp = 0, actual = 0;
    for (std::size_t i = 0; i < 500; ++i) {
      const bool positive = s[i] * 16 > static_cast<float>(k);
      tp += t[i] > 0 && positive;
      fp += t[i] == 0 && positive;
      actual += t[i] > 0;
    }
    if (tp / actual >= 0.6) best = std::max(best, tp / (tp + fp));
  }
  CHECK(score(PrecisionAtRecall{.recall = 0.6, .num_thresholds = 17}, a, b) == best);
}

TEST_CASE("a single threshold is one half, and a score of 0 is above none") {
  CHECK(score(RecallAtPrecision{.precision = 0.5, .num_thresholds = 1}, y, p) == 0.5);
  CHECK(score(SpecificityAtSensitivity{.sensitivity = 1, .num_thresholds = 2}, Scores{0, 1},
              Scores{0, 0.25f}) == 1.0);
}

TEST_CASE("where no threshold reaches the value the result is undefined") {
  CHECK(score(RecallAtPrecision{.precision = 0.9}, y, p) == 0.0);
  CHECK(score(RecallAtPrecision{.precision = 0.9, .undefined = undefined::one}, y, p) == 1.0);
  CHECK(Metric<PrecisionAtRecall, Host>(PrecisionAtRecall{.recall = 0}).result() == 0.0);
}

TEST_CASE("a rate that is not named, or impossible, is refused when the metric is made") {
  CHECK_THROWS_AS((Metric<PrecisionAtRecall, Host>(PrecisionAtRecall{})), argument_error);
  CHECK_THROWS_AS((Metric<PrecisionAtRecall, Host>(PrecisionAtRecall{.recall = 1.5})),
                  argument_error);
  CHECK_THROWS_AS(
      (Metric<RecallAtPrecision, Host>(RecallAtPrecision{.precision = 0.5, .num_thresholds = 0})),
      argument_error);
  CHECK_THROWS_AS(score(PrecisionAtRecall{.recall = 0.5}, y, Scores{0, 2, 0, 0, 0}), value_error);
}
