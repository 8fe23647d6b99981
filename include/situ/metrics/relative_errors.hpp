// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/metrics/ratio.hpp"

// Errors relative to the size of the target, and on other scales. y_true and y_pred: one shape,
// rank 1 or 2, real numbers. A rank-2 error is averaged over its row first; rows are then averaged
// by weight.
namespace situ {

namespace detail {
// The type of computed values: that of y_pred, at least float.
template <class P>
using real_of = typename decltype(exp(real_prediction(std::declval<P>())))::value_type;
// y and p of one shape, y in the type of computed values.
template <class R, symbolic T, symbolic P>
constexpr auto real_pair_as(T y_true, P y_pred) {
  return real_pair(cast<R>(real_target(y_true)), y_pred);
}
inline void check_epsilon(double epsilon) {
  if (!(epsilon >= 0))
    throw argument_error("situ: epsilon must not be negative; use 0 or a little more");
}
}  // namespace detail

// 100 mean(|y - p| / max(|y|, epsilon)), in percent. Keras: metrics.MeanAbsolutePercentageError;
// the same without the factor 100 and with the epsilon of float64 is scikit-learn's.
struct MeanAbsolutePercentageError {
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = detail::real_pair_as<R>(y_true, y_pred);
    const auto size = maximum(abs(y), option<&MeanAbsolutePercentageError::epsilon>(epsilon));
    return weighted_mean_states(abs(y - p) / size, weight);
  }
  double result(double total, double weight) const { return 100 * ratio(total, weight, undefined); }
  void validate() const { detail::check_epsilon(epsilon); }
  bool operator==(const MeanAbsolutePercentageError&) const = default;
};

// mean(2 |y - p| / (|y| + |p|)), within [0, 2]; elements where both are 0 count as 0. TorchMetrics:
// SymmetricMeanAbsolutePercentageError.
struct SymmetricMAPE {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = detail::real_pair_as<R>(y_true, y_pred);
    const auto size = abs(y) + abs(p);
    const auto share = constant<2> * abs(y - p) / where(size == constant<0>, constant<1>, size);
    return weighted_mean_states(share, weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const SymmetricMAPE&) const = default;
};

// sum(w |y - p|) / sum(w |y|): errors of all rows and columns by the size of all targets.
// TorchMetrics: WeightedMeanAbsolutePercentageError.
struct WeightedMAPE {
  Undefined undefined = undefined::zero;  // all targets are 0
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto [y, p] = real_pair(y_true, y_pred);
    return states(sum(weigh(weight, abs(y - p))), sum(weigh(weight, abs(y))));
  }
  double result(double errors, double sizes) const { return ratio(errors, sizes, undefined); }
  bool operator==(const WeightedMAPE&) const = default;
};

// mean((log(1 + max(y, epsilon)) - log(1 + max(p, epsilon)))^2): negative numbers count as epsilon.
// Keras: metrics.MeanSquaredLogarithmicError.
struct MeanSquaredLogarithmicError {
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto least = option<&MeanSquaredLogarithmicError::epsilon>(epsilon);
    const auto [y, p] = detail::real_pair_as<R>(y_true, y_pred);
    return weighted_mean_states(square(log1p(maximum(y, least)) - log1p(maximum(p, least))),
                                weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_epsilon(epsilon); }
  bool operator==(const MeanSquaredLogarithmicError&) const = default;
};

// mean(log(cosh(p - y))), computed as x + softplus(-2 x) - log 2, which does not overflow. Keras:
// metrics.LogCoshError.
struct LogCoshError {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = real_pair(y_true, y_pred);
    const auto x = abs(cast<R>(p - y));
    const auto log_2 = option<&LogCoshError::undefined>(0.693147180559945309417);
    return weighted_mean_states(x + softplus(constant<-2> * x) - log_2, weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const LogCoshError&) const = default;
};

// mean of e^2 / 2 where |e| <= delta, else delta (|e| - delta / 2), of e = y - p. Keras:
// losses.Huber.
struct Huber {
  double delta = 1;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = real_pair(y_true, y_pred);
    const auto e = abs(cast<R>(y - p));
    const auto d = option<&Huber::delta>(delta);
    const auto half = option<&Huber::delta, 1>(0.5);
    return weighted_mean_states(where(e <= d, half * square(e), d * (e - half * d)), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const {
    if (!(delta > 0)) throw argument_error("situ: delta of the Huber error must be above 0");
  }
  bool operator==(const Huber&) const = default;
};

// Pinball loss of a predicted quantile: mean(max(q (y - p), (q - 1) (y - p))). scikit-learn:
// mean_pinball_loss with alpha = q.
struct Quantile {
  double quantile = 0.5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = real_pair(y_true, y_pred);
    const auto e = cast<R>(y - p);
    return weighted_mean_states(maximum(option<&Quantile::quantile>(quantile) * e,
                                        option<&Quantile::quantile, 1>(quantile - 1) * e),
                                weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const {
    if (!(quantile >= 0 && quantile <= 1)) {
      throw argument_error("situ: the quantile of a pinball loss must be within [0, 1]");
    }
  }
  bool operator==(const Quantile&) const = default;
};

// Peak signal-to-noise ratio, 10 log10(range^2 / mean squared error) over all elements, in decibel;
// infinite when nothing differs. `data_range` is that of the targets and has no default.
// TorchMetrics: PeakSignalNoiseRatio.
struct PSNR {
  double data_range = 0;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto [y, p] = real_pair(y_true, y_pred);
    return weighted_mean_states(square(p - y), weight);
  }
  double result(double total, double weight) const {
    if (weight == 0) return undefined.value;
    return 10 * std::log10(data_range * data_range * weight / total);
  }
  void validate() const {
    if (!(data_range > 0)) {
      throw argument_error(
          "situ: the data range of PSNR is not named, or not above 0; set .data_range, "
          "255 for bytes");
    }
  }
  bool operator==(const PSNR&) const = default;
};

}  // namespace situ
