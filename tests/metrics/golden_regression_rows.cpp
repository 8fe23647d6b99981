// SPDX-License-Identifier: Apache-2.0
// Recorded cases of likeness of rows.
#include "golden_regression.hpp"
#include "situ/metrics/correlation.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("likeness of rows agrees with its definition and with Keras") {
  check("CosineSimilarity", true,
        [](const Case& c) { return same_shape<2>(CosineSimilarity{}, c); });
  check("PearsonCorrelation", true,
        [](const Case& c) { return same_shape<2>(PearsonCorrelation{}, c); });
  check("ConcordanceCorrelation", true,
        [](const Case& c) { return same_shape<2>(ConcordanceCorrelation{}, c); });
}
