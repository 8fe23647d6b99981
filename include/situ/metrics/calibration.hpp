// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "situ/metrics/ratio.hpp"

namespace situ {

// How the gaps of the bins become one number.
enum class CalibrationNorm {
  l1,   // mean over the rows: the expected calibration error, ECE
  max,  // the largest gap of a bin with rows: MCE
  l2,   // root of the mean square over the rows
};

// How far confidence is from accuracy, in bins of confidence: |accuracy - mean confidence| of a
// bin, over the bins by the norm. Bins are [i/n, (i+1)/n), the last one closed, so that 0 and 1
// have a bin. y_true 0 or 1 with y_pred probabilities of class 1, both of one shape: the confidence
// is y_pred, and the accuracy the share of ones. Integer labels [rows] with y_pred [rows, classes]:
// the confidence is that of the most probable class (the first of equals), and the accuracy how
// often it is the label. y_pred outside [0, 1], or labels that are neither, reject the update.
// Unit: that of probability. State: three histograms. Source: Naeini et al. (2015), Kumar et al.
// (2019); TorchMetrics: CalibrationError.
struct CalibrationError {
  int num_bins = 15;
  CalibrationNorm norm = CalibrationNorm::l1;
  Undefined undefined = undefined::zero;  // no rows, or a total weight of zero

  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto p = probability(y_pred);
    if constexpr (decltype(y_pred)::rank == 2 && decltype(y_true)::rank < 2) {
      return bin_states(cast<double>(row_max(p)),
                        argmax(p) == class_index(y_true, columns_of(y_pred)), weight);
    } else {
      return bin_states(cast<double>(p), binary_label(y_true), weight);
    }
  }
  double result(std::span<const double> weights, std::span<const double> confidence,
                std::span<const double> hits) const {
    double total = 0;
    double sum = 0;
    double largest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0) continue;
      const double gap = std::abs(hits[i] - confidence[i]) / weights[i];
      total += weights[i];
      sum += weights[i] * (norm == CalibrationNorm::l2 ? gap * gap : gap);
      largest = std::max(largest, gap);
    }
    if (total == 0) return undefined.value;
    if (norm == CalibrationNorm::max) return largest;
    return norm == CalibrationNorm::l2 ? std::sqrt(sum / total) : sum / total;
  }
  void validate() const {
    if (num_bins < 1 || num_bins > (1 << 28)) {
      throw argument_error("situ: a calibration error has " + std::to_string(num_bins) +
                           " bins; use 1 to 268435456");
    }
  }
  bool operator==(const CalibrationError&) const = default;

 private:
  template <symbolic P, symbolic H, symbolic W>
  auto bin_states(P confidence, H hit, W weight) const {
    const auto bins = option<&CalibrationError::num_bins>(num_bins);
    const auto place = cast<std::int32_t>(floor(confidence * bins));
    const auto bin = minimum(place, bins - constant<1>);
    return states(histogram(bin, bins, weight), histogram(bin, bins, weigh(weight, confidence)),
                  histogram(bin, bins, weight * hit));
  }
};

}  // namespace situ
