// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> regression_catalog() {
  using namespace situ;
  constexpr auto values = [](const Batch& b, auto f) { return f(b.targets, b.given, b.weight); };
  constexpr auto predictions = [](const Batch& b, auto f) { return f(b.given, b.weight); };
  static const std::vector<Entry> entries{
      entry("MeanAbsolutePercentageError", "100 mean(|y - p| / |y|)", values,
            MeanAbsolutePercentageError{}),
      entry("SymmetricMAPE", "mean(2 |y - p| / (|y| + |p|))", values, SymmetricMAPE{}),
      entry("WeightedMAPE", "sum |y - p| / sum |y|", values, WeightedMAPE{}),
      entry("MeanSquaredLogarithmicError", "mean((log(1 + y) - log(1 + p))^2)", values,
            MeanSquaredLogarithmicError{}),
      entry("LogCoshError", "mean of log cosh of the error", values, LogCoshError{}),
      entry("Huber", "squared error up to 1, linear beyond", values, Huber{}),
      entry("Quantile:0.5", "mean pinball loss of quantile 0.5", values,
            [](const Options& o) { return Quantile{.quantile = o.value}; }),
      entry("PSNR:255", "10 log10(255^2 / MeanSquaredError), 255 the range of the data", values,
            [](const Options& o) { return PSNR{.data_range = o.value}; }),
      entry("Poisson", "mean(p - y log p)", values, Poisson{}),
      entry("TweedieDeviance:1.5", "mean Tweedie deviance of power 1.5", values,
            [](const Options& o) { return TweedieDeviance{.power = o.value}; }),
      entry("ExplainedVariance", "1 - var(y - p) / var(y)", values, ExplainedVariance{}),
      entry("RelativeSquaredError", "squared errors by those of the mean", values,
            RelativeSquaredError{}),
      entry("Correlation", "Pearson's correlation of y and p", values, Correlation{}),
      entry("Concordance", "Lin's concordance of y and p", values, Concordance{}),
      entry("Covariance:1", "sum (y - mean)(p - mean) / (weight - 1)", values,
            [](const Options& o) { return Covariance{.ddof = whole_value(o)}; }),
      entry("Mean", "mean of the predictions", predictions, Mean{}),
      entry("Sum", "sum of the predictions", predictions, Sum{}),
      entry("Variance:1", "sum (p - mean)^2 / (weight - 1) of the predictions", predictions,
            [](const Options& o) { return Variance{.ddof = whole_value(o)}; }),
      entry("MinMetric", "least prediction", predictions, MinMetric{}),
      entry("MaxMetric", "largest prediction", predictions, MaxMetric{})};
  return entries;
}

}  // namespace evaluate
