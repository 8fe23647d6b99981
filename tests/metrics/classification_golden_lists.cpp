// SPDX-License-Identifier: Apache-2.0
// Recorded cases with lists of thresholds.
#include "golden_classification.hpp"
#include "situ/metrics/at_thresholds.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

std::vector<double> thresholds(const Case& c) {
  return reference::numbers(c.option("threshold", "0.5"));
}
bool is_list(const Case& c) {
  return thresholds(c).size() > 1 && !c.has_option("top_k") && !c.has_option("class_id");
}

// Cases have two to four thresholds: lists are filled up beyond 1, and cut again.
template <class M>
void lists(const char* name) {
  const auto of_list = [](const Case& c) {
    const std::vector<double> at = thresholds(c);
    AtThresholds<M, 4> metric{};
    for (std::size_t i = 0; i < 4; ++i) {
      metric.thresholds[i] = i < at.size() ? at[i] : static_cast<double>(i);
    }
    std::vector<double> got = answer<1, 1, std::int32_t, float>(metric, c);
    got.resize(at.size());
    return got;
  };
  CHECK(compare("golden.txt", name, "keras", of_list, is_list) > 40);
  compare("golden.txt", name, "exact", of_list, is_list);
}

}  // namespace

TEST_CASE("lists of thresholds agree with Keras") {
  lists<TruePositives>("TruePositives");
  lists<TrueNegatives>("TrueNegatives");
  lists<Precision>("Precision");
  lists<Recall>("Recall");
}
