// SPDX-License-Identifier: Apache-2.0
// AUC at a list of thresholds.
#include <doctest/doctest.h>

#include "situ/metrics/at_thresholds.hpp"

namespace {

using namespace situ;

const Tensor<std::int32_t, 1, Host> y{0, 1, 0, 1, 1, 0, 1};
const Tensor<float, 1, Host> p{0, 0.5f, 0.25f, 1, 0.75f, 0.8f, 0.1f};

template <class M>
double score(M metric) {
  Metric<M, Host> m(metric);
  m.update_state(y, p);
  return m.result();
}

}  // namespace

TEST_CASE("evenly spaced thresholds given as a list are those that AUC has by itself") {
  for (const auto curve : {Curve::roc, Curve::pr, Curve::pr_gain}) {
    const AUC even{.num_thresholds = 5, .curve = curve};
    CHECK(score(at_thresholds(even, {0.25, 0.5, 0.75})) == score(even));
  }
}

TEST_CASE("a list from run time is the same as one that is written down") {
  for (const auto curve : {Curve::roc, Curve::pr, Curve::pr_gain}) {
    for (const auto how : {Summation::interpolation, Summation::minoring, Summation::majoring}) {
      const AUC auc{.curve = curve, .summation_method = how};
      const std::vector<double> list{0.1, 0.3, 0.75};
      CHECK(score(at_thresholds(auc, list)) == score(at_thresholds(auc, {0.1, 0.3, 0.75})));
    }
  }
  CHECK_THROWS_AS((void)at_thresholds(AUC{}, std::vector<double>{}), argument_error);
  CHECK_THROWS_AS(score(at_thresholds(AUC{}, std::vector<double>{0.5, 0.25})), argument_error);
}

TEST_CASE("a list of one threshold is a curve of three points") {
  // Above 0.3: three of four positives and one of three negatives.
  const double area = 1.0 / 3 * 0.75 / 2 + 2.0 / 3 * (0.75 + 1) / 2;
  CHECK(score(at_thresholds(AUC{}, {0.3})) == doctest::Approx(area));
}

TEST_CASE("lists that are no thresholds of AUC are refused when the metric is made") {
  CHECK_THROWS_AS(score(at_thresholds(AUC{}, {0.5, 0.25})), argument_error);
  CHECK_THROWS_AS(score(at_thresholds(AUC{}, {0.5, 1.25})), argument_error);
  CHECK_THROWS_AS(score(at_thresholds(AUC{.from_logits = true}, {0.5})), argument_error);
}
