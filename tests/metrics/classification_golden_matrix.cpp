// SPDX-License-Identifier: Apache-2.0
// Recorded cases of metrics of label matrices, and of scores by class.
#include "golden_classification.hpp"
#include "situ/metrics/confusion.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

// f16 and f64 scores for one metric of each kind.
template <class M, bool EveryType>
void at_threshold(const char* name) {
  compare(name, "sklearn", [](const Case& c) {
    const M metric{c.number("threshold", 0.5)};
    if constexpr (EveryType) {
      if (c.dtype == "f64") return answer<2, 2, float, double>(metric, c);
      if (c.dtype == "f16") return answer<2, 2, float, float16>(metric, c);
    }
    return answer<2, 2, float, float>(metric, c);
  });
}
template <class M>
void by_class(const char* name) {
  compare(name, "sklearn", [](const Case& c) {
    const std::string a = c.option("average");
    M metric{a == "micro"      ? Average::micro
             : a == "macro"    ? Average::macro
             : a == "weighted" ? Average::weighted
                               : Average::none};
    if (c.has_option("threshold")) metric.threshold = c.number("threshold", 0);
    return answer<2, 2, float, float>(metric, c);
  });
}

}  // namespace

TEST_CASE("Hamming loss and exact match agree with scikit-learn") {
  at_threshold<HammingLoss, true>("HammingLoss");
  at_threshold<ExactMatch, false>("ExactMatch");
}
TEST_CASE("specificity and negative predictive value agree with scikit-learn") {
  at_threshold<Specificity, false>("Specificity");
  at_threshold<NegativePredictiveValue, false>("NegativePredictiveValue");
}
TEST_CASE("Jaccard index and Dice score agree with scikit-learn") {
  by_class<JaccardIndex>("JaccardIndex");
  by_class<DiceScore>("DiceScore");
}
