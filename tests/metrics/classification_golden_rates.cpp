// SPDX-License-Identifier: Apache-2.0
// Recorded cases of the best rate under a constraint.
#include "golden_classification.hpp"
#include "situ/metrics/constrained.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

template <class M>
void rate(const char* name, const char* constraint) {
  compare(name, "keras", [&](const Case& c) {
    const M metric{c.number(constraint, 0), static_cast<int>(c.number("num_thresholds", 200))};
    if constexpr (std::is_same_v<M, PrecisionAtRecall>) {
      if (c.dtype == "f64") return answer<1, 1, std::int32_t, double>(metric, c);
      if (c.dtype == "f16") return answer<1, 1, std::int32_t, float16>(metric, c);
    }
    return answer<1, 1, std::int32_t, float>(metric, c);
  });
}

}  // namespace

TEST_CASE("the best rates under a constraint agree with Keras") {
  rate<PrecisionAtRecall>("PrecisionAtRecall", "recall");
  rate<RecallAtPrecision>("RecallAtPrecision", "precision");
  rate<SensitivityAtSpecificity>("SensitivityAtSpecificity", "specificity");
  rate<SpecificityAtSensitivity>("SpecificityAtSensitivity", "sensitivity");
}
