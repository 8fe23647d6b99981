// SPDX-License-Identifier: Apache-2.0
// Recorded cases with equal scores in top-k, of each library under its policy.
#include "golden_classification.hpp"
#include "situ/metrics/top_k.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

template <Ties Policy>
std::vector<double> top(const Case& c) {
  const int k = static_cast<int>(c.number("k", 5));
  if (c.true_is_label()) {
    return answer<1, 2, std::int32_t, float>(with_ties<Policy>(SparseTopKCategoricalAccuracy{k}),
                                             c);
  }
  return answer<2, 2, float, float>(with_ties<Policy>(TopKCategoricalAccuracy{k}), c);
}
bool in_float(const Case& c) { return c.dtype == "f32"; }

// Under the policy of a library nothing is left to explain but what it refuses.
template <Ties Policy>
void check(const char* metric, const std::string& library) {
  const auto answered = [&](const Case& c) {
    return in_float(c) && c.has_value(library) && !c.has_tag("zero_weight");
  };
  for (const char* name : {"TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy"}) {
    int equal = 0;
    int all = 0;
    for (const Case& c :
         reference::read_cases(SITU_TEST_SOURCE_DIR "/reference/golden.txt", name)) {
      if (!answered(c)) continue;
      INFO(metric << ' ' << name << " id=" << c.id);
      ++all;
      const bool same =
          close(top<Policy>(c), c.values.at(library), library == "keras" ? 2e-5 : 1e-9);
      CHECK(same);
      equal += same ? 1 : 0;
    }
    CHECK(all > 40);
    std::printf("%-28s %-8s %3d of %3d agree with ties as there\n", name, library.c_str(), equal,
                all);
  }
}

}  // namespace

TEST_CASE("top-k accuracy with ties::keras agrees with Keras in every case") {
  check<ties::keras>("ties::keras", "keras");
}
TEST_CASE("top-k accuracy with ties::sklearn agrees with scikit-learn in every case") {
  check<ties::sklearn>("ties::sklearn", "sklearn");
}
