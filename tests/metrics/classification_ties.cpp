// SPDX-License-Identifier: Apache-2.0
// Policies for equal scores, and what AUC offers beyond one ROC or PR curve.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "situ/metrics/auc.hpp"
#include "situ/metrics/top_k.hpp"

namespace {

using namespace situ;

template <class M, class... Ts>
double score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
const Tensor<std::int32_t, 1, Host> label{0, 1, 2, 1};
const Tensor<float, 2, Host> equal{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, nan, 0}};

template <Ties Policy>
std::vector<double> hits() {
  std::vector<double> found;
  for (int k = 1; k <= 3; ++k) {
    found.push_back(4 *
                    score(with_ties<Policy>(SparseTopKCategoricalAccuracy{.k = k}), label, equal));
  }
  return found;
}

const Tensor<std::int32_t, 2, Host> y{{1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}};
const Tensor<float, 2, Host> p{
    {0.9f, 0.25f}, {0.2f, 0.8f}, {0.6f, 0.1f}, {0.7f, 0.3f}, {0.4f, 0.35f}};
Tensor<std::int32_t, 1, Host> y_of(int c) { return {y(0, c), y(1, c), y(2, c), y(3, c), y(4, c)}; }
Tensor<float, 1, Host> p_of(int c) { return {p(0, c), p(1, c), p(2, c), p(3, c), p(4, c)}; }

}  // namespace

TEST_CASE("equal scores count as the policy says, and a NaN at the label is a miss") {
  CHECK(hits<Ties::lower_first>() == std::vector<double>{1, 2, 3});
  CHECK(hits<Ties::for_label>() == std::vector<double>{3, 3, 3});
  CHECK(hits<Ties::higher_first>() == std::vector<double>{1, 2, 3});
  CHECK(hits<Ties::against_label>() == std::vector<double>{0, 0, 3});
  CHECK(score(with_ties<Ties::higher_first>(SparseTopKCategoricalAccuracy{.k = 1}),
              Tensor<std::int32_t, 1, Host>{2}, Tensor<float, 2, Host>{{1, 1, 1}}) == 1.0);
}

TEST_CASE("the policy is the same for one-hot labels, and without ties it does not matter") {
  const Tensor<float, 2, Host> one_hot{{1, 0, 0}, {0, 0, 1}};
  const Tensor<float, 2, Host> scores{{3, 2, 1}, {1, 3, 2}};
  const TopKCategoricalAccuracy top{.k = 1};
  CHECK(score(with_ties<ties::keras>(top), one_hot, scores) == 0.5);
  CHECK(score(with_ties<ties::sklearn>(top), one_hot, scores) == 0.5);
  CHECK(score(with_ties<ties::torchmetrics>(top), one_hot, scores) == 0.5);
  CHECK_THROWS_AS(score(with_ties<ties::keras>(TopKCategoricalAccuracy{.k = 0}), one_hot, scores),
                  argument_error);
}

TEST_CASE("with multi_label the area is the mean over the columns") {
  const double first = score(AUC{.num_thresholds = 21}, y_of(0), p_of(0));
  const double second = score(AUC{.num_thresholds = 21}, y_of(1), p_of(1));
  CHECK(first != second);
  AUC both{.num_thresholds = 21, .multi_label = true};
  CHECK(score(both, y, p) == doctest::Approx((first + second) / 2));
  both.label_weights = {3, 1};
  CHECK(score(both, y, p) == doctest::Approx((3 * first + second) / 4));
  both.label_weights = {3, 1, 1};
  CHECK_THROWS_AS(score(both, y, p), state_error);
  both.multi_label = false;
  CHECK_THROWS_AS(score(both, y, p), argument_error);
}

TEST_CASE("the gain curve of perfect scores has area 1") {
  const Tensor<std::int32_t, 1, Host> t{0, 0, 0, 1};
  const Tensor<float, 1, Host> perfect{0.1f, 0.2f, 0.3f, 0.9f};
  CHECK(score(AUC{.num_thresholds = 11, .curve = Curve::pr_gain}, t, perfect) == 1.0);
  // Thresholds 0, 0.5, 1: odds 1/3; at 0.5 one hit and one false positive, so precision gain 2/3.
  const Tensor<float, 1, Host> fair{0.1f, 0.2f, 0.8f, 0.9f};
  CHECK(score(AUC{.num_thresholds = 3, .curve = Curve::pr_gain}, t, fair) ==
        doctest::Approx((2.0 / 3 + 1) / 2));
}
