// SPDX-License-Identifier: Apache-2.0
// Batches, merging and dropped rows of margins and divergences.
#include "regression_splits.hpp"
#include "situ/metrics/divergence.hpp"
#include "situ/metrics/hinge.hpp"

namespace {
using namespace situ;
using namespace regression_splits;
}  // namespace

TEST_CASE("margins do not depend on batches or dropped rows") {
  check<Rows>(Hinge{});
  check<Rows>(SquaredHinge{});
  check<Rows>(CategoricalHinge{});
}

TEST_CASE("divergences do not depend on batches or dropped rows") {
  check<Rows>(KLDivergence{});
  check<Rows>(Poisson{});
}
