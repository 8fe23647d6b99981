// SPDX-License-Identifier: Apache-2.0
// Meant for ThreadSanitizer as well: std_threads is an executor that it can follow.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "situ/situ.hpp"

using namespace situ;

TEST_CASE("different metric objects may be updated from different threads at once") {
  const std::size_t n = 300000;  // several parts, so that each update wakes threads of its own
  std::vector<float> labels(n);
  std::vector<float> scores(n);
  for (std::size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<float>(i % 2);
    scores[i] = static_cast<float>((i * 7919) % 1000) / 1000.0f;
  }
  const View<const float, 1, Host> y(labels);
  const View<const float, 1, Host> p(scores);
  auto expected = collect<Host>(BinaryAccuracy{}, MeanSquaredError{}, AUC{});
  expected.update_state(on(serial{}), y, p);

  std::vector<std::vector<unsigned char>> states(3);
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < states.size(); ++t) {
    team.emplace_back([&, t] {
      auto mine = collect<Host>(BinaryAccuracy{}, MeanSquaredError{}, AUC{});
      mine.update_state(on(std_threads{2}), y, p);
      states[t] = mine.save();
    });
  }
  for (auto& t : team) t.join();
  for (const auto& state : states) CHECK(state == expected.save());
}

TEST_CASE("a broken promise is reported from whichever thread meets it, the first row first") {
  const std::size_t n = 400000;
  std::vector<std::int32_t> labels(n, 1);
  std::vector<float> scores(2 * n, 0.5f);
  labels[390000] = 9;
  labels[70001] = -4;
  const View<const std::int32_t, 1, Host> y(labels);
  const View<const float, 2, Host> p(scores.data(), {{static_cast<std::int64_t>(n), 2}});
  Metric<SparseCategoricalAccuracy, Host> accuracy;
  try {
    accuracy.update_state(on(std_threads{4}), y, p);
    FAIL("the update was accepted");
  } catch (const value_error& e) {
    CHECK(e.index == 70001);
    CHECK(e.value == -4);
  }
  CHECK(accuracy.result() == 0);
}

TEST_CASE("expressions are evaluated by several threads into one tensor") {
  const auto x = Tensor<float, 2, Host>(Shape<2>{{3000, 300}}, 2.0f);
  Tensor<float, 2, Host> y(x.shape());
  assign(on(std_threads{3}), y.view(), x * 2.0f + 1.0f);
  CHECK(evaluate(min(y)) == 5.0f);
  CHECK(evaluate(on(std_threads{3}), max(y)) == 5.0f);
}

TEST_CASE("an exception in one part reaches the caller after all threads have ended") {
  auto part = [](std::int64_t p) {
    if (p == 5) throw argument_error("situ: part 5");
  };
  CHECK_THROWS_AS(std_threads{4}.run(16, part), argument_error);
  CHECK_THROWS_AS(threads{2}.run(16, part), argument_error);
}
