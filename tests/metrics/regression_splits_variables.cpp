// SPDX-License-Identifier: Apache-2.0
// Batches, merging and dropped rows of likeness, correlations and explained variance.
#include "regression_splits.hpp"
#include "situ/metrics/aggregate.hpp"
#include "situ/metrics/correlation.hpp"
#include "situ/metrics/probabilistic.hpp"

namespace {
using namespace situ;
using namespace regression_splits;
}  // namespace

TEST_CASE("likeness and correlation do not depend on batches or dropped rows") {
  check<Rows>(CosineSimilarity{});
  check<Rows>(PearsonCorrelation{}, 1e-11);  // its rows nearly cancel
  check<Rows>(ConcordanceCorrelation{}, 1e-11);
  check<Numbers>(Correlation{}, 1e-11);
  check<Numbers>(Concordance{}, 1e-11);
  check<Numbers>(Covariance{.ddof = 1}, 1e-11);
  check<Rows>(ExplainedVariance{});
  check<Rows>(RelativeSquaredError{});
}

TEST_CASE("metrics that are NaN when undefined merge, load and compare") {
  CHECK(Correlation{} == Correlation{});
  CHECK_FALSE(Correlation{} == Correlation{.undefined = undefined::zero});
  CHECK_FALSE(undefined::nan == Undefined{undefined::nan.value, Absent::dropped});
}
