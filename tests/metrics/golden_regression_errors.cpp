// SPDX-License-Identifier: Apache-2.0
// Recorded cases of relative and robust errors.
#include "golden_regression.hpp"
#include "situ/metrics/relative_errors.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("relative errors agree with their definitions, Keras and scikit-learn") {
  check("MeanAbsolutePercentageError", false,
        [](const Case& c) { return same_shape<2>(MeanAbsolutePercentageError{}, c); });
  check("SymmetricMAPE", false, [](const Case& c) { return same_shape<2>(SymmetricMAPE{}, c); });
  check("WeightedMAPE", false, [](const Case& c) { return same_shape<2>(WeightedMAPE{}, c); });
  check("MeanSquaredLogarithmicError", false,
        [](const Case& c) { return same_shape<2>(MeanSquaredLogarithmicError{}, c); });
}
