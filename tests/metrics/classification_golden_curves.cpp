// SPDX-License-Identifier: Apache-2.0
// Recorded cases of curves by label and of calibration.
#include "golden_classification.hpp"
#include "situ/metrics/auc.hpp"
#include "situ/metrics/calibration.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

AUC area(const Case& c) {
  const std::string curve = c.option("curve");
  const std::string how = c.option("summation_method");
  return {.num_thresholds = static_cast<int>(c.number("num_thresholds", 200)),
          .curve = curve == "ROC"  ? Curve::roc
                   : curve == "PR" ? Curve::pr
                                   : Curve::pr_gain,
          .summation_method = how == "minoring"   ? Summation::minoring
                              : how == "majoring" ? Summation::majoring
                                                  : Summation::interpolation,
          .multi_label = c.flag("multi_label"),
          .label_weights = reference::numbers(c.option("label_weights", "-"))};
}

}  // namespace

TEST_CASE("AUC by label and under the gain curve agrees with Keras") {
  compare("AUC", "keras", [](const Case& c) {
    if (c.cols == 1) return answer<1, 1, std::int32_t, float>(area(c), c);
    return answer<2, 2, std::int32_t, float>(area(c), c);
  });
}
TEST_CASE("calibration errors agree with their definition") {
  compare("CalibrationError", "exact", [](const Case& c) {
    const std::string how = c.option("norm");
    const CalibrationError metric{static_cast<int>(c.number("num_bins", 15)),
                                  how == "l2"    ? CalibrationNorm::l2
                                  : how == "max" ? CalibrationNorm::max
                                                 : CalibrationNorm::l1};
    if (c.dtype == "f64") return answer<1, 1, std::int32_t, double>(metric, c);
    return answer<1, 1, std::int32_t, float>(metric, c);
  });
}
