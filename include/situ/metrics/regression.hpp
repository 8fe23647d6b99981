// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/metrics/ratio.hpp"

// Regression errors. y_true and y_pred: one shape, rank 1 or 2, real numbers. A rank-2 error is
// averaged over its row first; rows are then averaged by weight. Errors are computed in the inputs'
// common type (float16 in float, integers in double) and summed in double.
namespace situ {

// mean((y_pred - y_true)^2), in squared units. Keras: metrics.MeanSquaredError.
struct MeanSquaredError {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto [y, p] = real_pair(y_true, y_pred);
    return weighted_mean_states(square(p - y), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const MeanSquaredError&) const = default;
};

// sqrt(mean((y_pred - y_true)^2)), in units of the target. Keras: metrics.RootMeanSquaredError.
struct RootMeanSquaredError {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto [y, p] = real_pair(y_true, y_pred);
    return weighted_mean_states(square(p - y), weight);
  }
  double result(double total, double weight) const {
    return std::sqrt(ratio(total, weight, undefined));
  }
  bool operator==(const RootMeanSquaredError&) const = default;
};

// mean(|y_pred - y_true|), in units of the target. Keras: metrics.MeanAbsoluteError.
struct MeanAbsoluteError {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto [y, p] = real_pair(y_true, y_pred);
    return weighted_mean_states(abs(p - y), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const MeanAbsoluteError&) const = default;
};

// How the scores of several targets become one number.
enum class ClassAggregation {
  uniform_average,            // plain mean
  variance_weighted_average,  // weighted by each target's variance
};

// 1 - sum(w (y - p)^2) / sum(w (y - mean)^2) for each column, aggregated; the coefficient of
// determination. Moments are merged by Chan's rule, so a target with mean 1e8 and spread 1 loses
// nothing. With num_regressors p > 0 it is adjusted to 1 - (1 - R2) (n - 1) / (n - p - 1) for n > p
// + 1 rows. A constant target scores 1 when predicted exactly, else 0 (scikit-learn). Keras:
// metrics.R2Score.
struct R2Score {
  ClassAggregation class_aggregation = ClassAggregation::uniform_average;
  int num_regressors = 0;
  Undefined undefined = undefined::zero;  // no rows

  auto update(auto y_true, auto y_pred, auto weight) const {
    detail::check_one_shape(y_true, y_pred);
    const auto target = cast<double>(y_true);
    return states(column_moments(target, weight),
                  column_sum(weigh(weight, square(cast<double>(y_pred) - target))), sum(One{}));
  }
  double result(std::span<const Moments> targets, std::span<const double> residuals,
                double rows) const {
    double sum = 0;
    double total = 0;
    double weight = 0;
    for (std::size_t c = 0; c < targets.size(); ++c) {
      const double score =
          targets[c].m2 != 0 ? 1 - residuals[c] / targets[c].m2 : (residuals[c] == 0 ? 1.0 : 0.0);
      const bool uniform = class_aggregation == ClassAggregation::uniform_average;
      sum += uniform ? score : score * targets[c].m2;
      total += uniform ? 1 : targets[c].m2;
      weight = targets[c].weight;
    }
    if (weight == 0) return undefined.value;
    // All targets constant: their variances weigh nothing, so they count alike.
    double r2 = total != 0 ? sum / total : R2Score{}.result(targets, residuals, rows);
    const double freedom = rows - num_regressors - 1;
    if (num_regressors > 0 && freedom > 0) r2 = 1 - (1 - r2) * (rows - 1) / freedom;
    return r2;
  }
  void validate() const {
    if (num_regressors < 0) {
      throw argument_error("situ: num_regressors of R2Score must not be negative");
    }
  }
  bool operator==(const R2Score&) const = default;
};

}  // namespace situ
