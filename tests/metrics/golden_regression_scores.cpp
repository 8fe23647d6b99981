// SPDX-License-Identifier: Apache-2.0
// Recorded cases of probabilistic scores and deviances.
#include "golden_regression.hpp"
#include "situ/metrics/divergence.hpp"
#include "situ/metrics/probabilistic.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("probabilistic scores agree with their definitions and scikit-learn") {
  check("Perplexity", false,
        [](const Case& c) { return with_labels<2>(Perplexity{.from_logits = true}, c); });
  check("BrierScore", true, [](const Case& c) { return with_labels<1>(BrierScore{}, c); });
  check("LogLoss", true, [](const Case& c) { return with_labels<1>(LogLoss{}, c); });
  check("TweedieDeviance", true, [](const Case& c) {
    return same_shape<1>(TweedieDeviance{.power = c.number("power", 0)}, c);
  });
}

TEST_CASE("explained variance agrees with its definition and scikit-learn") {
  check("ExplainedVariance", true,
        [](const Case& c) { return same_shape<2>(ExplainedVariance{}, c); });
  check("RelativeSquaredError", true,
        [](const Case& c) { return same_shape<2>(RelativeSquaredError{}, c); });
}
