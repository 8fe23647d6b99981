// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "catalog.hpp"

namespace evaluate {

std::span<const Entry> regression_catalog() {
  using namespace situ;
  constexpr auto values = [](const Batch& b, auto f) { f(b.targets, b.scores); };
  static const std::vector<Entry> entries{
      entry("MeanAbsolutePercentageError", "100 mean(|y - p| / |y|)", values,
            [](const Options&) { return MeanAbsolutePercentageError{}; }),
      entry("SymmetricMAPE", "mean(2 |y - p| / (|y| + |p|))", values,
            [](const Options&) { return SymmetricMAPE{}; }),
      entry("WeightedMAPE", "sum |y - p| / sum |y|", values,
            [](const Options&) { return WeightedMAPE{}; }),
      entry("MeanSquaredLogarithmicError", "mean((log(1 + y) - log(1 + p))^2)", values,
            [](const Options&) { return MeanSquaredLogarithmicError{}; }),
      entry("LogCoshError", "mean of log cosh of the error", values,
            [](const Options&) { return LogCoshError{}; }),
      entry("Huber", "squared error up to 1, linear beyond", values, [](const Options&) { return Huber{}; }),
      entry("ExplainedVariance", "1 - var(y - p) / var(y)", values,
            [](const Options&) { return ExplainedVariance{}; }),
      entry("RelativeSquaredError", "squared errors by those of the mean", values,
            [](const Options&) { return RelativeSquaredError{}; }),
      entry("Correlation", "Pearson's correlation of y and p", values,
            [](const Options&) { return Correlation{}; }),
      entry("Concordance", "Lin's concordance of y and p", values,
            [](const Options&) { return Concordance{}; })};
  return entries;
}

}  // namespace evaluate
