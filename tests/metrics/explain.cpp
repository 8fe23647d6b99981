// SPDX-License-Identifier: Apache-2.0
#include "situ/explain.hpp"

#include <doctest/doctest.h>

#include "situ/situ.hpp"

namespace {

using namespace situ;

bool says(const std::string& text, const std::string& words) {
  INFO(text);
  return text.find(words) != std::string::npos;
}

TEST_CASE("explain says what an update reads, shares and accumulates, and computes nothing") {
  auto of_labels = collect<Host>(F1Score{.average = Average::macro}, ConfusionMatrix{});
  const Tensor<float, 2, Host> scores(Shape<2>{{100, 10}});
  const Tensor<std::int32_t, 1, Host> labels(Shape<1>{{100}});
  const std::string s = explain(of_labels, labels, scores);
  CHECK(says(s, "An update of 2 metrics on Host, in one pass over memory over 100 rows."));
  CHECK(says(s, "y_true: int32 of shape [100] on Host"));
  CHECK(says(s, "y_pred: float32 of shape [100, 10] on Host"));
  CHECK(says(s, "best_class(y_pred), walk 1: for f1_score, confusion_matrix"));
  CHECK(says(s, "per_column(equal(column, y_true)), 10 x int64, 80 bytes: for f1_score"));
  CHECK(says(s, "100 x int64, 800 bytes"));
  CHECK(says(s, "in all 1040 bytes"));
  CHECK(says(s, "Reads 44.0 bytes per row"));
  CHECK(of_labels.result<ConfusionMatrix>().size() == 0);
}

TEST_CASE("what several metrics accumulate alike is accumulated once") {
  const auto metrics = collect<Host>(MeanSquaredError{}, MeanAbsoluteError{});
  const Tensor<float, 1, Host> y(Shape<1>{{6}});
  CHECK(says(explain(metrics, y, y),
             "sum(1), 1 x int64, 8 bytes: for mean_squared_error, mean_absolute_error"));
}

TEST_CASE("explain names weights and refuses shapes as an update does") {
  const Metric<MeanSquaredError, Host> mse;
  const Tensor<double, 1, Host> y(Shape<1>{{6}});
  const Tensor<float, 1, Host> w(Shape<1>{{6}});
  const std::string s = explain(mse, y, y, w);
  CHECK(says(s, "sample_weight: float32 of shape [6] on Host"));
  CHECK(says(s, "sum(sample_weight), 1 x float64, 8 bytes: for mean_squared_error"));
  CHECK_THROWS_AS((void)explain(mse, y, y.slice(0, 0, 5)), shape_error);
}

}  // namespace
