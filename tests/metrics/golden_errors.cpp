// SPDX-License-Identifier: Apache-2.0
// Recorded cases of means and regression errors.
#include "golden.hpp"

namespace {
using namespace situ;

// Rank 1 for float32 with one column, else rank 2; also the columns one by one.
template <int YRank, class F>
std::vector<double> by_dtype(const F& family, const golden::Case& c, const golden::Inputs& in) {
  constexpr int y2 = YRank == 0 ? 0 : 2;
  if constexpr (golden::every_type) {
    if (c.dtype == "f64") return golden::answers<y2, 2, double, double, double>(family, c, in);
    if (c.dtype == "f16") return golden::answers<y2, 2, float, float16>(family, c, in);
    if constexpr (F::in_bfloat16) {
      if (c.dtype == "bf16") return golden::answers<y2, 2, float, bfloat16>(family, c, in);
    }
  }
  if (c.cols > 1) return golden::answers<y2, 2, float, float>(family, c, in);
  return golden::answers<YRank, 1, float, float>(family, c, in);
}

struct Means : golden::Family {
  auto make(const golden::Case&, std::size_t) const { return collect<golden::Device>(Mean{}, Sum{}); }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    return by_dtype<0>(*this, c, in);
  }
  // Weights and values of float32 are multiplied in float32; terms of a sum may cancel.
  double tolerance(const golden::Case& c) const {
    return c.weight == "none" || c.dtype == "f64" ? 1e-13 : 1e-6;
  }
};

struct Errors : golden::Family {
  static constexpr bool in_bfloat16 = true;
  auto make(const golden::Case&, std::size_t) const {
    return collect<golden::Device>(MeanSquaredError{}, RootMeanSquaredError{}, MeanAbsoluteError{});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    return by_dtype<1>(*this, c, in);
  }
  // Errors of float32 are computed in float32.
  double tolerance(const golden::Case& c) const { return c.dtype == "f64" ? 1e-13 : 1e-7; }
};

struct R2 : golden::Family {
  static bool per_column(const golden::Case& c) {
    return c.option("class_aggregation") == "none";
  }
  std::size_t parts(const golden::Case& c) const {
    return per_column(c) ? static_cast<std::size_t>(c.cols) : 1;
  }
  std::int64_t column(const golden::Case& c, std::size_t part) const {
    return per_column(c) ? static_cast<std::int64_t>(part) : -1;
  }
  auto make(const golden::Case& c, std::size_t) const {
    const bool weighted = c.option("class_aggregation") == "variance_weighted_average";
    return Metric<R2Score, golden::Device>({.class_aggregation = weighted
                                      ? ClassAggregation::variance_weighted_average
                                      : ClassAggregation::uniform_average,
                                  .num_regressors = static_cast<int>(c.number("num_regressors", 0))});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<2, 2, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<2, 2, float, float16>(*this, c, in);
    }
    return golden::answers<2, 2, float, float>(*this, c, in);
  }
  // Where Keras gives NaN: no rows follow the policy for undefined ratios, and a constant target scores 1
  // when predicted exactly, else 0, as in scikit-learn; of several, all count alike.
  golden::Expected expected(const golden::Case& c) const {
    golden::Expected e{c.values.at("exact"), ""};
    const golden::Inputs in = reference::make_inputs(c);
    for (double& value : e.values) {
      if (!std::isnan(value)) continue;
      const bool nothing = c.has_tag("empty") || c.has_tag("zero_weight");
      value = !nothing && in.y_true == in.y_pred ? 1 : 0;
      e.reason = nothing ? "no_rows_are_not_nan" : "constant_target_is_not_nan";
    }
    return e;
  }
  // A mean near 1e8 is itself rounded to 1.5e-8.
  double tolerance(const golden::Case& c) const {
    return c.y_true.name == "offset" ? 5e-8 : 1e-11;
  }
};

}  // namespace

TEST_CASE("Mean agrees with the recorded answers") { golden::check("Mean", Means{}); }
TEST_CASE("Sum agrees with the recorded answers") { golden::check("Sum", Means{}); }
TEST_CASE("MeanSquaredError agrees with the recorded answers") {
  golden::check("MeanSquaredError", Errors{});
}
TEST_CASE("RootMeanSquaredError agrees with the recorded answers") {
  golden::check("RootMeanSquaredError", Errors{});
}
TEST_CASE("MeanAbsoluteError agrees with the recorded answers") {
  golden::check("MeanAbsoluteError", Errors{});
}
TEST_CASE("R2Score agrees with the recorded answers") { golden::check("R2Score", R2{}); }
