// SPDX-License-Identifier: Apache-2.0
#pragma once

// What must not matter to errors, margins, deviances and correlations: batches, merging, saving,
// rows of weight 0.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "situ/situ.hpp"

namespace regression_splits {

using namespace situ;

// Targets and predictions above 0 and below 1, which every metric here takes.
struct Data {
  static constexpr std::int64_t cols = 3;
  std::int64_t rows;
  std::vector<float> y, p, w;
  explicit Data(std::int64_t n) : rows(n) {
    std::uint32_t state = 77;
    const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    const auto unit = [&] { return (static_cast<float>(next() % 1000) + 1) / 1024.0f; };
    for (std::int64_t i = 0; i < n * cols; ++i) y.push_back(unit()), p.push_back(unit());
    for (std::int64_t i = 0; i < n; ++i) w.push_back(static_cast<float>(next() % 5) / 4.0f);
  }
  // The same rows, and among them others of weight 0 that hold NaN.
  Data with_dropped_rows() const {
    Data d(0);
    const float missing = std::numeric_limits<float>::quiet_NaN();
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        const auto at = static_cast<std::size_t>(i * cols + j);
        d.y.push_back(y[at]), d.p.push_back(p[at]);
      }
      d.w.push_back(w[static_cast<std::size_t>(i)]);
      ++d.rows;
      if (i % 3 != 0) continue;
      d.y.insert(d.y.end(), cols, i % 2 == 0 ? missing : 0.5f);
      d.p.insert(d.p.end(), cols, missing);
      d.w.push_back(0);
      ++d.rows;
    }
    return d;
  }
};

// Rows [first, first + count), as a table or as its first `count` elements.
struct Rows {
  static void update(auto& m, const Data& d, std::int64_t first, std::int64_t count) {
    using V = View<const float, 2, Host>;
    const Shape<2> shape{{count, Data::cols}};
    m.update_state(V(d.y.data() + first * Data::cols, shape),
                   V(d.p.data() + first * Data::cols, shape),
                   View<const float, 1, Host>(d.w.data() + first, {{count}}));
  }
};
struct Numbers {
  static void update(auto& m, const Data& d, std::int64_t first, std::int64_t count) {
    using V = View<const float, 2, Host>;
    const Shape<2> shape{{count, Data::cols}};
    m.update_state(V(d.y.data() + first * Data::cols, shape).select(1, 0),
                   V(d.p.data() + first * Data::cols, shape).select(1, 0),
                   View<const float, 1, Host>(d.w.data() + first, {{count}}));
  }
};

template <class Form>
void splits(auto make, double tolerance) {
  const Data d(1000);
  auto whole = make();
  Form::update(whole, d, 0, d.rows);
  for (const std::int64_t size : {1, 7, 250, 999}) {
    auto batches = make();
    auto merged = make();
    auto regrouped = make();
    for (std::int64_t at = 0; at < d.rows; at += size) {
      auto alone = make();
      const std::int64_t count = std::min(size, d.rows - at);
      Form::update(batches, d, at, count);
      Form::update(alone, d, at, count);
      merged.merge_state(alone);
    }
    CHECK(merged.save() == batches.save());
    regrouped.load(merged.save());
    CHECK(regrouped.save() == merged.save());
    CHECK(std::abs(batches.result() - whole.result()) <= tolerance * std::abs(whole.result()));
  }
}

// Weights of 0 change the places of the rows, thus the order of the sums, but no number.
template <class Form>
void dropped(auto make, double tolerance) {
  const Data d(1000);
  const Data more = d.with_dropped_rows();
  auto few = make();
  auto many = make();
  Form::update(few, d, 0, d.rows);
  Form::update(many, more, 0, more.rows);
  REQUIRE(std::isfinite(many.result()));
  CHECK(std::abs(few.result() - many.result()) <= tolerance * std::abs(few.result()));
}

template <class Form>
void check(auto metric, double tolerance = 1e-13) {
  const auto make = [&] { return Metric<decltype(metric), Host>(metric); };
  splits<Form>(make, tolerance);
  dropped<Form>(make, tolerance);
}

}  // namespace regression_splits
