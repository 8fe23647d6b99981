// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/metrics/mean.hpp"

// Numbers that describe data themselves: extremes, variance, covariance.
namespace situ {

// Keras's name for the weighted mean of a function of y_true and y_pred; made by mean_of(function).
template <class F>
using MeanMetricWrapper = MeanOfFunction<F>;

namespace detail {
// `values`, and where the weight is 0 something that no extreme is.
template <class V, class W, class N>
auto with_weight(V values, W weight, N neutral) {
  if constexpr (std::is_same_v<W, One>) {
    return cast<double>(values);
  } else {
    return where(weight != constant<0>, cast<double>(values), neutral);
  }
}
inline int check_ddof(const std::optional<int>& ddof) {
  if (!ddof) {
    throw argument_error(
        "situ: the divisor of a variance is not named; set .ddof = 0 for that of the population, "
        "or 1 for that "
        "of a sample");
  }
  return *ddof;
}
}  // namespace detail

// The smallest value of rows with a weight other than 0; values of rank 1 or 2. NaN wins.
// TorchMetrics: MinMetric.
struct MinMetric {
  Undefined undefined = undefined::nan;  // no rows
  auto update(auto values, auto weight) const {
    const auto none = option<&MinMetric::undefined>(std::numeric_limits<double>::infinity());
    return states(min(detail::with_weight(values, weight, none)), sum(weight != constant<0>));
  }
  double result(double least, double rows) const { return rows == 0 ? undefined.value : least; }
  bool operator==(const MinMetric&) const = default;
};

// The largest value. TorchMetrics: MaxMetric.
struct MaxMetric {
  Undefined undefined = undefined::nan;
  auto update(auto values, auto weight) const {
    const auto none = option<&MaxMetric::undefined>(-std::numeric_limits<double>::infinity());
    return states(max(detail::with_weight(values, weight, none)), sum(weight != constant<0>));
  }
  double result(double most, double rows) const { return rows == 0 ? undefined.value : most; }
  bool operator==(const MaxMetric&) const = default;
};

// sum(w (x - mean)^2) / (sum(w) - ddof) of values with one per row. Libraries disagree on ddof, so
// it must be named: 0 (NumPy) or 1 (PyTorch, pandas).
struct Variance {
  std::optional<int> ddof{};
  Undefined undefined = undefined::nan;
  auto update(auto values, auto weight) const {
    return states(moments(cast<double>(values), weight));
  }
  double result(const Moments& m) const {
    const double rows = m.weight - detail::check_ddof(ddof);
    return rows > 0 ? m.m2 / rows : undefined.value;
  }
  void validate() const { (void)detail::check_ddof(ddof); }
  bool operator==(const Variance&) const = default;
};

// sum(w (x - mean(x)) (y - mean(y))) / (sum(w) - ddof) of two variables with one value per row.
struct Covariance {
  std::optional<int> ddof{};
  Undefined undefined = undefined::nan;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(co_moments(cast<double>(y_true), cast<double>(y_pred), weight));
  }
  double result(const CoMoments& m) const {
    const double rows = m.weight - detail::check_ddof(ddof);
    return rows > 0 ? m.cxy / rows : undefined.value;
  }
  void validate() const { (void)detail::check_ddof(ddof); }
  bool operator==(const Covariance&) const = default;
};

}  // namespace situ
