// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the recorded cases of tests/reference through metrics and counts who agrees. A family of metrics
// is a struct derived from Family that says how to make and read them; see golden_*.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "reference_cases.hpp"
#include "situ/situ.hpp"

namespace golden {

using reference::Case;
using reference::Inputs;
using situ::Host;
using situ::Shape;
using situ::View;

// Where the metrics live: on a device when the file is compiled as CUDA (tests/cuda/golden.cu), where only the
// cases of float32 are run and missing weights are ones, so that there are fewer kernels to compile.
#ifdef __CUDACC__
using Device = situ::Cuda<0>;
#else
using Device = Host;
#endif
inline constexpr bool every_type = std::is_same_v<Device, Host>;

// A view of host memory on the device that the metrics are on.
template <class T, int R>
auto placed_there(const View<const T, R, Host>& v) {
  if constexpr (every_type) {
    return v;
  } else {
    return situ::to<Device>(v);
  }
}
inline auto elsewhere_to_run() {
  if constexpr (every_type) {
    return situ::std_threads{2};
  } else {
    return situ::detail::default_resource<Device>();
  }
}

// One line of the table that golden_table.cpp prints at the end.
struct Row {
  std::string metric;
  int cases = 0;
  int keras = 0;  // of these agree
  int keras_asked = 0;
  int sklearn = 0;
  int sklearn_asked = 0;
  int torchmetrics = 0;
  int torchmetrics_asked = 0;
  double worst = 0;  // largest deviation from the exact answer
  std::map<std::string, int> differences;
  std::map<std::string, int> skipped;
};
inline std::vector<Row>& table() {
  static std::vector<Row> rows;
  return rows;
}

// The answer that is right by this library's own rules, and why it is not the one called "exact".
struct Expected {
  std::vector<double> values;
  std::string reason;
};

struct Family {
  // Whether cases of bfloat16 are run in it; the others in float32, which holds their values too.
  static constexpr bool in_bfloat16 = false;
  std::string skip(const Case&) const { return ""; }
  // True for input that this library refuses on purpose.
  bool refuses(const Case&) const { return false; }
  // Some cases ask for several answers at once (thresholds, columns); each is computed on its own.
  std::size_t parts(const Case&) const { return 1; }
  std::int64_t column(const Case&, std::size_t) const { return -1; }
  Expected expected(const Case& c) const { return {c.values.at("exact"), ""}; }
  std::vector<double> read(const auto& m, const Case& c) const {
    return {m.result(situ::detail::snake_case(c.metric))};
  }
};

inline double deviation(double got, double want) {
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (got == want) return 0;
  const double d = std::abs(got - want) / std::max(1.0, std::abs(want));
  return std::isnan(d) ? HUGE_VAL : d;
}
inline double deviation(const std::vector<double>& got, const std::vector<double>& want) {
  if (got.size() != want.size()) return HUGE_VAL;
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, deviation(got[i], want[i]));
  return worst;
}

template <class T>
std::vector<T> typed(const std::vector<double>& values) {
  if constexpr (std::is_same_v<T, situ::float16>) {
    std::vector<T> out;
    for (const std::uint16_t bits : reference::as_half_bits(values)) out.push_back(T::from_bits(bits));
    return out;
  } else if constexpr (std::is_same_v<T, situ::bfloat16>) {
    std::vector<T> out;
    for (const double value : values) out.push_back(T(static_cast<float>(value)));
    return out;
  } else {
    return reference::as<T>(values);
  }
}

template <int Rank, class T>
View<const T, Rank, Host> rows_of(const std::vector<T>& all, std::int64_t first, std::int64_t rows,
                                  std::int64_t cols, std::int64_t column) {
  const T* start = all.data() + first * cols;
  const View<const T, 2, Host> view(start, Shape<2>{{rows, cols}});
  if constexpr (Rank == 1) {
    return view.select(1, std::max<std::int64_t>(column, 0));
  } else {
    return column < 0 ? view : view.slice(1, column, column + 1);
  }
}

// The answers to a case, reached on three ways that must give the same state to the last bit: by updates
// in order, by one metric per batch merged afterwards, and through saved bytes. YRank 0: no y_true.
// Passes without weights are compiled for float32 only; elsewhere missing weights are ones.
template <int YRank, int PRank, class Y, class P, class W = float,
          bool MayLackWeight = every_type && std::is_same_v<P, float>, class F>
std::vector<double> answers(const F& family, const Case& c, const Inputs& in) {
  const std::vector<Y> y = typed<Y>(in.y_true);
  const std::vector<P> p = typed<P>(in.y_pred);
  std::vector<W> w = typed<W>(in.weight);
  const bool weighted = c.weight != "none" || !MayLackWeight;
  if (c.weight == "none") w.assign(static_cast<std::size_t>(c.rows), W{1});
  std::vector<double> found;
  for (std::size_t part = 0; part < family.parts(c); ++part) {
    auto whole = family.make(c, part);
    auto merged = family.make(c, part);
    std::int64_t first = 0;
    for (const std::int64_t rows : c.batches) {
      auto alone = family.make(c, part);
      const auto update = [&](const auto&... data) {
        whole.update_state(data...);
        alone.update_state(situ::on(elsewhere_to_run()), data...);
      };
      const std::int64_t column = family.column(c, part);
      const auto y_pred = placed_there(rows_of<PRank>(p, first, rows, c.pred_cols(), column));
      const auto weight = placed_there(rows_of<1>(w, first, rows, 1, -1));
      const auto choose = [&](const auto&... data) {
        if (weighted) return update(data..., weight);
        if constexpr (MayLackWeight) update(data...);
      };
      if constexpr (YRank == 0) {
        choose(y_pred);
      } else {
        choose(placed_there(rows_of<YRank>(y, first, rows, c.true_cols(), column)), y_pred);
      }
      merged.merge_state(alone);
      first += rows;
    }
    CHECK(merged.save() == whole.save());
    auto loaded = family.make(c, part);
    loaded.load(whole.save());
    CHECK(loaded.save() == whole.save());
    for (const double value : family.read(loaded, c)) found.push_back(value);
  }
  return found;
}

// Whether a library agrees. When it does not, the case must name a reason, either recorded with the case
// or given by the family; when it does, there must be none.
inline bool agrees(Row& row, const Case& c, const std::vector<double>& got, const Expected& want,
                   const std::string& library, double tolerance) {
  const bool raised = !c.has_value(library);
  const bool agreed = !raised && deviation(got, c.values.at(library)) <= tolerance;
  if (agreed) {
    // A recorded difference may be gone because it is smaller than what float32 can tell, or because our
    // answer is not the one called "exact".
    const bool large = deviation(c.values.at("exact"), c.values.at(library)) > 2 * tolerance;
    CHECK((!c.differs(library) || !large || !want.reason.empty()));
    return true;
  }
  std::string reason = raised ? "" : want.reason;
  const std::string mark = library + ":";
  for (const std::string& tag : c.tags) {
    if (tag.starts_with(mark)) reason = tag.substr(mark.size());
  }
  CHECK_MESSAGE(!reason.empty(), library << " differs without a known reason");
  ++row.differences[mark + reason];
  return false;
}

template <class F>
void check(const std::string& metric, const F& family) {
  Row row;
  row.metric = metric;
  for (const Case& c :
       reference::read_cases(SITU_TEST_SOURCE_DIR "/reference/golden.txt", metric)) {
    if (const std::string why = family.skip(c); !why.empty()) {
      ++row.skipped[why];
      continue;
    }
    if (!every_type && c.dtype != "f32") {
      ++row.skipped["not float32"];
      continue;
    }
    INFO(metric << " id=" << c.id << " dtype=" << c.dtype << " weight=" << c.weight);
    ++row.cases;
    if (family.refuses(c)) {
      CHECK_THROWS_AS((void)family.answers(c, reference::make_inputs(c)), situ::value_error);
      ++row.differences["refused on purpose"];
      continue;
    }
    const std::vector<double> got = family.answers(c, reference::make_inputs(c));
    const Expected want = family.expected(c);
    const double off = deviation(got, want.values);
    row.worst = std::max(row.worst, off);
    REQUIRE(got.size() == want.values.size());
    CHECK_MESSAGE(off <= family.tolerance(c), "answer " << got[0] << ", exact " << want.values[0]
                                                         << ", off by " << off);
    if (c.values.count("keras") != 0) {
      ++row.keras_asked;
      row.keras += agrees(row, c, got, want, "keras", 4e-5) ? 1 : 0;
    }
    if (c.values.count("sklearn") != 0) {
      ++row.sklearn_asked;
      row.sklearn += agrees(row, c, got, want, "sklearn", std::max(2e-9, 2 * family.tolerance(c)))
                         ? 1
                         : 0;
    }
    if (c.values.count("torchmetrics") != 0) {
      ++row.torchmetrics_asked;
      row.torchmetrics += agrees(row, c, got, want, "torchmetrics", 4e-5) ? 1 : 0;
    }
  }
  CHECK(row.cases >= (every_type ? 400 : 120));
  table().push_back(row);
}

}  // namespace golden
