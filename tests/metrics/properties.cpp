// SPDX-License-Identifier: Apache-2.0
// What must not matter: how rows are split into batches, in which order states are merged, who runs it.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "situ/situ.hpp"

namespace {

using namespace situ;

// Deterministic inputs; a pass over 300001 rows has several parts of 65536 elements.
struct Data {
  std::int64_t rows;
  std::vector<float> y_true, y_pred, weight, scores;
  std::vector<std::int32_t> labels;

  static constexpr std::int64_t classes = 4;
  explicit Data(std::int64_t n) : rows(n) {
    std::uint32_t state = 2024;
    const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    for (std::int64_t i = 0; i < n; ++i) {
      y_true.push_back(static_cast<float>(next() & 1));
      y_pred.push_back(static_cast<float>(next()) / 16777216.0f);
      weight.push_back(static_cast<float>(next() % 257) / 256.0f);
      labels.push_back(static_cast<std::int32_t>(next() % classes));
      for (int j = 0; j < classes; ++j) scores.push_back(static_cast<float>(next() % 9) - 4.0f);
    }
  }
};

auto binary() {
  return collect<Host>(BinaryAccuracy{}, Recall{}, MeanSquaredError{}, AUC{.num_thresholds = 50});
}
auto by_class() {
  return collect<Host>(SparseTopKCategoricalAccuracy{.k = 2}, ConfusionMatrix{},
                       F1Score{.average = Average::macro});
}
auto r2() { return Metric<R2Score, Host>(); }

// Adds rows [first, first + count) to a metric.
template <class T>
View<const T, 1, Host> part(const std::vector<T>& v, std::int64_t first, std::int64_t count) {
  return {v.data() + first, {{count}}};
}
struct Binary {
  static auto make() { return binary(); }
  void operator()(auto& m, const Data& d, std::int64_t first, std::int64_t count, bool weighted,
                  auto... where) const {
    const auto y = part(d.y_true, first, count);
    const auto p = part(d.y_pred, first, count);
    if (weighted) return m.update_state(where..., y, p, part(d.weight, first, count));
    m.update_state(where..., y, p);
  }
};
struct ByClass {
  static auto make() { return by_class(); }
  void operator()(auto& m, const Data& d, std::int64_t first, std::int64_t count, bool weighted,
                  auto... where) const {
    const auto y = part(d.labels, first, count);
    const View<const float, 2, Host> p(d.scores.data() + first * Data::classes,
                                       {{count, Data::classes}});
    if (weighted) return m.update_state(where..., y, p, part(d.weight, first, count));
    m.update_state(where..., y, p);
  }
};
struct Moments2 {
  static auto make() { return r2(); }
  void operator()(auto& m, const Data& d, std::int64_t first, std::int64_t count, bool,
                  auto... where) const {
    const View<const float, 2, Host> y(d.y_true.data() + first, {{count, 1}});
    const View<const float, 2, Host> p(d.y_pred.data() + first, {{count, 1}});
    const auto w = part(d.weight, first, count);
    m.update_state(where..., y, p, w);
  }
};

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

// Results of counts are equal to the last bit, sums of reals nearly.
void compare(const decltype(binary())& a, const decltype(binary())& b, bool weighted) {
  CHECK(near(a.result<MeanSquaredError>(), b.result<MeanSquaredError>()));
  CHECK(near(a.result<AUC>(), b.result<AUC>()));
  CHECK(near(a.result<Recall>(), b.result<Recall>()));
  if (weighted) return;
  CHECK(a.result<BinaryAccuracy>() == b.result<BinaryAccuracy>());
  CHECK(a.result<AUC>() == b.result<AUC>());
  CHECK(a.result<Recall>() == b.result<Recall>());
}
void compare(const decltype(by_class())& a, const decltype(by_class())& b, bool weighted) {
  const auto x = a.result<ConfusionMatrix>();
  const auto y = b.result<ConfusionMatrix>();
  REQUIRE(x.size() == y.size());
  for (std::int64_t i = 0; i < x.size(); ++i) CHECK(near(x.data()[i], y.data()[i]));
  if (!weighted) CHECK(a.save() == b.save());
}
void compare(const decltype(r2())& a, const decltype(r2())& b, bool) {
  CHECK(near(a.result(), b.result()));
}

std::vector<std::vector<std::int64_t>> splits(std::int64_t n) {
  std::vector<std::vector<std::int64_t>> all = {{1, n - 1}, {n - 1, 1}, {0, n, 0}, {65536, n - 65536}};
  std::vector<std::int64_t> uneven;
  for (std::int64_t left = n, size = 1; left > 0; left -= uneven.back(), size = size * 3 + 1) {
    uneven.push_back(std::min(left, size));
  }
  all.push_back(uneven);
  all.push_back(std::vector<std::int64_t>(10, n / 10));
  all.back().push_back(n % 10);
  return all;
}

template <class Update>
void any_split_and_order(Update update) {
  const Data d(100003);
  for (const bool weighted : {false, true}) {
    auto whole = update.make();
    update(whole, d, 0, d.rows, weighted);
    for (const auto& sizes : splits(d.rows)) {
      auto m = update.make();
      std::vector<decltype(m)> parts;
      std::int64_t first = 0;
      for (const std::int64_t n : sizes) {
        update(m, d, first, n, weighted);
        parts.push_back(update.make());
        update(parts.back(), d, first, n, weighted);
        first += n;
      }
      compare(m, whole, weighted);
      // In order, backwards, and as a tree.
      auto forwards = update.make();
      auto backwards = update.make();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        forwards.merge_state(parts[i]);
        backwards.merge_state(parts[parts.size() - 1 - i]);
      }
      CHECK(forwards.save() == m.save());
      compare(backwards, whole, weighted);
      for (std::size_t step = 1; step < parts.size(); step *= 2) {
        for (std::size_t i = 0; i + step < parts.size(); i += 2 * step) {
          parts[i].merge_state(parts[i + step]);
        }
      }
      compare(parts[0], whole, weighted);
    }
  }
}

template <class Update>
void any_executor(Update update) {
  const Data d(300001);
  for (const bool weighted : {false, true}) {
    for (const std::int64_t n : {1, 31, 4097, 65535, 65536, 65537, 262143, 262144, 300001}) {
      auto expected = update.make();
      update(expected, d, 0, n, weighted, on(serial{}));
      const auto bytes = expected.save();
      auto silent = update.make();
      update(silent, d, 0, n, weighted);
      CHECK(silent.save() == bytes);
      for (const int count : {1, 2, 3, 7, 16}) {
        auto a = update.make();
        update(a, d, 0, n, weighted, on(threads{count}));
        CHECK(a.save() == bytes);
        auto b = update.make();
        update(b, d, 0, n, weighted, on(std_threads{count}));
        CHECK(b.save() == bytes);
      }
    }
  }
}

}  // namespace

TEST_CASE("binary metrics do not depend on batches or on the order of merging") {
  any_split_and_order(Binary{});
}
TEST_CASE("class metrics do not depend on batches or on the order of merging") {
  any_split_and_order(ByClass{});
}
TEST_CASE("R2 does not depend on batches or on the order of merging") {
  any_split_and_order(Moments2{});
}
TEST_CASE("binary metrics have the same bits for every executor") { any_executor(Binary{}); }
TEST_CASE("class metrics have the same bits for every executor") { any_executor(ByClass{}); }
TEST_CASE("R2 has the same bits for every executor") { any_executor(Moments2{}); }
