// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the recorded cases of golden_regression.txt through one metric: each must be the
// definition's answer, and those of the libraries, or a tag says why not.

#include "golden_classification.hpp"

namespace golden_regression {

using golden_classification::answer;
using golden_classification::close;
using golden_classification::rows_of;
using golden_classification::typed;
using reference::Case;
using situ::Host;
using situ::View;

// Compares with every library that recorded answers. Predictions of float32 and float16 are
// computed in float32, thus the tolerance of 2e-6; float64 ones, and `in_double`, are not.
template <class Answer>
void check(const std::string& metric, bool in_double, Answer answer_of) {
  const auto cases =
      reference::read_cases(SITU_TEST_SOURCE_DIR "/reference/golden_regression.txt", metric);
  CHECK(cases.size() == 520);
  for (const std::string library : {"exact", "keras", "sklearn", "scipy", "torchmetrics"}) {
    const bool in_float32 = library == "keras" || library == "torchmetrics";
    int asked = 0;
    int agreed = 0;
    int explained = 0;
    for (const Case& c : cases) {
      if (c.values.count(library) == 0) continue;
      INFO(metric << " id=" << c.id << " dtype=" << c.dtype << " weight=" << c.weight);
      const std::vector<double> got = answer_of(c);
      const double own = in_double || c.dtype == "f64" ? 1e-9 : 2e-6;
      ++asked;
      if (c.has_value(library) &&
          close(got, c.values.at(library), in_float32 ? 2e-5 : own)) {
        ++agreed;
      } else if (c.differs(library)) {
        ++explained;
      } else {
        CHECK_MESSAGE(
            false, "answer " << got.at(0) << ", " << library << " " << c.values.at(library).at(0));
      }
    }
    if (asked == 0) continue;
    std::printf("%-28s %-12s %3d of %3d agree, %d differ for a recorded reason\n", metric.c_str(),
                library.c_str(), agreed, asked, explained);
    if (library == "exact") CHECK(agreed == asked);
  }
}

// y_true and y_pred of one shape [rows, cols], in the case's type.
template <int Rank, class M>
std::vector<double> same_shape(const M& metric, const Case& c) {
  if (c.dtype == "f64") return answer<Rank, Rank, double, double>(metric, c);
  if (c.dtype == "f16") return answer<Rank, Rank, float, situ::float16>(metric, c);
  return answer<Rank, Rank, float, float>(metric, c);
}
// y_pred alone.
template <class M>
std::vector<double> values_only(const M& metric, const Case& c) {
  if (c.dtype == "f64") return answer<0, 1, double, double>(metric, c);
  if (c.dtype == "f16") return answer<0, 1, float, situ::float16>(metric, c);
  return answer<0, 1, float, float>(metric, c);
}
// Integer labels [rows] beside y_pred.
template <int Rank, class M>
std::vector<double> with_labels(const M& metric, const Case& c) {
  if (c.dtype == "f64") return answer<1, Rank, std::int32_t, double>(metric, c);
  if (c.dtype == "f16") return answer<1, Rank, std::int32_t, situ::float16>(metric, c);
  return answer<1, Rank, std::int32_t, float>(metric, c);
}

}  // namespace golden_regression
