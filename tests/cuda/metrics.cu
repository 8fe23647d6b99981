// SPDX-License-Identifier: Apache-2.0
// What metrics say on a CUDA device, beside what they say on the host. Counts must be equal to the
// last bit; sums of computed numbers may differ by the rounding of fused multiply-adds.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <situ/situ.hpp>
#include <vector>

namespace {

using namespace situ;

// Numbers in [0, 1), the same on every run.
struct Draw {
  std::uint64_t state;
  double operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
  }
};

struct Batch {
  Tensor<float, 2, Host> scores;
  Tensor<std::int32_t, 1, Host> labels;
  Tensor<float, 1, Host> weights;
};
// Scores on a coarse grid, so that there are ties; weights that are exact in any order of
// summation.
Batch draw(std::int64_t rows, std::int64_t classes) {
  Draw next{static_cast<std::uint64_t>(rows * 1000003 + classes) * 2654435761u +
            88172645463325252u};
  Batch b{Tensor<float, 2, Host>(Shape<2>{{rows, classes}}),
          Tensor<std::int32_t, 1, Host>(Shape<1>{{rows}}),
          Tensor<float, 1, Host>(Shape<1>{{rows}})};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < classes; ++j) {
      b.scores(i, j) = static_cast<float>(std::floor(next() * 64) / 8 - 4);
    }
    b.labels(i) = static_cast<std::int32_t>(next() * static_cast<double>(classes));
    b.weights(i) = static_cast<float>(std::floor(next() * 4) / 2);
  }
  return b;
}

template <class... Ts>
void check_close(const std::tuple<Ts...>& got, const std::tuple<Ts...>& want, double tolerance) {
  detail::for_each_index<static_cast<int>(sizeof...(Ts))>([&]<int I>() {
    const double a = static_cast<double>(std::get<I>(got));
    const double b = static_cast<double>(std::get<I>(want));
    INFO("metric " << I);
    CHECK(std::abs(a - b) <= tolerance * std::abs(b));
  });
}

template <class D>
auto class_metrics() {
  return collect<D>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 3},
                    F1Score{.average = Average::macro}, ignoring(SparseCategoricalAccuracy{}, 1));
}

template <class D>
void compare_classes() {
  for (const std::int64_t classes : {2, 3, 10, 33, 100, 256, 1000, 5000}) {
    for (const std::int64_t rows : {1, 7, 257, 1000}) {
      if (rows * classes > 300000) continue;
      CAPTURE(rows);
      CAPTURE(classes);
      const Batch b = draw(rows, classes);
      const auto scores = to<D>(b.scores);
      const auto labels = to<D>(b.labels);
      const auto weights = to<D>(b.weights);
      auto here = class_metrics<Host>();
      auto there = class_metrics<D>();
      here.update_state(b.labels, b.scores);
      there.update_state(labels, scores);
      here.update_state(b.labels, b.scores, b.weights);
      there.update_state(labels, scores, weights);
      check_close(there.result(), here.result(), 1e-14);
      Metric<SparseCategoricalCrossentropy, Host> loss_here{{.from_logits = true}};
      Metric<SparseCategoricalCrossentropy, D> loss_there{{.from_logits = true}};
      loss_here.update_state(b.labels, b.scores, b.weights);
      loss_there.update_state(labels, scores, weights);
      const double want = loss_here.result();
      CHECK(std::abs(loss_there.result() - want) <= 1e-7 * std::abs(want));
      if (classes > 1000) continue;
      Metric<ConfusionMatrix, Host> confusion_here;
      Metric<ConfusionMatrix, D> confusion_there;
      confusion_here.update_state(b.labels, b.scores, b.weights);
      confusion_there.update_state(labels, scores, weights);
      const auto c = confusion_here.result();
      const auto d = confusion_there.result();
      REQUIRE(d.shape() == c.shape());
      CHECK(std::equal(c.data(), c.data() + c.size(), d.data()));
    }
  }
}

TEST_CASE("classification metrics of any row length agree with the host on Cuda<0>") {
  compare_classes<Cuda<0>>();
}

template <class D>
auto binary_metrics() {
  return collect<D>(MeanSquaredError{}, MeanAbsoluteError{}, BinaryAccuracy{}, TruePositives{},
                    FalseNegatives{}, Precision{}, Recall{}, AUC{});
}

// Elements whose squares and sums are exact, so that host and device agree to the last bit.
template <class D>
void compare_binary() {
  for (const std::int64_t n : {1, 2, 31, 257, 1023, 4097, 20011}) {
    CAPTURE(n);
    Draw next{static_cast<std::uint64_t>(n) + 7};
    Tensor<std::uint8_t, 1, Host> y(Shape<1>{{n}});
    Tensor<float, 1, Host> p(Shape<1>{{n}});
    Tensor<float, 1, Host> w(Shape<1>{{n}});
    for (std::int64_t i = 0; i < n; ++i) {
      y(i) = next() < 0.3;
      p(i) = static_cast<float>(std::floor(next() * 1025) / 1024);
      w(i) = static_cast<float>(std::floor(next() * 4) / 2);
    }
    const auto dy = to<D>(y);
    const auto dp = to<D>(p);
    const auto dw = to<D>(w);
    auto here = binary_metrics<Host>();
    auto there = binary_metrics<D>();
    here.update_state(y, p);
    there.update_state(dy, dp);
    check_close(there.result(), here.result(), 0.0);
    here.update_state(y, p, w);
    there.update_state(dy, dp, dw);
    check_close(there.result(), here.result(), 0.0);
    if (n < 31) continue;
    // A view that starts off an aligned address, and one with a stride, hold the same bits.
    here.reset_state();
    there.reset_state();
    here.update_state(y.slice(0, 1, n), p.slice(0, 1, n));
    there.update_state(dy.slice(0, 1, n), dp.slice(0, 1, n));
    here.update_state(y.slice(0, 0, n, 3), p.slice(0, 0, n, 3));
    there.update_state(dy.slice(0, 0, n, 3), dp.slice(0, 0, n, 3));
    check_close(there.result(), here.result(), 0.0);
  }
}

TEST_CASE("elementwise metrics of any length and alignment agree with the host on Cuda<0>") {
  compare_binary<Cuda<0>>();
}
TEST_CASE("elementwise metrics agree with the host on Cuda<1>") { compare_binary<Cuda<1>>(); }

TEST_CASE("R2 of targets far from zero agrees with the host") {
  constexpr std::int64_t n = 3001;
  Draw next{5};
  Tensor<double, 2, Host> t(Shape<2>{{n, 3}});
  Tensor<double, 2, Host> p(Shape<2>{{n, 3}});
  for (std::int64_t i = 0; i < 3 * n; ++i) {
    t.data()[i] = 1e8 + std::floor(next() * 64) / 8;
    p.data()[i] = t.data()[i] + std::floor(next() * 8) / 8;
  }
  Metric<R2Score, Host> here;
  Metric<R2Score, Cuda<0>> there;
  here.update_state(t, p);
  there.update_state(to<Cuda<0>>(t), to<Cuda<0>>(p));
  const double want = here.result();
  CHECK(std::abs(static_cast<double>(there.result()) - want) < 1e-8);
}

TEST_CASE("a batch with a bad label changes nothing and is told by check and by result, once") {
  const Batch good = draw(300, 10);
  Batch bad = draw(300, 10);
  bad.labels(131) = 10;
  bad.labels(299) = -5;
  auto m = class_metrics<Cuda<0>>();
  const auto scores = to<Cuda<0>>(good.scores);
  m.update_state(to<Cuda<0>>(good.labels), scores);
  const auto before = m.result();
  m.update_state(to<Cuda<0>>(bad.labels), scores);
  m.update_state(to<Cuda<0>>(bad.labels), scores);
  try {
    m.check();
    FAIL("the label was accepted");
  } catch (const value_error& e) {
    CHECK(e.index == 131);
    CHECK(e.value == 10);
    CHECK(std::string(e.what()).find("label 10 in row 131 is outside [0, 10)") !=
          std::string::npos);
  }
  CHECK(m.result() == before);
  m.update_state(to<Cuda<0>>(bad.labels), scores);
  CHECK_THROWS_AS((void)m.result(), value_error);
  m.update_state(to<Cuda<0>>(good.labels), scores);
  auto twice = class_metrics<Cuda<0>>();
  twice.update_state(to<Cuda<0>>(good.labels), scores);
  twice.update_state(to<Cuda<0>>(good.labels), scores);
  CHECK(m.result() == twice.result());
}

TEST_CASE("states merge, copy, save and load across devices as on the host") {
  const Batch a = draw(777, 10);
  const Batch b = draw(100, 10);
  auto whole = class_metrics<Host>();
  whole.update_state(a.labels, a.scores);
  whole.update_state(b.labels, b.scores);
  auto first = class_metrics<Cuda<0>>();
  auto second = class_metrics<Cuda<0>>();
  first.update_state(to<Cuda<0>>(a.labels), to<Cuda<0>>(a.scores));
  second.update_state(to<Cuda<0>>(b.labels), to<Cuda<0>>(b.scores));
  auto copy = first;
  copy.merge_state(second);
  check_close(copy.result(), whole.result(), 1e-14);
  CHECK(copy.save() == whole.save());
  auto elsewhere = class_metrics<Cuda<1>>();
  elsewhere.load(first.save());
  elsewhere.update_state(to<Cuda<1>>(b.labels), to<Cuda<1>>(b.scores));
  CHECK(elsewhere.result() == copy.result());
  first.reset_state();
  CHECK(first.result() == class_metrics<Host>().result());
}

struct Stored {
  auto update(auto x, auto weight) const { return states(columns(x, weight)); }
  double result(std::span<const Tuple<float, float>> rows) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum += static_cast<double>(i + 1) * static_cast<double>(get<0>(rows[i]) * get<1>(rows[i]));
    }
    return sum;
  }
};

TEST_CASE("stored rows keep their order over many growing updates") {
  Metric<Stored, Host> here;
  Metric<Stored, Cuda<0>> there;
  for (int i = 0; i < 9; ++i) {
    const Batch b = draw(1 << i, 2);
    here.update_state(b.weights, b.weights);
    const auto w = to<Cuda<0>>(b.weights);
    there.update_state(w, w);
  }
  CHECK(there.result() == here.result());
}

TEST_CASE("another number of classes than before is refused before anything is launched") {
  auto m = class_metrics<Cuda<0>>();
  const Batch a = draw(10, 3);
  const Batch b = draw(10, 4);
  m.update_state(to<Cuda<0>>(a.labels), to<Cuda<0>>(a.scores));
  const auto before = m.result();
  CHECK_THROWS_AS(m.update_state(to<Cuda<0>>(b.labels), to<Cuda<0>>(b.scores)), state_error);
  CHECK_THROWS_AS(m.update_state(to<Cuda<0>>(a.labels), to<Cuda<0>>(draw(11, 3).scores)),
                  shape_error);
  CHECK(m.result() == before);
}

}  // namespace
