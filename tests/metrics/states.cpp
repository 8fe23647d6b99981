// SPDX-License-Identifier: Apache-2.0
// States: merged, saved and loaded, named, copied and moved; metrics of one's own.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "situ/situ.hpp"

namespace {
using namespace situ;

using Reals = View<const float, 1, Host>;

const std::vector<float> y_data{0, 1, 1, 0, 1};
const std::vector<float> p_data{0.25f, 0.75f, 0.5f, 0.625f, 1};
Reals y() { return Reals(y_data); }
Reals p() { return Reals(p_data); }

auto make() {
  return collect<Host>(BinaryAccuracy{}, MeanSquaredError{}, AUC{.num_thresholds = 5});
}
auto filled() {
  auto m = make();
  m.update_state(y(), p());
  return m;
}
using Bytes = std::vector<unsigned char>;

struct WithinTolerance {
  float tolerance = 0.1f;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(sum(weight * (abs(y_pred - y_true) <= tolerance)),   // hits
                  sum(weight));                                        // count
  }
  double result(double hits, double count) const { return divide_no_nan(hits, count); }
};
}  // namespace

TEST_CASE("merging empty states changes nothing") {
  auto empty = make();
  empty.merge_state(make());
  CHECK(empty.save() == make().save());
  auto m = filled();
  m.merge_state(make());
  CHECK(m.save() == filled().save());
  empty.merge_state(m);
  CHECK(empty.save() == m.save());
}

TEST_CASE("a metric merged with itself has seen everything twice") {
  auto m = filled();
  auto twice = filled();
  m.merge_state(m);
  twice.merge_state(filled());
  CHECK(m.save() == twice.save());
  CHECK(m.result<BinaryAccuracy>() == filled().result<BinaryAccuracy>());
}

TEST_CASE("metrics with other options do not merge") {
  auto m = filled();
  auto other = collect<Host>(BinaryAccuracy{}, MeanSquaredError{}, AUC{.num_thresholds = 6});
  CHECK_THROWS_AS(m.merge_state(other), state_error);
  other = collect<Host>(BinaryAccuracy{.threshold = 0.25}, MeanSquaredError{},
                        AUC{.num_thresholds = 5});
  CHECK_THROWS_AS(m.merge_state(other), state_error);
  CHECK(m.save() == filled().save());
}

TEST_CASE("a saved state is loaded to the last bit, also an empty one") {
  for (const auto& m : {make(), filled()}) {
    auto loaded = filled();
    loaded.load(m.save());
    CHECK(loaded.save() == m.save());
    CHECK(loaded.result() == m.result());
    // It goes on as the original does.
    auto original = m;
    original.update_state(y(), p());
    loaded.update_state(y(), p());
    CHECK(loaded.save() == original.save());
  }
}

TEST_CASE("damaged, cut, lengthened and foreign bytes are refused and the state stays") {
  auto m = filled();
  m.update_state(y(), y());
  const Bytes mine = m.save();
  const Bytes good = filled().save();
  const auto refused = [&](const Bytes& bytes) {
    CHECK_THROWS_AS(m.load(bytes), format_error);
    CHECK(m.save() == mine);
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      Bytes bad = good;
      bad[i] = static_cast<unsigned char>(bad[i] ^ flip);
      refused(bad);
    }
  }
  for (std::size_t n = 0; n < good.size(); ++n) {
    refused(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)));
  }
  Bytes longer = good;
  longer.push_back(0);
  refused(longer);
  refused({});
  refused(Bytes(1000, 'x'));
  refused(Metric<AUC, Host>().save());
  refused(collect<Host>(MeanSquaredError{}, BinaryAccuracy{}, AUC{.num_thresholds = 5}).save());
  m.load(good);
  CHECK(m.save() == good);
}

TEST_CASE("a state of AUC with other thresholds is never read past its end") {
  const Bytes few = filled().save();
  auto m = collect<Host>(BinaryAccuracy{}, MeanSquaredError{}, AUC{.num_thresholds = 500});
  m.load(few);
  CHECK_THROWS_AS((void)m.result(), state_error);
  CHECK_THROWS_AS(m.update_state(y(), p()), state_error);
  CHECK(m.save() == few);
  m.reset_state();
  m.update_state(y(), p());
  CHECK(m.result<AUC>() == doctest::Approx(5.0 / 6));
}

TEST_CASE("metrics have names, and results can be asked for by name or type") {
  const auto m = filled();
  CHECK(m.names() == std::vector<std::string>{"binary_accuracy", "mean_squared_error", "auc"});
  CHECK(m.name() == m.names());
  CHECK(m.result("binary_accuracy") == m.result<BinaryAccuracy>());
  CHECK(m.result("auc") == std::get<2>(m.result()));
  CHECK_THROWS_AS((void)m.result("accuracy"), argument_error);
  const auto twice = collect<Host>(Precision{}, Precision{.threshold = 0.9});
  CHECK_THROWS_WITH_AS((void)twice.result("precision"),
                       "situ: 2 metrics are named \"precision\"; take them from the tuple that result() gives",
                       argument_error);
  try {
    (void)m.result("accuracy");
  } catch (const argument_error& e) {
    CHECK(std::string(e.what()).find("mean_squared_error") != std::string::npos);
  }
  CHECK(Metric<SparseTopKCategoricalAccuracy, Host>().name() == "sparse_top_k_categorical_accuracy");
  CHECK(Metric<R2Score, Host>().name() == "r2_score");
  CHECK(Metric<F1Score, Host>({.average = Average::macro}).name() == "f1_score");
  CHECK(Metric<FBetaScore, Host>({.average = Average::macro}).name() == "f_beta_score");
  // A result that is not one number has no value by name.
  const auto c = collect<Host>(ConfusionMatrix{}, Accuracy{});
  CHECK_THROWS_AS((void)c.result("confusion_matrix"), argument_error);
  CHECK(c.result("accuracy") == 0);
}

TEST_CASE("copies are independent and moves keep the state") {
  auto m = filled();
  auto copy = m;
  copy.update_state(y(), y());
  CHECK(m.save() == filled().save());
  CHECK(copy.save() != m.save());
  auto moved = std::move(copy);
  m = std::move(moved);
  auto expected = filled();
  expected.update_state(y(), y());
  CHECK(m.save() == expected.save());
  m = filled();
  CHECK(m.save() == filled().save());
}

TEST_CASE("a metric of one's own is a plain struct") {
  Metric<WithinTolerance, Host> within{{.tolerance = 0.3f}};
  CHECK(within.name() == "within_tolerance");
  within.update_state(y(), p());
  CHECK(within.result() == 0.6);
  const std::vector<float> w{0, 1, 0, 2, 1};
  within.reset_state();
  within.update_state(y(), p(), Reals(w));
  CHECK(within.result() == 0.5);
  auto other = within;
  other.merge_state(within);
  CHECK(other.result() == 0.5);
  auto loaded = Metric<WithinTolerance, Host>{{.tolerance = 0.3f}};
  loaded.load(other.save());
  CHECK(loaded.save() == other.save());
  // Together with others, with the defaults of each.
  auto both = collect<Host>(WithinTolerance{}, BinaryAccuracy{});
  both.update_state(y(), p());
  CHECK(both.result() == std::tuple{0.2, 0.6});
}

TEST_CASE("mean_of and sum_of make a metric of a function") {
  auto m = collect<Host>(
      mean_of([](auto y_true, auto y_pred) { return y_pred - y_true; }, "bias"),
      sum_of([](auto y_true, auto y_pred) { return y_pred * y_true; }));
  m.update_state(y(), p());
  CHECK(m.names() == std::vector<std::string>{"bias", "sum"});
  CHECK(m.result("bias") == doctest::Approx(0.125 / 5).epsilon(1e-12));
  CHECK(m.result("sum") == 2.25);
  const std::vector<float> w{0, 1, 0, 0, 3};
  m.reset_state();
  m.update_state(y(), p(), Reals(w));
  CHECK(m.result("bias") == -0.0625);
  CHECK(m.result("sum") == 3.75);
}

TEST_CASE("a metric that moves keeps its options and what it has seen") {
  const std::vector<float> y{1, 0, 1};
  const std::vector<float> p{0.7f, 0.6f, 0.2f};
  Metric<Precision, Host> m{{.threshold = 0.65}};
  m.update_state(View<const float, 1, Host>(y), View<const float, 1, Host>(p));
  auto moved = to<Host>(m);
  static_assert(std::is_same_v<decltype(moved), Metric<Precision, Host>>);
  CHECK(moved.save() == m.save());
  m.reset_state();
  CHECK(moved.result() == 1);
  const auto two = to<Host>(collect<Host>(Precision{.threshold = 0.65}, Recall{}));
  CHECK(std::get<0>(two.metrics()).threshold == 0.65);
}
