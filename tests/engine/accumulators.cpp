// SPDX-License-Identifier: Apache-2.0
// Every accumulator of the vocabulary against a plain loop, for sizes around tiles and parts.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "situ/situ.hpp"

namespace {

using namespace situ;

std::vector<double> numbers(std::size_t n, std::uint32_t seed, double offset = 0) {
  std::vector<double> v(n);
  for (double& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = offset + static_cast<double>(seed >> 8) / 16777216.0;
  }
  return v;
}

struct Extremes {
  auto update(auto y_true, auto y_pred, auto) const {
    return states(situ::min(y_pred - y_true), situ::max(y_pred - y_true), mean(y_pred), count(y_pred > y_true));
  }
  std::vector<double> result(double low, double high, double average, std::int64_t above) const {
    return {low, high, average, static_cast<double>(above)};
  }
};
struct Spread {
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(moments(y_true, weight), co_moments(y_true, y_pred, weight));
  }
  std::pair<Moments, CoMoments> result(Moments m, CoMoments c) const { return {m, c}; }
};
struct Stored {
  auto update(auto y_true, auto y_pred, auto) const { return states(columns(y_true, y_pred)); }
  std::vector<std::pair<std::int32_t, double>> result(
      std::span<const Tuple<std::int32_t, double>> rows) const {
    std::vector<std::pair<std::int32_t, double>> out;
    for (const auto& row : rows) out.emplace_back(get<0>(row), get<1>(row));
    return out;
  }
};
struct ByColumn {
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(column_sum(weight * (y_pred - y_true)), column_moments(y_pred, weight));
  }
  std::pair<std::vector<double>, std::vector<Moments>> result(std::span<const double> sums,
                                                              std::span<const Moments> moments) const {
    return {{sums.begin(), sums.end()}, {moments.begin(), moments.end()}};
  }
};
struct Bins {
  std::int32_t bins = 4;
  auto update(auto y_true, auto, auto weight) const { return states(histogram(y_true, bins, weight)); }
  std::vector<double> result(std::span<const double> counts) const {
    return {counts.begin(), counts.end()};
  }
};

constexpr std::size_t sizes[] = {1, 31, 32, 33, 100, 4097, 70001, 300007};

}  // namespace

TEST_CASE("min, max, mean and count agree with a loop") {
  for (const std::size_t n : sizes) {
    const auto a = numbers(n, 1);
    const auto b = numbers(n, 2);
    Metric<Extremes, Host> metric;
    metric.update_state(View<const double, 1, Host>(a), View<const double, 1, Host>(b));
    double low = 1e9;
    double high = -1e9;
    long double sum = 0;
    int above = 0;
    for (std::size_t i = 0; i < n; ++i) {
      low = std::min(low, b[i] - a[i]);
      high = std::max(high, b[i] - a[i]);
      sum += b[i];
      above += b[i] > a[i];
    }
    const auto got = metric.result();
    CHECK(got[0] == low);
    CHECK(got[1] == high);
    CHECK(got[2] == doctest::Approx(static_cast<double>(sum / static_cast<long double>(n))).epsilon(1e-14));
    CHECK(got[3] == above);
  }
}

TEST_CASE("moments and co-moments lose nothing to a large mean, in one pass or in parts") {
  for (const std::size_t n : sizes) {
    if (n < 2) continue;
    const auto x = numbers(n, 3, 1e8);
    const auto y = numbers(n, 4, -1e8);
    auto w = numbers(n, 5);
    for (std::size_t i = 0; i < n; i += 3) w[i] = 0;
    long double weight = 0;
    long double mean_x = 0;
    long double mean_y = 0;
    for (std::size_t i = 0; i < n; ++i) {
      weight += w[i];
      mean_x += static_cast<long double>(w[i]) * x[i];
      mean_y += static_cast<long double>(w[i]) * y[i];
    }
    mean_x /= weight;
    mean_y /= weight;
    long double m2 = 0;
    long double cxy = 0;
    for (std::size_t i = 0; i < n; ++i) {
      m2 += w[i] * (x[i] - mean_x) * (x[i] - mean_x);
      cxy += w[i] * (x[i] - mean_x) * (y[i] - mean_y);
    }
    const View<const double, 1, Host> vx(x);
    const View<const double, 1, Host> vy(y);
    const View<const double, 1, Host> vw(w);
    Metric<Spread, Host> whole;
    whole.update_state(vx, vy, vw);
    Metric<Spread, Host> parts;
    const auto step = static_cast<std::int64_t>(n / 7 + 1);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); i += step) {
      Metric<Spread, Host> part;
      part.update_state(vx.slice(0, i, i + step), vy.slice(0, i, i + step), vw.slice(0, i, i + step));
      parts.merge_state(part);
    }
    for (const auto& [m, c] : {whole.result(), parts.result()}) {
      CHECK(m.weight == doctest::Approx(static_cast<double>(weight)).epsilon(1e-13));
      CHECK(m.mean == doctest::Approx(static_cast<double>(mean_x)).epsilon(1e-15));
      CHECK(m.m2 == doctest::Approx(static_cast<double>(m2)).epsilon(1e-7));
      CHECK(c.m2_x == doctest::Approx(static_cast<double>(m2)).epsilon(1e-7));
      CHECK(std::fabs(c.cxy - static_cast<double>(cxy)) <= 1e-7 * static_cast<double>(m2));
    }
  }
}

TEST_CASE("stored rows come back in order, also from several threads and after a merge") {
  for (const std::size_t n : sizes) {
    const auto scores = numbers(n, 6);
    std::vector<std::int32_t> labels(n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = static_cast<std::int32_t>(i);
    Metric<Stored, Host> metric;
    metric.update_state(on(std_threads{3}), View<const std::int32_t, 1, Host>(labels),
                        View<const double, 1, Host>(scores));
    metric.merge_state(metric);
    const auto rows = metric.result();
    REQUIRE(rows.size() == 2 * n);
    bool good = true;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      good = good && rows[i].first == labels[i % n] && rows[i].second == scores[i % n];
    }
    CHECK(good);
  }
}

TEST_CASE("columns are accumulated one by one, for short and for long rows") {
  for (const std::int64_t columns : {1, 3, 32, 33, 70}) {
    for (const std::int64_t rows : {1, 31, 33, 500}) {
      const auto n = static_cast<std::size_t>(rows * columns);
      const auto a = numbers(n, 7);
      const auto b = numbers(n, 8);
      const auto w = numbers(static_cast<std::size_t>(rows), 9);
      Metric<ByColumn, Host> metric;
      metric.update_state(View<const double, 2, Host>(a.data(), {{rows, columns}}),
                          View<const double, 2, Host>(b.data(), {{rows, columns}}),
                          View<const double, 1, Host>(w));
      const auto [sums, moments] = metric.result();
      REQUIRE(sums.size() == static_cast<std::size_t>(columns));
      for (std::int64_t j = 0; j < columns; ++j) {
        long double sum = 0;
        long double weight = 0;
        long double mean = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
          const auto at = static_cast<std::size_t>(i * columns + j);
          const double wi = w[static_cast<std::size_t>(i)];
          sum += static_cast<long double>(wi) * (b[at] - a[at]);
          weight += wi;
          mean += static_cast<long double>(wi) * b[at];
        }
        const auto c = static_cast<std::size_t>(j);
        CHECK(sums[c] == doctest::Approx(static_cast<double>(sum)).epsilon(1e-12));
        CHECK(moments[c].mean == doctest::Approx(static_cast<double>(mean / weight)).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("histograms count in few and in many bins, with and without weights, and refuse other bins") {
  for (const std::int32_t bins : {1, 4, 1024, 1025, 5000}) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{600}, std::size_t{70001}}) {
      std::vector<std::int32_t> bin(n);
      for (std::size_t i = 0; i < n; ++i) {
        bin[i] = static_cast<std::int32_t>(i * 7919 % static_cast<std::size_t>(bins));
      }
      const auto w = numbers(n, 10);
      const View<const std::int32_t, 1, Host> b(bin);
      const View<const double, 1, Host> vw(w);
      Metric<Bins, Host> metric({.bins = bins});
      metric.update_state(b, b);
      std::vector<double> expected(static_cast<std::size_t>(bins), 0.0);
      for (std::size_t i = 0; i < n; ++i) expected[static_cast<std::size_t>(bin[i])] += 1;
      CHECK(metric.result() == expected);
      const auto before = metric.save();
      bin[n / 2] = bins;
      CHECK_THROWS_AS(metric.update_state(b, b), value_error);
      bin[n / 2] = -1;
      CHECK_THROWS_AS(metric.update_state(b, b, vw), value_error);
      CHECK(metric.save() == before);
    }
  }
}

TEST_CASE("an update of no rows changes nothing but is accepted") {
  const std::vector<double> none;
  Metric<Spread, Host> metric;
  const View<const double, 1, Host> v(none);
  metric.update_state(v, v);
  CHECK(metric.result().first.weight == 0);
}
