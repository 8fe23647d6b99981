// SPDX-License-Identifier: Apache-2.0
// Recorded cases of the correlation of two variables, some with a mean of 1e8.
#include "golden_regression.hpp"
#include "situ/metrics/aggregate.hpp"
#include "situ/metrics/correlation.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("correlation of variables agrees with its definition and with SciPy") {
  check("Correlation", true, [](const Case& c) { return same_shape<1>(Correlation{}, c); });
  check("Concordance", true, [](const Case& c) { return same_shape<1>(Concordance{}, c); });
  check("Covariance", true, [](const Case& c) {
    return same_shape<1>(Covariance{.ddof = static_cast<int>(c.number("ddof", 0))}, c);
  });
}

TEST_CASE("variance and extremes agree with their definitions and with TorchMetrics") {
  check("Variance", true, [](const Case& c) {
    return values_only(Variance{.ddof = static_cast<int>(c.number("ddof", 0))}, c);
  });
  check("MinMetric", true, [](const Case& c) { return values_only(MinMetric{}, c); });
  check("MaxMetric", true, [](const Case& c) { return values_only(MaxMetric{}, c); });
}
