// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> multiclass_catalog() {
  using namespace situ;
  constexpr auto scores = [](const Batch& b, auto f) { f(b.labels, b.class_scores); };
  static const std::vector<Entry> entries{
      entry("BalancedAccuracy", "mean recall of the classes that occur", scores,
            [](const Options&) { return BalancedAccuracy{}; }),
      entry("CohenKappa", "agreement beyond chance", scores,
            [](const Options&) { return CohenKappa{}; }),
      entry("MatthewsCorrelation", "correlation of true and predicted classes", scores,
            [](const Options&) { return MatthewsCorrelation{}; }),
      entry("JaccardIndex_macro", "mean over classes of TP / (TP + FP + FN)", scores,
            [](const Options&) { return JaccardIndex{.average = Average::macro}; }),
      entry("DiceScore_macro", "mean over classes of 2 TP / (2 TP + FP + FN)", scores,
            [](const Options&) { return DiceScore{.average = Average::macro}; }),
      entry("MeanIoU", "the same as JaccardIndex_macro over the classes that occur or are predicted", scores,
            [](const Options& o) { return OneHotMeanIoU{.num_classes = o.classes}; }),
      entry("BrierScore", "squared error of the probabilities, summed over classes", scores,
            [](const Options&) { return BrierScore{}; }),
      entry("LogLoss", "mean -log of the probability of the true class, not clipped", scores,
            [](const Options&) { return LogLoss{}; }),
      entry("Perplexity", "exp of the mean cross-entropy", scores,
            [](const Options&) { return Perplexity{.from_logits = false}; }),
      entry("CalibrationError", "mean distance of confidence and accuracy over 15 bins (ECE)", scores,
            [](const Options&) { return CalibrationError{}; }),
      entry("MaximumCalibrationError", "largest distance of confidence and accuracy over 15 bins", scores,
            [](const Options&) { return CalibrationError{.norm = CalibrationNorm::max}; })};
  return entries;
}

}  // namespace evaluate
