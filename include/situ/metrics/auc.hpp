// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "situ/metrics/ratio.hpp"

namespace situ {

enum class Curve {
  roc,  // true positive rate over false positive rate
  pr,   // precision over recall
};
// How the area under the points of a curve is estimated.
enum class Summation {
  interpolation,  // trapezoids; for PR the interpolation of Davis and Goadrich (2006)
  minoring,       // the lower of each two neighbours
  majoring,       // the higher
};

// Area under the ROC or precision-recall curve, from counts at `num_thresholds` thresholds: 0 and 1 (with
// everything above the first and nothing above the last) and evenly spaced ones between, i / (T - 1).
// A score p is above threshold i when p (T - 1) > i, decided exactly. O(N + T) time, O(T) memory.
// y_true: 0 or 1, any type; y_pred: probabilities in [0, 1], or logits with from_logits; anything else
// rejects the update. Both of one shape, of rank 1 or 2 (all elements count alike). Keras: metrics.AUC.
struct AUC {
  int num_thresholds = 200;
  Curve curve = Curve::roc;
  Summation summation_method = Summation::interpolation;
  bool from_logits = false;
  Undefined undefined = undefined::zero;  // a rate without positives or negatives

  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto score = choose(option<&AUC::from_logits>(from_logits), sigmoid(y_pred), y_pred);
    const auto steps = option<&AUC::num_thresholds>(num_thresholds - 1);
    const auto bin = thresholds_below(probability(score), steps) + binary_label(y_true) * steps;
    return states(histogram(bin, steps + steps, weight));
  }

  double result(std::span<const double> bins) const {
    if (bins.empty()) return undefined.value;
    const auto n = static_cast<std::size_t>(num_thresholds);
    if (bins.size() != 2 * (n - 1)) {
      throw state_error("situ: the state of AUC was loaded from one with " +
                        std::to_string(bins.size() / 2 + 1) + " thresholds and this one has " +
                        std::to_string(n) + "; load it into a metric made alike");
    }
    // Weight above each threshold, from the last, above which there is nothing.
    std::vector<double> tp(n, 0.0);
    std::vector<double> fp(n, 0.0);
    for (std::size_t i = n - 1; i-- > 0;) {
      fp[i] = fp[i + 1] + bins[i];
      tp[i] = tp[i + 1] + bins[i + n - 1];
    }
    return curve == Curve::roc ? roc(tp, fp) : precision_recall(tp, fp);
  }
  void validate() const {
    if (num_thresholds < 2 || num_thresholds > (1 << 28)) {
      throw argument_error("situ: AUC has " + std::to_string(num_thresholds) +
                           " thresholds; use at least 2");
    }
  }
  bool operator==(const AUC&) const = default;

 private:
  double height(double a, double b) const {
    switch (summation_method) {
      case Summation::minoring:
        return std::min(a, b);
      case Summation::majoring:
        return std::max(a, b);
      default:
        return (a + b) / 2;
    }
  }
  double roc(const std::vector<double>& tp, const std::vector<double>& fp) const {
    double area = 0;
    for (std::size_t i = 0; i + 1 < tp.size(); ++i) {
      const double width = ratio(fp[i], fp[0], undefined) - ratio(fp[i + 1], fp[0], undefined);
      area += width * height(ratio(tp[i], tp[0], undefined), ratio(tp[i + 1], tp[0], undefined));
    }
    return area;
  }
  double precision_recall(const std::vector<double>& tp, const std::vector<double>& fp) const {
    double area = 0;
    for (std::size_t i = 0; i + 1 < tp.size(); ++i) {
      const double p0 = tp[i] + fp[i];
      const double p1 = tp[i + 1] + fp[i + 1];
      if (summation_method != Summation::interpolation) {
        const double width = ratio(tp[i], tp[0], undefined) - ratio(tp[i + 1], tp[0], undefined);
        area += width * height(ratio(tp[i], p0, undefined), ratio(tp[i + 1], p1, undefined));
        continue;
      }
      // Between two points true positives grow linearly in the number of positives predicted.
      const double slope = divide_no_nan(tp[i] - tp[i + 1], p0 - p1);
      const double intercept = tp[i + 1] - slope * p1;
      const double logarithm = p0 > 0 && p1 > 0 ? std::log(p0 / p1) : 0;
      area += ratio(slope * (tp[i] - tp[i + 1] + intercept * logarithm), tp[0], undefined);
    }
    return area;
  }
};

}  // namespace situ
