// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "situ/metrics/ratio.hpp"

// Likeness of vectors and correlation of variables. The first three compare each row's two vectors
// (y_true and y_pred of shape [rows, columns]) and average the rows, as Keras does with axis=-1;
// Correlation and Concordance are of two variables over all rows of all updates. All are within
// [-1, 1]; computed in double.
namespace situ {

namespace detail {
// A row's quotient, kept within [-1, 1], or `undefined` where the denominator is 0.
template <auto Member, class N, class D>
auto row_ratio(N numerator, D denominator, Undefined undefined) {
  const auto one = constant<1>;
  const auto safe = where(denominator == constant<0>, one, denominator);
  return where(denominator == constant<0>, option<Member>(undefined.value),
               clip(numerator / safe, option<Member, 1>(-1.0), option<Member, 2>(1.0)));
}
template <class Y, class P>
constexpr void check_rows_of_vectors() {
  static_assert(
      Y::rank == 2 && P::rank == 2,
      "situ: this metric compares the rows of y_true and y_pred of shape [rows, columns]; for two "
      "variables over all rows use situ::Correlation or situ::Concordance");
}
}  // namespace detail

// sum_j y_j p_j / (|y| |p|), the cosine of the angle between each row's vectors. Rows with a vector
// of zeros follow `undefined`. Keras: metrics.CosineSimilarity.
struct CosineSimilarity {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    detail::check_rows_of_vectors<decltype(y_true), decltype(y_pred)>();
    const auto y = cast<double>(y_true);
    const auto p = cast<double>(y_pred);
    const auto sizes = sqrt(row_sum(square(y))) * sqrt(row_sum(square(p)));
    return weighted_mean_states(
        detail::row_ratio<&CosineSimilarity::undefined>(row_sum(y * p), sizes, undefined), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const CosineSimilarity&) const = default;
};

// The correlation of each row's two vectors; rows in which one is constant follow `undefined`
// (Keras gives NaN). Keras: metrics.PearsonCorrelation.
struct PearsonCorrelation {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    detail::check_rows_of_vectors<decltype(y_true), decltype(y_pred)>();
    const auto y = cast<double>(y_true) - row_mean(cast<double>(y_true));
    const auto p = cast<double>(y_pred) - row_mean(cast<double>(y_pred));
    const auto sizes = sqrt(row_sum(square(y))) * sqrt(row_sum(square(p)));
    return weighted_mean_states(
        detail::row_ratio<&PearsonCorrelation::undefined>(row_sum(y * p), sizes, undefined),
        weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const PearsonCorrelation&) const = default;
};

// 2 cov(y, p) / (var(y) + var(p) + (mean(y) - mean(p))^2) of each row's two vectors (Lin 1989).
// Keras: metrics.ConcordanceCorrelation, which adds 1e-7 to the denominator.
struct ConcordanceCorrelation {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    detail::check_rows_of_vectors<decltype(y_true), decltype(y_pred)>();
    const auto mean_y = row_mean(cast<double>(y_true));
    const auto mean_p = row_mean(cast<double>(y_pred));
    const auto y = cast<double>(y_true) - mean_y;
    const auto p = cast<double>(y_pred) - mean_p;
    const auto spread = row_mean(square(y)) + row_mean(square(p)) + square(mean_y - mean_p);
    return weighted_mean_states(detail::row_ratio<&ConcordanceCorrelation::undefined>(
                                    constant<2> * row_mean(y * p), spread, undefined),
                                weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const ConcordanceCorrelation&) const = default;
};

// Pearson's correlation of two variables with one value per row, over all rows. Moments are merged
// by Chan's rule. SciPy: pearsonr; TorchMetrics: PearsonCorrCoef.
struct Correlation {
  Undefined undefined = undefined::nan;  // a variable is constant, or there are no rows
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(co_moments(cast<double>(y_true), cast<double>(y_pred), weight));
  }
  double result(const CoMoments& m) const {
    const double sizes = std::sqrt(m.m2_x) * std::sqrt(m.m2_y);
    return sizes == 0 ? undefined.value : std::clamp(m.cxy / sizes, -1.0, 1.0);
  }
  bool operator==(const Correlation&) const = default;
};

// Lin's concordance correlation of two variables over all rows, with population variances.
// TorchMetrics: ConcordanceCorrCoef.
struct Concordance {
  Undefined undefined = undefined::nan;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(co_moments(cast<double>(y_true), cast<double>(y_pred), weight));
  }
  double result(const CoMoments& m) const {
    const double gap = (m.mean_x - m.mean_y) + (m.mean_x_low - m.mean_y_low);
    const double spread = m.m2_x + m.m2_y + m.weight * gap * gap;
    return spread == 0 ? undefined.value : std::clamp(2 * m.cxy / spread, -1.0, 1.0);
  }
  bool operator==(const Concordance&) const = default;
};

}  // namespace situ
