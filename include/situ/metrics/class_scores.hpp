// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/metrics/accuracy.hpp"

// What the scores of single classes share: their counts, and how they become one number.
namespace situ {

// How scores of several classes become one number. Libraries disagree on a default, so there is
// none.
enum class Average {
  unnamed,   // not chosen: an error
  none,      // one score for each class
  micro,     // counts of all classes summed first
  macro,     // plain mean over the classes
  weighted,  // mean over the classes, weighted by how often each occurs in y_true
};

// One number, or one for each class when the average is `none`.
class ClassScores {
 public:
  ClassScores(double score) : scores_{score} {}
  ClassScores(std::vector<double> scores) : scores_(std::move(scores)) {}
  // The number itself; throws state_error when there are several or none yet.
  operator double() const {
    if (scores_.empty()) {
      throw state_error(
          "situ: there are no scores of classes before the first update; update the metric first");
    }
    if (scores_.size() != 1) {
      throw state_error("situ: there are " + std::to_string(scores_.size()) +
                        " scores, one for each class; index them, or choose another average");
    }
    return scores_[0];
  }
  double operator[](std::size_t c) const { return scores_.at(c); }
  std::size_t size() const { return scores_.size(); }
  auto begin() const { return scores_.begin(); }
  auto end() const { return scores_.end(); }

 private:
  std::vector<double> scores_;
};

namespace detail {

inline void check_average(Average average, const char* what) {
  if (average == Average::unnamed) {
    throw argument_error(
        std::string("situ: the average of ") + what +
        " is not named; set .average to situ::Average::none, micro, macro or weighted");
  }
}

// One-hot or multi-label 0/1 rows as they are, integer labels as the one column they name.
template <symbolic T, symbolic P>
constexpr auto actual_classes(T y_true, P y_pred) {
  static_assert(P::rank == 2, "situ: scores by class take y_pred of shape [rows, classes]");
  if constexpr (T::rank == 2) {
    return binary_label(y_true);
  } else {
    return ColumnIndex{} == class_index(y_true, columns_of(y_pred));
  }
}

// Every class above the threshold M::threshold; without one the class with the largest score, the
// first of equals.
template <class M, symbolic P>
constexpr auto predicted_classes(P y_pred, std::optional<double> threshold) {
  return choose(option<&M::threshold>(threshold.has_value()),
                y_pred > option<&M::threshold, 1>(threshold.value_or(0)),
                ColumnIndex{} == best_class(y_pred));
}

// For each class the weight of hits, of rows predicted so and of rows that are so.
template <class M, symbolic T, symbolic P, symbolic W>
constexpr auto class_states(T y_true, P y_pred, std::optional<double> threshold, W weight) {
  const auto t = actual_classes(y_true, y_pred);
  const auto p = predicted_classes<M>(y_pred, threshold);
  return states(column_sum(weight * (t && p)), column_sum(weight * p), column_sum(weight * t));
}

// score(hits, predicted, actual) of each class, or what the average makes of them.
template <class Score>
ClassScores average_scores(Average average, std::span<const double> hits,
                           std::span<const double> predicted, std::span<const double> actual,
                           Undefined undefined, Score score) {
  std::vector<double> scores(hits.size());
  double all_hits = 0;
  double all_predicted = 0;
  double all_actual = 0;
  double sum = 0;
  double weighted = 0;
  double classes = 0;
  for (std::size_t c = 0; c < hits.size(); ++c) {
    scores[c] = score(hits[c], predicted[c], actual[c]);
    all_hits += hits[c];
    all_predicted += predicted[c];
    all_actual += actual[c];
    if (undefined.absent == Absent::counted || predicted[c] != 0 || actual[c] != 0) {
      sum += scores[c];
      classes += 1;
    }
    if (actual[c] != 0) weighted += scores[c] * actual[c];  // an undefined score may be NaN
  }
  switch (average) {
    case Average::micro:
      return score(all_hits, all_predicted, all_actual);
    case Average::macro:
      return ratio(sum, classes, undefined);
    case Average::weighted:
      return ratio(weighted, all_actual, undefined);
    default:
      return scores;
  }
}

}  // namespace detail

// Intersection over union of the predicted and the true rows of each class, TP / (TP + FP + FN).
// y_true: one-hot or multi-label 0/1 [rows, classes], or integer labels [rows]; y_pred: scores
// [rows, classes]. Without a threshold the class with the largest score is predicted. scikit-learn:
// jaccard_score.
struct JaccardIndex {
  Average average = Average::unnamed;
  std::optional<double> threshold{};
  Undefined undefined = undefined::zero;  // a class that neither occurs nor is predicted

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::class_states<JaccardIndex>(y_true, y_pred, threshold, weight);
  }
  ClassScores result(std::span<const double> hits, std::span<const double> predicted,
                     std::span<const double> actual) const {
    return detail::average_scores(
        average, hits, predicted, actual, undefined,
        [&](double tp, double p, double t) { return ratio(tp, t + (p - tp), undefined); });
  }
  void validate() const {
    detail::check_average(average, "a Jaccard index");
    if (threshold) detail::check_threshold(*threshold);
  }
  bool operator==(const JaccardIndex&) const = default;
};

// 2 TP / (2 TP + FP + FN), the F1 score under its name in segmentation; inputs as of JaccardIndex.
// Source: Dice (1945); TorchMetrics: DiceScore of labels.
struct DiceScore {
  Average average = Average::unnamed;
  std::optional<double> threshold{};
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::class_states<DiceScore>(y_true, y_pred, threshold, weight);
  }
  ClassScores result(std::span<const double> hits, std::span<const double> predicted,
                     std::span<const double> actual) const {
    return detail::average_scores(
        average, hits, predicted, actual, undefined,
        [&](double tp, double p, double t) { return ratio(2 * tp, t + p, undefined); });
  }
  void validate() const {
    detail::check_average(average, "a Dice score");
    if (threshold) detail::check_threshold(*threshold);
  }
  bool operator==(const DiceScore&) const = default;
};

}  // namespace situ
