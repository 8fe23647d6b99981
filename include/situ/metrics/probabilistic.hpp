// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/metrics/crossentropy.hpp"
#include "situ/metrics/regression.hpp"

// Scores of predicted probabilities, and shares of explained variance.
namespace situ {

// mean((y - p)^2) of y_true 0 or 1 and probabilities of rank 1; of integer labels [rows] and
// probabilities [rows, classes] the mean of sum_j ([j = label] - p_j)^2, within [0, 2]. Scores
// outside [0, 1] reject the update. scikit-learn: brier_score_loss with scale_by_half for two
// classes, without for several.
struct BrierScore {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto p = cast<double>(probability(y_pred));
    if constexpr (decltype(y_pred)::rank == 2) {
      const auto hit = ColumnIndex{} == class_index(y_true, columns_of(y_pred));
      return weighted_mean_states(row_sum(square(cast<double>(hit) - p)), weight);
    } else {
      return weighted_mean_states(square(cast<double>(binary_label(y_true)) - p), weight);
    }
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const BrierScore&) const = default;
};

// mean(-log of the probability of the true class). y_true: 0 or 1 with probabilities of rank 1, or
// integer labels [rows] with probabilities [rows, classes], which are taken as they are.
// Probabilities are kept within [epsilon, 1 - epsilon]; 0 is exact. scikit-learn: log_loss, whose
// epsilon is that of the type.
struct LogLoss {
  double epsilon = 0;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto least = option<&LogLoss::epsilon>(epsilon);
    const auto most = option<&LogLoss::epsilon, 1>(1 - epsilon);
    const auto p = cast<double>(probability(y_pred));
    if constexpr (decltype(y_pred)::rank == 2) {
      return weighted_mean_states(-log(clip(gather(p, y_true), least, most)), weight);
    } else {
      const auto own = where(binary_label(y_true), p, constant<1> - p);
      return weighted_mean_states(-log(clip(own, least, most)), weight);
    }
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_crossentropy(false, 0, epsilon); }
  bool operator==(const LogLoss&) const = default;
};

// 1 - var(y - p) / var(y) of each column, then the mean of the columns. Moments are merged by
// Chan's rule. A constant target scores 1 when the error is constant too, else 0. scikit-learn:
// explained_variance_score.
struct ExplainedVariance {
  Undefined undefined = undefined::zero;  // no rows
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto y = cast<double>(y_true);
    return states(column_moments(y, weight), column_moments(y - cast<double>(y_pred), weight));
  }
  double result(std::span<const Moments> targets, std::span<const Moments> errors) const {
    double sum = 0;
    for (std::size_t c = 0; c < targets.size(); ++c) {
      if (targets[c].weight == 0) return undefined.value;
      sum +=
          targets[c].m2 != 0 ? 1 - errors[c].m2 / targets[c].m2 : (errors[c].m2 == 0 ? 1.0 : 0.0);
    }
    return ratio(sum, static_cast<double>(targets.size()), undefined);
  }
  bool operator==(const ExplainedVariance&) const = default;
};

// sum(w (y - p)^2) / sum(w (y - mean(y))^2) of each column, then the mean of the columns; with
// `root` its square root. A constant target follows `undefined`. TorchMetrics:
// RelativeSquaredError.
struct RelativeSquaredError {
  bool root = false;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto y = cast<double>(y_true);
    return states(column_moments(y, weight),
                  column_sum(weigh(weight, square(cast<double>(y_pred) - y))));
  }
  double result(std::span<const Moments> targets, std::span<const double> residuals) const {
    double sum = 0;
    for (std::size_t c = 0; c < targets.size(); ++c) {
      const double r = ratio(residuals[c], targets[c].m2, undefined);
      sum += root ? std::sqrt(r) : r;
    }
    return ratio(sum, static_cast<double>(targets.size()), undefined);
  }
  bool operator==(const RelativeSquaredError&) const = default;
};

}  // namespace situ
