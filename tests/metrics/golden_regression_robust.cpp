// SPDX-License-Identifier: Apache-2.0
// Recorded cases of robust errors.
#include "golden_regression.hpp"
#include "situ/metrics/relative_errors.hpp"

using namespace situ;
using namespace golden_regression;

TEST_CASE("robust errors agree with their definitions, Keras and scikit-learn") {
  check("LogCoshError", false, [](const Case& c) { return same_shape<2>(LogCoshError{}, c); });
  check("Huber", false,
        [](const Case& c) { return same_shape<2>(Huber{.delta = c.number("delta", 1)}, c); });
  check("Quantile", false, [](const Case& c) {
    return same_shape<2>(Quantile{.quantile = c.number("quantile", 0.5)}, c);
  });
  check("PSNR", false, [](const Case& c) {
    return same_shape<2>(PSNR{.data_range = c.number("data_range", 1)}, c);
  });
}
