// SPDX-License-Identifier: Apache-2.0
// Binary metrics at several thresholds, of one class, and of the best classes of a row.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "situ/metrics/at_thresholds.hpp"

namespace {

using namespace situ;

template <class M, class... Ts>
auto score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}

struct Data {
  Tensor<std::int32_t, 1, Host> y{Shape<1>{{1000}}};
  Tensor<float, 1, Host> p{Shape<1>{{1000}}}, w{Shape<1>{{1000}}};
  Data() {
    std::uint32_t state = 7;
    const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
    for (int i = 0; i < 1000; ++i) {
      y(i) = static_cast<std::int32_t>(next() & 1);
      p(i) = static_cast<float>(next() % 21) / 20.0f;  // ties with the thresholds
      w(i) = static_cast<float>(next() % 5) / 4.0f;
    }
  }
};

template <class M>
void same_as_one_by_one(M metric) {
  const Data d;
  const double thresholds[] = {0.2, 0.25, 0.5, 1.0};
  const auto list = score(at_thresholds(metric, thresholds), d.y, d.p, d.w);
  for (std::size_t i = 0; i < 4; ++i) {
    metric.threshold = thresholds[i];
    CHECK(list.at(i) == score(metric, d.y, d.p, d.w));
  }
}

const Tensor<std::int32_t, 2, Host> y{{1, 0, 1}, {0, 0, 1}, {1, 1, 0}, {0, 0, 0}};
const Tensor<float, 2, Host> p{
    {0.9f, 0.1f, 0.2f}, {0.6f, 0.4f, 0.6f}, {0.8f, 0.9f, 0.1f}, {0.1f, 0.2f, 0.3f}};
constexpr double none = -std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a list of thresholds gives what each threshold gives alone") {
  same_as_one_by_one(Precision{});
  same_as_one_by_one(Recall{.undefined = undefined::one});
  same_as_one_by_one(Specificity{});
}

TEST_CASE("lists are as long at run time as they are given, up to 32") {
  const Data d;
  for (const std::size_t n : {1u, 4u, 31u, 32u}) {
    std::vector<double> list;
    for (std::size_t i = 0; i < n; ++i) list.push_back(static_cast<double>(i) / 31);
    const auto found = score(at_thresholds(Precision{}, list), d.y, d.p, d.w);
    REQUIRE(found.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(found[i] == score(Precision{.threshold = list[i]}, d.y, d.p, d.w));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS((void)at_thresholds(Recall{}, std::vector<double>(33)), argument_error);
  CHECK_THROWS_AS((void)at_thresholds(Recall{}, std::vector<double>{}), argument_error);
  CHECK_THROWS_AS(score(at_thresholds(Recall{}, {nan}), d.y, d.p), argument_error);
  CHECK_THROWS_AS(score(at_thresholds(Recall{}, {0.5, 0.5}), d.y, d.p), argument_error);
  CHECK_THROWS_AS((Metric<BinaryAccuracy, Host>{{.threshold = nan}}), argument_error);
}

TEST_CASE(
    "counts at thresholds are whole without weights, and scores at a threshold are not above it") {
  const Tensor<std::int32_t, 1, Host> t{0, 1, 1, 0};
  const Tensor<float, 1, Host> s{0.25f, 0.5f, 0.25f, 1.0f};
  const double at[] = {0.0, 0.25, 0.5, 0.75};
  CHECK(score(at_thresholds(TruePositives{}, at), t, s) == std::vector<double>{2, 1, 0, 0});
  CHECK(score(at_thresholds(FalseNegatives{}, at), t, s) == std::vector<double>{0, 1, 2, 2});
  CHECK(score(at_thresholds(TrueNegatives{}, at), t, s) == std::vector<double>{0, 1, 1, 1});
}

TEST_CASE("before the first update each threshold has the undefined value") {
  const auto m = at_thresholds(Precision{.undefined = undefined::one}, {0.25, 0.5});
  CHECK((Metric<AtThresholds<Precision, 2>, Host>(m).result()) == std::vector<double>{1.0, 1.0});
  CHECK_THROWS_AS(score(at_thresholds(Recall{}, {0.5, 0.25}), y, p), argument_error);
}

TEST_CASE("a class is its column") {
  CHECK(score(of_class(Precision{}, 0), y, p) == 2.0 / 3);
  CHECK(score(of_class(Recall{.threshold = 0.15}, 2), y, p) == 1.0);
  CHECK(score(of_class(Recall{}, 2), y, p) == 1.0 / 2);
  CHECK_THROWS_AS(score(of_class(Recall{}, 3), y, p), value_error);
  CHECK_THROWS_AS((Metric<OfClass<Recall>, Host>(of_class(Recall{}, -1))), argument_error);
}

TEST_CASE("only the best classes of a row can be positive, the lower of equal ones first") {
  CHECK(score(top_k<1>(Recall{.threshold = none}), y, p) == 2.0 / 5);  // rows 0 and 2
  CHECK(score(top_k<1>(Precision{.threshold = none}), y, p) == 2.0 / 4);
  CHECK(score(top_k<2>(Recall{.threshold = none}), y, p) == 5.0 / 5);
  CHECK(score(top_k<2>(Precision{}), y, p) == 4.0 / 5);
  CHECK(score(top_k<5>(Precision{.threshold = none}), y, p) == 5.0 / 12);
  CHECK(score(top_k<1>(of_class(Precision{.threshold = none}, 0)), y, p) == 1.0 / 2);
}
