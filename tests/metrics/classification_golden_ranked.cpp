// SPDX-License-Identifier: Apache-2.0
// Recorded cases with class_id and top_k.
#include "golden_classification.hpp"
#include "situ/metrics/at_thresholds.hpp"

namespace {

using namespace situ;
using namespace golden_classification;

template <class M>
std::vector<double> ranked(const M& metric, const Case& c) {
  return answer<2, 2, std::int32_t, float>(metric, c);
}
// The answers at all thresholds of a case; beside top_k there is none unless it is named.
template <class Answer>
std::vector<double> at_each(const Case& c, Answer answer_at) {
  std::vector<double> found;
  for (const double t :
       reference::numbers(c.option("threshold", c.has_option("top_k") ? "-inf" : "0.5"))) {
    for (const double x : answer_at(t)) found.push_back(x);
  }
  return found;
}
bool best_only(const Case& c) { return c.has_option("top_k") && !c.has_option("class_id"); }
bool class_only(const Case& c) { return c.has_option("class_id") && !c.has_option("top_k"); }
bool best_two_of_class(const Case& c) {
  return c.has_option("class_id") && c.number("top_k", 0) == 2;
}

template <class Answer, class Selected>
void check(const char* name, Answer answer_of, Selected selected) {
  CHECK(compare("golden.txt", name, "exact", answer_of, selected) > 3);
  compare("golden.txt", name, "keras", answer_of,
          [&](const Case& c) { return selected(c) && !c.has_tag("ties"); });
}

}  // namespace

TEST_CASE("top_k agrees with Keras where no equal scores compete") {
  check(
      "Precision",
      [](const Case& c) {
        const int k = static_cast<int>(c.number("top_k", 0));
        return at_each(c, [&](double t) {
          const Precision metric{.threshold = t};
          return k == 1   ? ranked(top_k<1>(metric), c)
                 : k == 2 ? ranked(top_k<2>(metric), c)
                          : ranked(top_k<3>(metric), c);
        });
      },
      best_only);
}
TEST_CASE("class_id agrees with Keras, also beside top_k") {
  const auto column = [](const Case& c) {
    return static_cast<std::int32_t>(c.number("class_id", 0));
  };
  check(
      "Recall",
      [&](const Case& c) {
        return at_each(c, [&](double t) { return ranked(of_class(Recall{t}, column(c)), c); });
      },
      class_only);
  check(
      "Recall",
      [&](const Case& c) {
        return at_each(
            c, [&](double t) { return ranked(top_k<2>(of_class(Recall{t}, column(c))), c); });
      },
      best_two_of_class);
}
