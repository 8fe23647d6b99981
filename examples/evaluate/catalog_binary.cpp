// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> binary_catalog() {
  using namespace situ;
  constexpr auto scores = [](const Batch& b, auto f) { f(b.labels, b.scores); };
  static const std::vector<Entry> entries{
      entry("Specificity", "TN / (TN + FP)", scores,
            [](const Options& o) { return Specificity{.threshold = o.threshold}; }),
      entry("NegativePredictiveValue", "TN / (TN + FN)", scores,
            [](const Options& o) { return NegativePredictiveValue{.threshold = o.threshold}; }),
      entry("HammingLoss", "share of wrong labels", scores,
            [](const Options& o) { return HammingLoss{.threshold = o.threshold}; }),
      entry("BinaryIoU", "mean of TP / (TP + FP + FN) of both classes", scores,
            [](const Options& o) { return BinaryIoU{.threshold = o.threshold}; }),
      entry("BrierScore", "mean squared error of the probability", scores, BrierScore{}),
      entry("LogLoss", "mean -log of the probability of the true class, not clipped", scores,
            LogLoss{}),
      entry("CalibrationError", "mean distance of confidence and accuracy over 15 bins (ECE)",
            scores, CalibrationError{}),
      entry("MaximumCalibrationError", "largest distance of confidence and accuracy over 15 bins",
            scores, CalibrationError{.norm = CalibrationNorm::max})};
  return entries;
}

}  // namespace evaluate
