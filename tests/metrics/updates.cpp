// SPDX-License-Identifier: Apache-2.0
// What an update does: all of it or nothing, documented results for what is empty or not finite, options
// that must be named.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "situ/situ.hpp"

namespace {
using namespace situ;

using Labels = View<const std::int32_t, 1, Host>;
using Reals = View<const float, 1, Host>;

View<const float, 2, Host> matrix(const std::vector<float>& v, std::int64_t cols) {
  return {v.data(), {{static_cast<std::int64_t>(v.size()) / cols, cols}}};
}

// Expects that `update` throws E, keeps the state to the last bit, and says each of `words`.
template <class E, class M, class F>
void refused(const M& m, F update, const std::vector<std::string>& words) {
  const auto before = m.save();
  std::string said;
  try {
    update();
  } catch (const E& e) {
    said = e.what();
  }
  CHECK_MESSAGE(said.starts_with("situ: "), "not thrown as expected");
  CHECK(said.find(';') != std::string::npos);
  for (const std::string& word : words) {
    CHECK_MESSAGE(said.find(word) != std::string::npos, said << " does not mention " << word);
  }
  CHECK(m.save() == before);
}

auto by_class() { return collect<Host>(SparseCategoricalAccuracy{}, ConfusionMatrix{}); }
auto errors() { return collect<Host>(MeanSquaredError{}, MeanAbsoluteError{}); }

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();
}  // namespace

TEST_CASE("an invalid label rejects the whole update, with its row and value") {
  auto m = by_class();
  const std::vector<float> scores{3, 1, 0, 0, 2, 1, 5, 6, 7, 1, 2, 3};
  std::vector<std::int32_t> labels{0, 1, 2, 2};
  m.update_state(Labels(labels), matrix(scores, 3));
  CHECK(m.result<SparseCategoricalAccuracy>() == 1);
  for (const std::int32_t bad : {3, -1, -100, 255, std::numeric_limits<std::int32_t>::min(),
                                 std::numeric_limits<std::int32_t>::max()}) {
    labels[2] = bad;
    refused<value_error>(m, [&] { m.update_state(Labels(labels), matrix(scores, 3)); },
                         {"label " + std::to_string(bad), "row 2", "[0, 3)"});
    try {
      m.update_state(Labels(labels), matrix(scores, 3));
    } catch (const value_error& e) {
      CHECK(e.index == 2);
      CHECK(e.value == bad);
    }
  }
  // Also when the rows before it fill several parts, and with a weight of zero.
  labels.assign(100000, 1);
  labels[99998] = 4;
  const std::vector<float> many(300000, 0.0f);
  const std::vector<float> weights(100000, 0.0f);
  refused<value_error>(m, [&] { m.update_state(Labels(labels), matrix(many, 3), Reals(weights)); },
                       {"label 4", "row 99998"});
  CHECK(m.result<SparseCategoricalAccuracy>() == 1);
}

TEST_CASE("shapes that do not fit reject the update, naming both") {
  auto m = by_class();
  const std::vector<float> scores(12, 0.5f);
  const std::vector<std::int32_t> labels{0, 1, 2};
  const std::vector<std::int32_t> four{0, 1, 2, 0};
  refused<shape_error>(m, [&] { m.update_state(Labels(labels), matrix(scores, 3)); },
                       {"y_true", "[3]", "y_pred", "[4, 3]"});
  const std::vector<float> weights(5, 1.0f);
  refused<shape_error>(
      m, [&] { m.update_state(Labels(four), matrix(scores, 3), Reals(weights)); },
      {"sample_weight", "[5]", "4 rows"});
  auto e = errors();
  refused<shape_error>(e, [&] { e.update_state(Reals(weights), Reals(scores)); }, {"[5]", "[12]"});
}

TEST_CASE("another number of classes in a later batch is an error, and the state stays") {
  auto m = by_class();
  const std::vector<float> scores(12, 0.5f);
  const std::vector<std::int32_t> four{0, 1, 2, 0};
  const std::vector<std::int32_t> three{0, 1, 2};
  m.update_state(Labels(four), matrix(scores, 3));
  // The accuracy alone would accept it; it must not learn of it either.
  refused<state_error>(m, [&] { m.update_state(Labels(three), matrix(scores, 4)); }, {"9", "16"});
  m.reset_state();
  m.update_state(Labels(three), matrix(scores, 4));
  CHECK(m.result<ConfusionMatrix>().shape() == Shape<2>{{4, 4}});
}

TEST_CASE("binary labels are 0 or 1 and scores of AUC lie in [0, 1]") {
  auto m = collect<Host>(BinaryAccuracy{}, AUC{});
  std::vector<float> y{0, 1, 0, 1};
  std::vector<float> p{0.25f, 0.75f, 0.5f, 1};
  m.update_state(Reals(y), Reals(p));
  for (const float bad : {0.5f, 2.0f, -1.0f, not_a_number, inf}) {
    y[3] = bad;
    refused<value_error>(m, [&] { m.update_state(Reals(y), Reals(p)); }, {"row 3"});
  }
  y[3] = 1;
  for (const float bad : {1.5f, -0.125f, not_a_number, inf, -inf}) {
    p[1] = bad;
    refused<value_error>(m, [&] { m.update_state(Reals(y), Reals(p)); }, {"score", "row 1"});
  }
  p[1] = 1;
  m.update_state(Reals(y), Reals(p));
  CHECK(m.result<AUC>() == 1);
}

TEST_CASE("what is undefined follows one policy") {
  const std::vector<float> y{0, 1};
  const std::vector<float> none{0, 0};
  const auto with = [](Undefined u) {
    return collect<Host>(MeanSquaredError{.undefined = u}, Precision{.undefined = u},
                         Recall{.undefined = u}, AUC{.undefined = u});
  };
  const auto check = [&](Undefined u, auto is) {
    auto m = with(u);
    const auto all = [&] {
      std::apply([&](auto... value) { CHECK((is(value) && ...)); }, m.result());
    };
    all();  // before the first update
    const View<const float, 1, Host> empty(y.data(), {{0}});
    m.update_state(empty, empty);
    all();
    m.update_state(Reals(y), Reals(y), Reals(none));
    all();  // no weight
    m.update_state(Reals(none), Reals(none));
    CHECK(is(m.template result<Precision>()));  // no positives
    CHECK(is(m.template result<Recall>()));
    CHECK(m.template result<MeanSquaredError>() == 0);
  };
  check(undefined::zero, [](double x) { return x == 0; });
  check(undefined::nan, [](double x) { return std::isnan(x); });
  check(Undefined{}, [](double x) { return x == 0; });
  auto m = with(undefined::one);
  CHECK(m.result<Precision>() == 1);
}

TEST_CASE("NaN and infinity reach the result, unless their weight is zero") {
  const std::vector<float> y{0, 0, 0, 0};
  const std::vector<float> p{1, not_a_number, 1, inf};
  const std::vector<float> w{1, 0, 1, 0};
  auto m = errors();
  m.update_state(Reals(y), Reals(p), Reals(w));
  CHECK(m.result() == std::tuple{1.0, 1.0});
  CHECK(std::isnan(std::get<0>(m.batch_result(Reals(y), Reals(p)))));
  const std::vector<float> high{1, 1, 1, -inf};
  CHECK(std::isinf(std::get<1>(m.batch_result(Reals(y), Reals(high)))));
  CHECK(std::isnan(std::get<0>(m.batch_result(Reals(y), Reals(y), Reals(p)))));
  CHECK(m.result() == std::tuple{1.0, 1.0});

  // The label's score is NaN; another one is; infinity is the largest.
  auto c = collect<Host>(SparseCategoricalAccuracy{}, F1Score{.average = Average::none},
                         SparseTopKCategoricalAccuracy{.k = 1});
  const std::vector<float> scores{not_a_number, 0, not_a_number, 1, 0, inf, -inf, 0};
  const std::vector<std::int32_t> labels{0, 1, 1, 1};
  c.update_state(Labels(labels), matrix(scores, 2));
  CHECK(c.result<SparseCategoricalAccuracy>() == 0.5);
  CHECK(c.result<SparseTopKCategoricalAccuracy>() == 0.5);
  const ClassScores f = c.result<F1Score>();  // two of three hits of class 1, and nothing predicted 0
  CHECK(f[0] == 0);
  CHECK(f[1] == 0.8);
  auto table = collect<Host>(ConfusionMatrix{}, CohenKappa{});
  CHECK_THROWS_WITH_AS(table.update_state(Labels(labels), matrix(scores, 2)),
                       "situ: a score in row 0 is NaN, so that no class is predicted; correct the scores, "
                       "or leave the row out",
                       value_error);
  CHECK(table.result<ConfusionMatrix>().size() == 0);

  auto b = collect<Host>(BinaryAccuracy{});  // NaN is not above the threshold
  const std::vector<float> ones{1, 0, 0, 1};
  const std::vector<float> odd{not_a_number, not_a_number, -inf, inf};
  b.update_state(Reals(ones), Reals(odd));
  CHECK(b.result() == 0.75);
}

TEST_CASE("a batch's own result does not touch the state, and reset forgets") {
  auto m = errors();
  const auto fresh = m.save();
  const std::vector<float> y{0, 0};
  const std::vector<float> p{1, 3};
  m.update_state(Reals(y), Reals(p));
  const auto before = m.save();
  CHECK(m.batch_result(Reals(y), Reals(y)) == std::tuple{0.0, 0.0});
  CHECK(m.save() == before);
  CHECK(m.result() == std::tuple{5.0, 2.0});
  m.reset_state();
  CHECK(m.save() == fresh);
}

TEST_CASE("options that are not named, or make no sense, are errors when the metric is made") {
  const auto throws = [](auto metric) {
    using M = decltype(metric);
    CHECK_THROWS_AS((Metric<M, Host>(metric)), argument_error);
    CHECK_THROWS_AS((void)collect<Host>(Accuracy{}, metric), argument_error);
  };
  throws(BinaryCrossentropy{});
  throws(CategoricalCrossentropy{});
  throws(SparseCategoricalCrossentropy{});
  CHECK_THROWS_AS((Metric<BinaryCrossentropy, Host>()), argument_error);
  throws(F1Score{});
  throws(FBetaScore{});
  throws(FBetaScore{.average = Average::macro, .beta = 0});
  throws(BinaryCrossentropy{.from_logits = false, .label_smoothing = 1.5});
  throws(CategoricalCrossentropy{.from_logits = false, .epsilon = 0.5});
  throws(TopKCategoricalAccuracy{.k = 0});
  throws(SparseTopKCategoricalAccuracy{.k = -1});
  throws(AUC{.num_thresholds = 1});
  throws(R2Score{.num_regressors = -1});
  std::vector<std::int32_t> labels{0, 1};
  Metric<ConfusionMatrix, Host> m;
  CHECK_THROWS_AS(m.update_state(Labels(labels), Labels(labels)), argument_error);
}
