// SPDX-License-Identifier: Apache-2.0
// Recorded cases of margins and divergences.
#include "golden_regression.hpp"
#include "situ/metrics/divergence.hpp"
#include "situ/metrics/hinge.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("margins agree with their definitions, Keras and scikit-learn") {
  check("Hinge", false, [](const Case& c) { return same_shape<2>(Hinge{}, c); });
  check("SquaredHinge", false, [](const Case& c) { return same_shape<2>(SquaredHinge{}, c); });
  check("CategoricalHinge", false,
        [](const Case& c) { return same_shape<2>(CategoricalHinge{}, c); });
}

TEST_CASE("divergences agree with their definitions and Keras") {
  check("KLDivergence", false, [](const Case& c) { return same_shape<2>(KLDivergence{}, c); });
  check("Poisson", false, [](const Case& c) { return same_shape<2>(Poisson{}, c); });
}
