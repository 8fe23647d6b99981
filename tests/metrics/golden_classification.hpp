// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs recorded cases of tests/reference through one metric, and prints how many agree with whom.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "reference_cases.hpp"
#include "situ/metric.hpp"
#include "situ/metrics/class_scores.hpp"

namespace golden_classification {

using reference::Case;
using situ::Host;
using situ::View;

inline std::vector<double> numbers_of(double x) { return {x}; }
inline std::vector<double> numbers_of(const std::vector<double>& x) { return x; }
inline std::vector<double> numbers_of(const situ::ClassScores& x) { return {x.begin(), x.end()}; }

template <class T>
std::vector<T> typed(const std::vector<double>& values) {
  if constexpr (std::is_same_v<T, situ::float16>) {
    std::vector<T> out;
    for (const std::uint16_t bits : reference::as_half_bits(values))
      out.push_back(T::from_bits(bits));
    return out;
  } else {
    return reference::as<T>(values);
  }
}
template <int Rank, class T>
View<const T, Rank, Host> rows_of(const std::vector<T>& all, std::int64_t first, std::int64_t rows,
                                  std::int64_t cols) {
  if constexpr (Rank == 1) {
    return {all.data() + first * cols, {{rows}}};
  } else {
    return {all.data() + first * cols, {{rows, cols}}};
  }
}

// The metric's answer after one update per batch. Weights: given as the case says, or never. YRank
// 0: the metric takes no y_true.
template <int YRank, int PRank, class Y, class P, bool Weighted = true, class M>
std::vector<double> answer(const M& metric, const Case& c) {
  const reference::Inputs in = reference::make_inputs(c);
  const std::vector<Y> y = typed<Y>(in.y_true);
  const std::vector<P> p = typed<P>(in.y_pred);
  const std::vector<float> w = typed<float>(in.weight);
  situ::Metric<M, Host> m(metric);
  std::int64_t first = 0;
  for (const std::int64_t rows : c.batches) {
    const auto update = [&](const auto&... data) {
      if (c.weight == "none") {
        m.update_state(data...);
      } else if constexpr (Weighted) {
        m.update_state(data..., rows_of<1>(w, first, rows, 1));
      }
    };
    const auto s = rows_of<PRank>(p, first, rows, c.pred_cols());
    if constexpr (YRank == 0) {
      update(s);
    } else {
      update(rows_of<YRank>(y, first, rows, c.true_cols()), s);
    }
    first += rows;
  }
  return numbers_of(m.result());
}

inline bool close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    if (!(std::abs(a[i] - b[i]) <= tolerance * std::max(1.0, std::abs(b[i])))) return false;
  }
  return true;
}

// Counts the cases, of those that are `selected`, in which `answer_of(c)` is what `library`
// recorded. Where it is not, a tag of the case must say why. Keras and TorchMetrics compute in float32. Returns how
// many cases there are.
template <class Answer, class Selected>
int compare(const std::string& file, const std::string& metric, const std::string& library,
            Answer answer_of, Selected selected) {
  const bool in_float32 = library == "keras" || library == "torchmetrics";
  const double tolerance = in_float32 ? 2e-5 : 1e-9;
  int asked = 0;
  int agreed = 0;
  int explained = 0;
  for (const Case& c : reference::read_cases(SITU_TEST_SOURCE_DIR "/reference/" + file, metric)) {
    if (c.values.count(library) == 0 || !selected(c)) continue;
    INFO(metric << " id=" << c.id << " rows=" << c.rows << " cols=" << c.cols);
    const std::vector<double> got = answer_of(c);
    if (got.empty() && c.batches.empty()) continue;  // the number of classes is not known yet
    ++asked;
    if (c.has_value(library) && close(got, c.values.at(library), tolerance)) {
      ++agreed;
    } else if (c.differs(library)) {
      ++explained;
    } else {
      const double want = c.has_value(library) ? c.values.at(library)[0] : 0;
      CHECK_MESSAGE(false, "answer " << got.at(0) << ", " << library << " " << want);
    }
  }
  if (asked == 0) return 0;
  CHECK(agreed > asked / 2);
  std::printf("%-28s %-12s %3d of %3d agree, %d differ for a recorded reason\n", metric.c_str(),
              library.c_str(), agreed, asked, explained);
  return asked;
}
// With `library`, and with TorchMetrics where it was asked.
template <class Answer>
void compare(const std::string& metric, const std::string& library, Answer answer_of) {
  const std::string file = "golden_classification.txt";
  const auto all = [](const Case&) { return true; };
  CHECK(compare(file, metric, library, answer_of, all) >= 400);
  compare(file, metric, "torchmetrics", answer_of, all);
}

}  // namespace golden_classification
