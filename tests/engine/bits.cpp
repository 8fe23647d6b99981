// SPDX-License-Identifier: Apache-2.0
// Results have the same bits on every instruction set, compiler and number of threads. This file is built for
// several instruction sets; all of them must give the fingerprints written here.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "situ/situ.hpp"

namespace {

using namespace situ;

struct Data {
  std::int64_t rows;
  std::int64_t classes;
  std::vector<float> labels;
  std::vector<float> scores;
  std::vector<float> weights;
  std::vector<std::int32_t> classes_true;
  std::vector<float> logits;

  Data(std::int64_t n, std::int64_t c) : rows(n), classes(c) {
    std::uint32_t state = 12345;
    const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    for (std::int64_t i = 0; i < n; ++i) {
      labels.push_back(static_cast<float>(next() & 1));
      scores.push_back(static_cast<float>(next()) / 16777216.0f);
      weights.push_back(static_cast<float>(next() % 5));
      classes_true.push_back(static_cast<std::int32_t>(next() % static_cast<std::uint32_t>(c)));
      for (std::int64_t j = 0; j < c; ++j) {
        logits.push_back(static_cast<float>(next()) / 1048576.0f - 8.0f);
      }
    }
  }
};

std::uint64_t fingerprint(const std::vector<unsigned char>& bytes) {
  return detail::fingerprint(bytes.data(), bytes.size());
}

template <class Metrics, class Executor>
std::uint64_t elementwise(Metrics metrics, const Data& d, Executor executor) {
  const View<const float, 1, Host> y(d.labels);
  const View<const float, 1, Host> p(d.scores);
  const View<const float, 1, Host> w(d.weights);
  metrics.update_state(on(executor), y, p, w);
  metrics.update_state(on(executor), y, p);
  return fingerprint(metrics.save());
}
template <class Metrics, class Executor>
std::uint64_t by_class(Metrics metrics, const Data& d, Executor executor) {
  const View<const std::int32_t, 1, Host> y(d.classes_true);
  const View<const float, 2, Host> p(d.logits.data(), {{d.rows, d.classes}});
  const View<const float, 1, Host> w(d.weights);
  metrics.update_state(on(executor), y, p, w);
  metrics.update_state(on(executor), y, p);
  return fingerprint(metrics.save());
}

auto binary_metrics() {
  return collect<Host>(BinaryAccuracy{}, Precision{}, Recall{}, AUC{}, MeanSquaredError{},
                       MeanAbsoluteError{}, R2Score{}, BinaryCrossentropy{.from_logits = false});
}
auto class_metrics() {
  return collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 3},
                       SparseCategoricalCrossentropy{.from_logits = true},
                       F1Score{.average = Average::macro}, ConfusionMatrix{});
}

template <class F>
void same_for_all_executors(std::uint64_t expected, F f) {
  CHECK_MESSAGE(f(serial{}) == expected, "serial gave ", f(serial{}));
  for (const int n : {1, 2, 3, 7, 16}) {
    CHECK_MESSAGE(f(threads{n}) == expected, n, " threads");
    CHECK_MESSAGE(f(std_threads{n}) == expected, n, " standard threads");
  }
}

}  // namespace

TEST_CASE("elementwise metrics have the same bits everywhere") {
  const Data d(400003, 1);
  same_for_all_executors(14554289144559444507u, [&](auto executor) { return elementwise(binary_metrics(), d, executor); });
}
TEST_CASE("metrics of short rows have the same bits everywhere") {
  const Data d(40007, 10);
  same_for_all_executors(8174659575208188022u, [&](auto executor) { return by_class(class_metrics(), d, executor); });
}
TEST_CASE("metrics of long rows have the same bits everywhere") {
  const Data d(3001, 103);
  same_for_all_executors(9691744468801748833u, [&](auto executor) { return by_class(class_metrics(), d, executor); });
}
