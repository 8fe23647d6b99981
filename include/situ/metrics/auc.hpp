// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "situ/metrics/ratio.hpp"

namespace situ {

enum class Curve {
  roc,      // true positive rate over false positive rate
  pr,       // precision over recall
  pr_gain,  // precision gain over recall gain, Flach and Kull (2015)
};
// How the area under the points of a curve is estimated.
enum class Summation {
  interpolation,  // trapezoids; for PR the interpolation of Davis and Goadrich (2006)
  minoring,       // the lower of each two neighbours
  majoring,       // the higher
};

// Area under a curve of rates, from counts at `num_thresholds` thresholds: 0 and 1 (with everything
// above the first and nothing above the last) and evenly spaced ones between, i / (T - 1). A score
// p is above threshold i when p (T - 1) > i, decided exactly. O(N + T) time, O(T) memory. y_true: 0
// or 1, any type; y_pred: probabilities in [0, 1], or logits with from_logits; anything else
// rejects the update. Both of one shape, of rank 1 or 2; all elements count alike. With multi_label
// each column [rows, labels] has its own curve, and the result is the mean of the areas, weighted
// by label_weights if there are any: as many as columns, else result() throws. Keras: metrics.AUC.
struct AUC {
  int num_thresholds = 200;
  Curve curve = Curve::roc;
  Summation summation_method = Summation::interpolation;
  bool from_logits = false;
  bool multi_label = false;
  std::vector<double> label_weights{};
  Undefined undefined = undefined::zero;  // a rate without positives or negatives

  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto score = choose(option<&AUC::from_logits>(from_logits), sigmoid(y_pred), y_pred);
    const auto steps = option<&AUC::num_thresholds>(num_thresholds - 1);
    const auto bin =
        thresholds_below(probability(score), steps) + detail::binary_target(y_true, y_pred) * steps;
    const auto bins = steps + steps;
    if constexpr (decltype(y_pred)::rank == 2) {
      const auto many = cast<std::int32_t>(option<&AUC::multi_label>(multi_label ? 1 : 0));
      return states(histogram(bin + ColumnIndex{} * (many * bins),
                              bins + (columns_of(y_pred) - constant<1>)*(many * bins), weight));
    } else {
      return states(histogram(bin, bins, weight));
    }
  }

  double result(std::span<const double> bins) const {
    if (bins.empty()) return undefined.value;
    const std::size_t one = 2 * static_cast<std::size_t>(num_thresholds - 1);
    const std::size_t labels = bins.size() / one;
    if (bins.size() % one != 0 || (labels != 1 && !multi_label)) {
      throw state_error(
          "situ: the state of AUC was loaded from one with other thresholds or labels than "
          "this one has; load it into a metric made alike");
    }
    if (!label_weights.empty() && label_weights.size() != labels) {
      throw state_error("situ: AUC has " + std::to_string(label_weights.size()) +
                        " label weights and " + std::to_string(labels) +
                        " labels; give one weight for each");
    }
    double sum = 0;
    double total = 0;
    for (std::size_t l = 0; l < labels; ++l) {
      const double weight = label_weights.empty() ? 1 : label_weights[l];
      sum += weight * area(bins.subspan(l * one, one));
      total += weight;
    }
    return labels == 1 && label_weights.empty() ? sum : ratio(sum, total, undefined);
  }
  void validate() const {
    if (num_thresholds < 2 || num_thresholds > (1 << 28)) {
      throw argument_error("situ: AUC has " + std::to_string(num_thresholds) +
                           " thresholds; use 2 to 268435456");
    }
    if (!label_weights.empty() && !multi_label) {
      throw argument_error("situ: label_weights of AUC are for separate labels; set .multi_label");
    }
    for (const double w : label_weights) {
      if (!(w >= 0)) throw argument_error("situ: label_weights of AUC must not be negative");
    }
  }
  bool operator==(const AUC&) const = default;

 private:
  // The area under the curve of one label: counts of negatives, then of positives.
  double area(std::span<const double> bins) const {
    const auto n = static_cast<std::size_t>(num_thresholds);
    // Weight above each threshold, from the last, above which there is nothing.
    std::vector<double> tp(n, 0.0);
    std::vector<double> fp(n, 0.0);
    for (std::size_t i = n - 1; i-- > 0;) {
      fp[i] = fp[i + 1] + bins[i];
      tp[i] = tp[i + 1] + bins[i + n - 1];
    }
    switch (curve) {
      case Curve::pr:
        return precision_recall(tp, fp);
      case Curve::pr_gain:
        return gain(tp, fp);
      default:
        return roc(tp, fp);
    }
  }
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
  // Gains map [share of positives, 1] to [0, 1] hyperbolically. As in Keras, without hits the
  // recall gain is 0 and the precision gain 1, and a negative recall gain is 0.
  double gain(const std::vector<double>& tp, const std::vector<double>& fp) const {
    const double odds = divide_no_nan(tp[0], fp[0]);
    const auto recall = [&](std::size_t i) {
      return tp[i] == 0 ? 0 : std::max(0.0, 1 - odds * ((tp[0] - tp[i]) / tp[i]));
    };
    const auto precision = [&](std::size_t i) {
      return tp[i] == 0 ? 1 : 1 - odds * (fp[i] / tp[i]);
    };
    double area = 0;
    for (std::size_t i = 0; i + 1 < tp.size(); ++i) {
      area += (recall(i) - recall(i + 1)) * height(precision(i), precision(i + 1));
    }
    return area;
  }
};

}  // namespace situ
