// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> binary_catalog() {
  using namespace situ;
  constexpr auto scores = [](const Batch& b, auto f) { return f(b.labels, b.scores, b.weight); };
  constexpr auto given = [](const Batch& b, auto f) { return f(b.labels, b.given, b.weight); };
  constexpr auto labels = [](const Batch& b, auto f) { return f(b.labels, b.predicted, b.weight); };
  static const std::vector<Entry> entries{
      entry("Specificity", "TN / (TN + FP)", scores,
            [](const Options& o) { return Specificity{.threshold = o.threshold}; }),
      entry("NegativePredictiveValue", "TN / (TN + FN)", scores,
            [](const Options& o) { return NegativePredictiveValue{.threshold = o.threshold}; }),
      entry("BalancedAccuracy", "mean of Recall and Specificity", labels,
            BalancedAccuracy{.num_classes = 2}),
      entry("CohenKappa", "agreement beyond chance", labels, CohenKappa{.num_classes = 2}),
      entry("MatthewsCorrelation", "correlation of true and predicted labels", labels,
            MatthewsCorrelation{.num_classes = 2}),
      entry("HammingLoss", "share of wrong labels", scores,
            [](const Options& o) { return HammingLoss{.threshold = o.threshold}; }),
      entry("BinaryIoU", "mean of TP / (TP + FP + FN) of both classes", scores,
            [](const Options& o) { return BinaryIoU{.threshold = o.threshold}; }),
      entry("PrecisionAtRecall:0.9", "highest precision where recall is at least 0.9", scores,
            [](const Options& o) { return PrecisionAtRecall{.recall = o.value}; }),
      entry("RecallAtPrecision:0.9", "highest recall where precision is at least 0.9", scores,
            [](const Options& o) { return RecallAtPrecision{.precision = o.value}; }),
      entry("SensitivityAtSpecificity:0.9", "highest recall where specificity is at least 0.9",
            scores,
            [](const Options& o) { return SensitivityAtSpecificity{.specificity = o.value}; }),
      entry("SpecificityAtSensitivity:0.9", "highest specificity where recall is at least 0.9",
            scores,
            [](const Options& o) { return SpecificityAtSensitivity{.sensitivity = o.value}; }),
      entry("AUC_PRGain", "area under the precision-gain-recall-gain curve at 200 thresholds",
            scores, AUC{.curve = Curve::pr_gain}),
      entry("BrierScore", "mean squared error of the probability", scores, BrierScore{}),
      entry("LogLoss", "mean -log of the probability of the true class, not clipped", scores,
            LogLoss{}),
      entry("CalibrationError", "mean distance of confidence and accuracy over 15 bins (ECE)",
            scores, CalibrationError{}),
      entry("MaximumCalibrationError", "largest distance of confidence and accuracy over 15 bins",
            scores, CalibrationError{.norm = CalibrationNorm::max}),
      entry("Hinge", "mean of max(1 - y s, 0) of the scores as given, y -1 or 1", given, Hinge{}),
      entry("SquaredHinge", "mean of its square", given, SquaredHinge{})};
  return entries;
}

}  // namespace evaluate
