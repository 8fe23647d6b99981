// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "situ/metrics/contingency.hpp"

// How well predicted classes agree with true ones, corrected for chance or for the sizes of the
// classes. y_true: integer labels [rows] or one-hot [rows, classes]; y_pred: labels [rows], or
// scores [rows, classes] whose first maximum is taken. `num_classes` is needed when both are
// labels; a label outside [0, classes) rejects the update. State: classes^2 counts (int64 without
// weights).
namespace situ {

// How bad it is to predict class j for class i.
enum class KappaWeights {
  none,       // all mistakes alike
  linear,     // |i - j|
  quadratic,  // (i - j)^2
};

// Cohen's kappa, 1 - sum d_ij n_ij / sum d_ij e_ij with e_ij = n_i. n_.j / n and d the penalty of
// the pair: 1 is perfect, 0 is chance. Undefined when chance makes no mistake (no rows, or one
// class only). Source: Cohen (1960, 1968); scikit-learn: cohen_kappa_score.
struct CohenKappa {
  std::int32_t num_classes = 0;
  KappaWeights weights = KappaWeights::none;
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::contingency_states(y_true, y_pred, num_classes, weight);
  }
  double result(std::span<const double> counts) const {
    const ContingencyTable table(counts);
    double observed = 0;
    double expected = 0;  // times the total
    for (std::size_t i = 0; i < table.classes(); ++i) {
      for (std::size_t j = 0; j < table.classes(); ++j) {
        observed += penalty(i, j) * table.at(i, j);
        expected += penalty(i, j) * table.actual(i) * table.predicted(j);
      }
    }
    return expected == 0 ? undefined.value : 1 - observed * table.total() / expected;
  }
  void validate() const { detail::check_num_classes(num_classes); }
  bool operator==(const CohenKappa&) const = default;

 private:
  double penalty(std::size_t i, std::size_t j) const {
    const double apart = i > j ? static_cast<double>(i - j) : static_cast<double>(j - i);
    switch (weights) {
      case KappaWeights::linear:
        return apart;
      case KappaWeights::quadratic:
        return apart * apart;
      default:
        return i == j ? 0 : 1;
    }
  }
};

// Matthews' correlation of true and predicted classes, within [-1, 1]:
// (n c - sum_k p_k t_k) / sqrt((n^2 - sum p_k^2) (n^2 - sum t_k^2)) with c hits and p_k, t_k the
// sizes of class k. Undefined when either side has one class only. Source: Gorodkin (2004), for two
// classes Matthews (1975); scikit-learn: matthews_corrcoef.
struct MatthewsCorrelation {
  std::int32_t num_classes = 0;
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::contingency_states(y_true, y_pred, num_classes, weight);
  }
  double result(std::span<const double> counts) const {
    const ContingencyTable table(counts);
    double both = 0;
    double actual = 0;
    double predicted = 0;
    // Sums of products with what is left keep n^2 - sum p_k^2 free of cancellation.
    for (std::size_t k = 0; k < table.classes(); ++k) {
      const double t = table.actual(k);
      const double p = table.predicted(k);
      both += table.at(k, k) * (table.total() - p) - (t - table.at(k, k)) * p;
      actual += t * (table.total() - t);
      predicted += p * (table.total() - p);
    }
    const double scale = std::sqrt(actual) * std::sqrt(predicted);
    if (scale == 0) return undefined.value;
    return actual == predicted ? both / actual : std::clamp(both / scale, -1.0, 1.0);
  }
  void validate() const { detail::check_num_classes(num_classes); }
  bool operator==(const MatthewsCorrelation&) const = default;
};

// The mean over the classes that occur in y_true of the share of their rows that are predicted
// right. `adjusted` scales it so that chance gives 0: (score - 1/n) / (1 - 1/n) for n such classes,
// undefined for one. scikit-learn: balanced_accuracy_score.
struct BalancedAccuracy {
  std::int32_t num_classes = 0;
  bool adjusted = false;
  Undefined undefined = undefined::zero;  // no class occurs

  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::contingency_states(y_true, y_pred, num_classes, weight);
  }
  double result(std::span<const double> counts) const {
    const ContingencyTable table(counts);
    double sum = 0;
    double classes = 0;
    for (std::size_t k = 0; k < table.classes(); ++k) {
      if (table.actual(k) == 0) continue;
      sum += table.at(k, k) / table.actual(k);
      ++classes;
    }
    if (!adjusted) return ratio(sum, classes, undefined);
    return classes == 0 ? undefined.value : ratio(sum - 1, classes - 1, undefined);
  }
  void validate() const { detail::check_num_classes(num_classes); }
  bool operator==(const BalancedAccuracy&) const = default;
};

}  // namespace situ
