// SPDX-License-Identifier: Apache-2.0
// Batches, merging and dropped rows of margins and divergences.
#include "regression_splits.hpp"
#include "situ/metrics/divergence.hpp"
#include "situ/metrics/hinge.hpp"

namespace {
using namespace situ;
using namespace regression_splits;

// Labels of margins are -1 and 1, also in rows of weight 0.
struct Signs {
  static void update(auto& m, Data d, std::int64_t first, std::int64_t count) {
    for (float& y : d.y) y = y > 0.5f ? 1.0f : -1.0f;
    Rows::update(m, d, first, count);
  }
};
}  // namespace

TEST_CASE("margins do not depend on batches or dropped rows") {
  check<Signs>(Hinge{});
  check<Signs>(SquaredHinge{});
  check<Rows>(CategoricalHinge{});
}

TEST_CASE("divergences do not depend on batches or dropped rows") {
  check<Rows>(KLDivergence{});
  check<Rows>(Poisson{});
}
