// SPDX-License-Identifier: Apache-2.0
// Batches, merging and dropped rows of relative and robust errors.
#include "regression_splits.hpp"

#include "situ/metrics/relative_errors.hpp"

namespace {
using namespace situ;
using namespace regression_splits;
}  // namespace

TEST_CASE("relative and robust errors do not depend on batches or dropped rows") {
  check<Rows>(MeanAbsolutePercentageError{});
  check<Rows>(SymmetricMAPE{});
  check<Rows>(WeightedMAPE{});
  check<Rows>(MeanSquaredLogarithmicError{});
  check<Rows>(LogCoshError{});
  check<Rows>(Huber{.delta = 0.25});
  check<Rows>(Quantile{.quantile = 0.75});
  check<Rows>(PSNR{.data_range = 1});
}
