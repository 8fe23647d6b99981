// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metrics/class_scores.hpp"

// Counts of hits and misses at a threshold, and the ratios made of them. y_true: 0 or 1 of any
// type, else the update is rejected; y_pred: scores of the same shape, rank 1 or 2, positive when
// above the threshold (NaN is not). Unweighted counts are exact int64; results are in rows, or in
// units of weight.
namespace situ {

#define SITU_CONFUSION_COUNT(Name, condition)                      \
  struct Name {                                                    \
    double threshold = 0.5;                                        \
    auto update(auto y_true, auto y_pred, auto weight) const {     \
      const auto t = detail::binary_target(y_true, y_pred);        \
      const auto p = y_pred > option<&Name::threshold>(threshold); \
      return states(sum(weight * (condition)));                    \
    }                                                              \
    double result(double count) const { return count; }            \
    void validate() const { detail::check_threshold(threshold); }  \
    bool operator==(const Name&) const = default;                  \
  };
SITU_CONFUSION_COUNT(TruePositives, (t && p))
SITU_CONFUSION_COUNT(TrueNegatives, !t && !p)
SITU_CONFUSION_COUNT(FalsePositives, !t && p)
SITU_CONFUSION_COUNT(FalseNegatives, t && !p)
#undef SITU_CONFUSION_COUNT

// TP / (TP + FP): how many of the predicted positives are positive. Keras: metrics.Precision.
struct Precision {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;  // nothing predicted positive
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto p = y_pred > option<&Precision::threshold>(threshold);
    return states(sum(weight * (detail::binary_target(y_true, y_pred) && p)), sum(weight * p));
  }
  double result(double hits, double predicted) const { return ratio(hits, predicted, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const Precision&) const = default;
};

// TP / (TP + FN): how many of the positives are predicted so. Keras: metrics.Recall.
struct Recall {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;  // no positives
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto t = detail::binary_target(y_true, y_pred);
    return states(sum(weight * (t && (y_pred > threshold))), sum(weight * t));
  }
  double result(double hits, double actual) const { return ratio(hits, actual, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const Recall&) const = default;
};

// TN / (TN + FP): how many of the negatives are predicted so. TorchMetrics: BinarySpecificity.
struct Specificity {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;  // no negatives
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto t = detail::binary_target(y_true, y_pred);
    const auto p = y_pred > option<&Specificity::threshold>(threshold);
    return states(sum(weight * (!t && !p)), sum(weight * !t));
  }
  double result(double hits, double actual) const { return ratio(hits, actual, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const Specificity&) const = default;
};

// TN / (TN + FN): how many of the predicted negatives are negative. TorchMetrics:
// BinaryNegativePredictiveValue.
struct NegativePredictiveValue {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;  // nothing predicted negative
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto p = y_pred > option<&NegativePredictiveValue::threshold>(threshold);
    return states(sum(weight * (!detail::binary_target(y_true, y_pred) && !p)), sum(weight * !p));
  }
  double result(double hits, double predicted) const { return ratio(hits, predicted, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const NegativePredictiveValue&) const = default;
};

// F-beta: (1 + beta^2) precision recall / (beta^2 precision + recall)
//       = (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP), for each class; no epsilon, so a
//       perfect
// score is exactly 1. y_true: one-hot or multi-label 0/1 [rows, classes], or integer labels [rows];
// y_pred: scores [rows, classes]. Without a threshold the class with the largest score is predicted
// (the first of equals), with one every class above it. Keras: metrics.FBetaScore.
struct FBetaScore {
  Average average = Average::unnamed;
  double beta = 1;
  std::optional<double> threshold{};
  Undefined undefined = undefined::zero;  // a class that neither occurs nor is predicted

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::class_states<FBetaScore>(y_true, y_pred, threshold, weight);
  }
  ClassScores result(std::span<const double> hits, std::span<const double> predicted,
                     std::span<const double> actual) const {
    const double b = beta * beta;
    return detail::average_scores(
        average, hits, predicted, actual, undefined,
        [&](double tp, double p, double t) { return ratio((1 + b) * tp, b * t + p, undefined); });
  }
  void validate() const {
    check(average, beta);
    if (threshold) detail::check_threshold(*threshold);
  }
  static void check(Average average, double beta) {
    detail::check_average(average, "an F score");
    if (!(beta > 0)) throw argument_error("situ: beta of an F score must be above 0");
  }
  bool operator==(const FBetaScore&) const = default;
};

// F-beta with beta 1, the harmonic mean of precision and recall. Keras: metrics.F1Score.
struct F1Score {
  Average average = Average::unnamed;
  std::optional<double> threshold{};
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    return f().update(y_true, y_pred, weight);
  }
  ClassScores result(std::span<const double> hits, std::span<const double> predicted,
                     std::span<const double> actual) const {
    return f().result(hits, predicted, actual);
  }
  void validate() const { f().validate(); }
  bool operator==(const F1Score&) const = default;

 private:
  FBetaScore f() const { return {average, 1, threshold, undefined}; }
};

namespace detail {
inline void check_num_classes(std::int32_t num_classes) {
  if (num_classes < 0 || num_classes > 46340) {  // the cells must be countable in int32
    throw argument_error("situ: num_classes is " + std::to_string(num_classes) +
                         "; it must be within [0, 46340]");
  }
}
}  // namespace detail

// Weighted counts by true (row) and predicted (column) class. y_true: integer labels [rows];
// y_pred: integer labels [rows], or scores [rows, classes] whose largest is taken. The number of
// classes is that of the scores; for labels it must be given. Result: Tensor<double, 2, Host>
// [classes, classes], empty before the first update. scikit-learn: confusion_matrix.
struct ConfusionMatrix {
  std::int32_t num_classes = 0;

  auto update(auto y_true, auto y_pred, auto weight) const {
    if constexpr (decltype(y_pred)::rank == 2) {
      return states(confusion(y_true, best_class(y_pred), columns_of(y_pred), weight));
    } else {
      if (num_classes < 1) {
        throw argument_error(
            "situ: a confusion matrix of predicted labels needs the number of classes; set "
            ".num_classes");
      }
      return states(confusion(y_true, y_pred, num_classes, weight));
    }
  }
  Tensor<double, 2, Host> result(std::span<const double> counts) const {
    std::int64_t n = 0;
    while (n * n < static_cast<std::int64_t>(counts.size())) ++n;
    Tensor<double, 2, Host> matrix(Shape<2>{{n, n}});
    std::copy(counts.begin(), counts.end(), matrix.data());
    return matrix;
  }
  void validate() const { detail::check_num_classes(num_classes); }
  bool operator==(const ConfusionMatrix&) const = default;
};

}  // namespace situ
