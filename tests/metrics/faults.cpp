// SPDX-License-Identifier: Apache-2.0
// Faults that other libraries have had. None of them may exist here.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "situ/situ.hpp"

namespace {
using namespace situ;

template <class T>
View<const T, 2, Host> matrix(const std::vector<T>& v, std::int64_t cols) {
  return {v.data(), {{static_cast<std::int64_t>(v.size()) / cols, cols}}};
}
}  // namespace

TEST_CASE("counters are right past 2^24, 2^31 and 2^40") {
  const std::vector<std::uint8_t> one{1};
  const std::vector<float> high{0.75f};
  const View<const std::uint8_t, 1, Host> y(one);
  const View<const float, 1, Host> p(high);
  auto m = collect<Host>(TruePositives{}, BinaryAccuracy{}, AUC{.num_thresholds = 3});
  m.update_state(y, p);
  double count = 1;
  for (int power = 1; power <= 45; ++power) {
    const auto copy = m;
    m.merge_state(copy);
    count *= 2;
    CHECK(m.result<TruePositives>() == count);
    // One more row is never lost.
    m.update_state(y, p);
    count += 1;
    CHECK(m.result<TruePositives>() == count);
    CHECK(m.result<BinaryAccuracy>() == 1);
  }
  CHECK(count > std::pow(2.0, 45));
}

TEST_CASE("labels are never cast to the type of the predictions") {
  // bfloat16 cannot tell 257 from 256 or 258; neither can float16 above 2048.
  const std::int64_t classes = 1000;
  std::vector<std::int32_t> labels;
  std::vector<bfloat16> scores;
  for (std::int32_t label = 257; label < 1000; ++label) {
    labels.push_back(label);
    for (std::int32_t j = 0; j < classes; ++j) scores.push_back(bfloat16(j == label ? 1.0f : 0.0f));
  }
  auto m = collect<Host>(SparseCategoricalAccuracy{}, ConfusionMatrix{});
  m.update_state(View<const std::int32_t, 1, Host>(labels), matrix(scores, classes));
  CHECK(m.result<SparseCategoricalAccuracy>() == 1);
  const auto counts = m.result<ConfusionMatrix>();
  for (std::int64_t c = 257; c < 1000; ++c) CHECK(counts(c, c) == 1);
}

TEST_CASE("an average is right when the last batch is smaller") {
  const std::vector<float> y{0, 0, 0, 0, 0};
  const std::vector<float> p{1, 1, 1, 1, 6};
  auto m = collect<Host>(MeanSquaredError{}, MeanAbsoluteError{});
  m.update_state(View<const float, 1, Host>(y.data(), {{4}}),
                 View<const float, 1, Host>(p.data(), {{4}}));
  m.update_state(View<const float, 1, Host>(y.data() + 4, {{1}}),
                 View<const float, 1, Host>(p.data() + 4, {{1}}));
  CHECK(m.result<MeanSquaredError>() == 8);   // not (1 + 36) / 2
  CHECK(m.result<MeanAbsoluteError>() == 2);  // not (1 + 6) / 2
}

TEST_CASE("constant predictions do not get 100 % top-k") {
  const std::int64_t classes = 100;
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < classes; ++i) labels.push_back(i);
  const auto accuracy = [&](float score) {
    const std::vector<float> scores(static_cast<std::size_t>(classes * classes), score);
    auto m = collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 5});
    m.update_state(View<const std::int32_t, 1, Host>(labels), matrix(scores, classes));
    return m.result();
  };
  CHECK(accuracy(0.01f) == std::tuple{0.01, 0.05});
  CHECK(accuracy(-INFINITY) == std::tuple{0.01, 0.05});
  CHECK(accuracy(NAN) == std::tuple{0.0, 0.0});
}

TEST_CASE("R2 is right when the target has mean 1e8 and spread 1") {
  // Residuals 1/2 against deviations of 1: 1 - 1/4.
  std::vector<double> y;
  std::vector<double> p;
  for (int i = 0; i < 20000; ++i) {
    y.push_back(1e8 + (i % 2 == 0 ? 1 : -1));
    p.push_back(y.back() + (i % 3 == 0 ? 0.5 : -0.5));
  }
  Metric<R2Score, Host> m;
  for (std::size_t first = 0; first < y.size(); first += 1000) {
    m.update_state(View<const double, 2, Host>(y.data() + first, {{1000, 1}}),
                   View<const double, 2, Host>(p.data() + first, {{1000, 1}}));
  }
  CHECK(m.result() == doctest::Approx(0.75).epsilon(1e-7));
}

namespace {
// Both ways of ignoring a label, against the same rows without those of that label.
template <class Label>
void check_ignoring(Label ignored, std::int64_t ignore_class) {
  const std::int64_t classes = 3;
  std::vector<Label> labels;
  std::vector<float> scores;
  std::vector<Label> kept_labels;
  std::vector<float> kept_scores;
  for (int i = 0; i < 200; ++i) {
    const auto label = i % 5 == 0 ? ignored : static_cast<Label>(i % 3);
    labels.push_back(label);
    if (label != ignored) kept_labels.push_back(label);
    for (int j = 0; j < classes; ++j) {
      scores.push_back(static_cast<float>((i * 7 + j * 5) % 11) / 4);
      if (label != ignored) kept_scores.push_back(scores.back());
    }
  }
  const auto make = [](std::optional<std::int64_t> ignore) {
    return collect<Host>(
        ignoring(SparseCategoricalAccuracy{}, ignore.value_or(1000)),
        SparseCategoricalCrossentropy{.from_logits = true, .ignore_class = ignore});
  };
  auto kept = make(std::nullopt);
  kept.update_state(View<const Label, 1, Host>(kept_labels), matrix(kept_scores, classes));
  auto m = make(ignore_class);
  m.update_state(View<const Label, 1, Host>(labels), matrix(scores, classes));
  CHECK(std::get<0>(m.result()) == std::get<0>(kept.result()));
  CHECK(std::get<1>(m.result()) == doctest::Approx(std::get<1>(kept.result())).epsilon(1e-12));
  CHECK(m.names() ==
        std::vector<std::string>{"sparse_categorical_accuracy", "sparse_categorical_crossentropy"});
  // Other labels outside the classes are still refused.
  labels[7] = static_cast<Label>(77);
  const auto before = m.save();
  CHECK_THROWS_AS(m.update_state(View<const Label, 1, Host>(labels), matrix(scores, classes)),
                  value_error);
  CHECK(m.save() == before);
}
}  // namespace

TEST_CASE("any label can be ignored: -1, -100, 255 and a valid class") {
  check_ignoring<std::int32_t>(-1, -1);
  check_ignoring<std::int32_t>(-100, -100);
  check_ignoring<std::int32_t>(255, 255);
  check_ignoring<std::int32_t>(2, 2);
  check_ignoring<std::int32_t>(0, 0);
  check_ignoring<std::uint8_t>(255, 255);
  check_ignoring<std::uint8_t>(1, 1);
}

TEST_CASE("what an ignored row predicts is never looked at") {
  const float nan = std::nanf("");
  const std::vector<std::int32_t> labels{1, -1, 0};
  const std::vector<float> scores{0.25f, 0.75f, nan, 7, 0.5f, 0.5f};
  const View<const std::int32_t, 1, Host> y(labels);
  auto rows = collect<Host>(ignoring(ConfusionMatrix{}, -1),
                            ignoring(F1Score{.average = Average::micro}, -1),
                            SparseCategoricalCrossentropy{.from_logits = false, .ignore_class = -1},
                            ignoring(BrierScore{}, -1));
  rows.update_state(y, matrix(scores, 2));
  const auto [table, f1, loss, brier] = rows.result();
  CHECK(table(0, 0) + table(1, 1) == 2);
  CHECK(f1 == 1);
  CHECK(loss == doctest::Approx(-(std::log(0.75) + std::log(0.5)) / 2).epsilon(1e-6));
  CHECK(brier == (0.125 + 0.5) / 2);
  const std::vector<float> probabilities{0.75f, nan, 0.25f};
  auto single = collect<Host>(ignoring(AUC{}, -1), ignoring(LogLoss{}, -1));
  single.update_state(y, View<const float, 1, Host>(probabilities));
  CHECK(single.result() == std::tuple{1.0, -std::log(0.75)});
  const std::vector<std::int32_t> classes{1, 99, 0};
  Metric<MeanIoU, Host> overlap{{.num_classes = 2, .ignore_class = -1}};
  overlap.update_state(y, View<const std::int32_t, 1, Host>(classes));
  CHECK(overlap.result() == 1);
}

TEST_CASE("probabilities outside [0, 1] are no cross-entropy's, logits are") {
  const std::vector<std::int32_t> labels{1, 0};
  const std::vector<float> one_hot{0, 1, 1, 0};
  const std::vector<float> logits{-3, 4, 2, 0.5f};
  const View<const std::int32_t, 1, Host> y(labels);
  const auto rejects = [](auto metric, const auto& t, const auto& p) {
    Metric<decltype(metric), Host> m(metric);
    CHECK_THROWS_AS(m.update_state(t, p), value_error);
    metric.from_logits = true;
    Metric<decltype(metric), Host> of_logits(metric);
    of_logits.update_state(t, p);
    CHECK(of_logits.result() > 0);
  };
  rejects(SparseCategoricalCrossentropy{.from_logits = false}, y, matrix(logits, 2));
  rejects(CategoricalCrossentropy{.from_logits = false}, matrix(one_hot, 2), matrix(logits, 2));
  rejects(BinaryCrossentropy{.from_logits = false}, y,
          View<const float, 1, Host>(logits).slice(0, 0, 2));
  Metric<BinaryCrossentropy, Host> m{{.from_logits = true}};
  const std::vector<float> targets{3, 0};
  CHECK_THROWS_WITH_AS(
      m.update_state(View<const float, 1, Host>(targets),
                     View<const float, 1, Host>(logits).slice(0, 0, 2)),
      "situ: y_true is 3 in row 0, which is outside [0, 1]; a cross-entropy takes labels or "
      "probabilities as targets",
      value_error);
}

TEST_CASE("a label type that cannot hold the ignored value ignores nothing") {
  const std::vector<std::uint8_t> labels{0, 1, 2};
  const std::vector<float> scores(9, 1.0f);
  auto m = collect<Host>(ignoring(SparseCategoricalAccuracy{}, -1),
                         SparseCategoricalCrossentropy{.from_logits = true, .ignore_class = -256});
  m.update_state(View<const std::uint8_t, 1, Host>(labels), matrix(scores, 3));
  CHECK(std::get<0>(m.result()) == 1.0 / 3);
  CHECK(std::get<1>(m.result()) == doctest::Approx(std::log(3.0)).epsilon(1e-6));
}

TEST_CASE("the state of AUC does not grow with the data") {
  const auto bytes = [](int thresholds, std::int64_t rows) {
    std::vector<std::uint8_t> y;
    std::vector<float> p;
    for (std::int64_t i = 0; i < rows; ++i) {
      y.push_back(static_cast<std::uint8_t>(i % 2));
      p.push_back(static_cast<float>(i % 1000) / 1000);
    }
    auto m = collect<Host>(TruePositives{}, BinaryAccuracy{}, AUC{.num_thresholds = thresholds});
    m.update_state(View<const std::uint8_t, 1, Host>(y), View<const float, 1, Host>(p));
    return m.save().size();
  };
  CHECK(bytes(200, 10) == bytes(200, 100000));
  // Twice the thresholds, at most twice the bytes; positives and negatives, 16 bytes for each.
  CHECK(bytes(2000, 10) <= 2000 * 2 * 16 + 256);
}
