// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> regression_catalog() {
  using namespace situ;
  constexpr auto values = [](const Batch& b, auto f) { f(b.targets, b.scores); };
  static const std::vector<Entry> entries{
      entry("MeanAbsolutePercentageError", "100 mean(|y - p| / |y|)", values,
            MeanAbsolutePercentageError{}),
      entry("SymmetricMAPE", "mean(2 |y - p| / (|y| + |p|))", values, SymmetricMAPE{}),
      entry("WeightedMAPE", "sum |y - p| / sum |y|", values, WeightedMAPE{}),
      entry("MeanSquaredLogarithmicError", "mean((log(1 + y) - log(1 + p))^2)", values,
            MeanSquaredLogarithmicError{}),
      entry("LogCoshError", "mean of log cosh of the error", values, LogCoshError{}),
      entry("Huber", "squared error up to 1, linear beyond", values, Huber{}),
      entry("ExplainedVariance", "1 - var(y - p) / var(y)", values, ExplainedVariance{}),
      entry("RelativeSquaredError", "squared errors by those of the mean", values,
            RelativeSquaredError{}),
      entry("Correlation", "Pearson's correlation of y and p", values, Correlation{}),
      entry("Concordance", "Lin's concordance of y and p", values, Concordance{})};
  return entries;
}

}  // namespace evaluate
