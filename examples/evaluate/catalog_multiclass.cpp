// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> multiclass_catalog() {
  using namespace situ;
  constexpr auto scores = [](const Batch& b, auto f) {
    return f(b.labels, b.class_scores, b.weight);
  };
  static const std::vector<Entry> entries{
      entry("SparseTopKCategoricalAccuracy:10", "share of rows whose label is among the 10 best",
            scores,
            [](const Options& o) { return SparseTopKCategoricalAccuracy{.k = whole_value(o)}; }),
      entry("BalancedAccuracy", "mean recall of the classes that occur", scores,
            BalancedAccuracy{}),
      entry("CohenKappa", "agreement beyond chance", scores, CohenKappa{}),
      entry("MatthewsCorrelation", "correlation of true and predicted classes", scores,
            MatthewsCorrelation{}),
      entry(
          "FBetaScore_macro:2", "F with recall weighing 2 times, averaged over classes", scores,
          [](const Options& o) { return FBetaScore{.average = Average::macro, .beta = o.value}; }),
      entry(
          "FBetaScore_micro:2", "the same of all classes' counts", scores,
          [](const Options& o) { return FBetaScore{.average = Average::micro, .beta = o.value}; }),
      entry("FBetaScore_weighted:2", "the same averaged over classes by their weight", scores,
            [](const Options& o) {
              return FBetaScore{.average = Average::weighted, .beta = o.value};
            }),
      entry("JaccardIndex_macro", "mean over classes of TP / (TP + FP + FN)", scores,
            JaccardIndex{.average = Average::macro}),
      entry("DiceScore_macro", "mean over classes of 2 TP / (2 TP + FP + FN)", scores,
            DiceScore{.average = Average::macro}),
      entry("MeanIoU",
            "the same as JaccardIndex_macro over the classes that occur or are predicted", scores,
            [](const Options& o) { return OneHotMeanIoU{.num_classes = o.classes}; }),
      entry("IoU:0", "TP / (TP + FP + FN) of class 0", scores,
            [](const Options& o) {
              return OneHotIoU{.num_classes = o.classes, .target_class_ids = {whole_value(o)}};
            }),
      entry("BrierScore", "squared error of the probabilities, summed over classes", scores,
            BrierScore{}),
      entry("LogLoss", "mean -log of the probability of the true class, not clipped", scores,
            LogLoss{}),
      entry("Perplexity", "exp of the mean cross-entropy", scores,
            Perplexity{.from_logits = false}),
      entry("CalibrationError", "mean distance of confidence and accuracy over 15 bins (ECE)",
            scores, CalibrationError{}),
      entry("MaximumCalibrationError", "largest distance of confidence and accuracy over 15 bins",
            scores, CalibrationError{.norm = CalibrationNorm::max})};
  return entries;
}

}  // namespace evaluate
