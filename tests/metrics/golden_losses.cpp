// SPDX-License-Identifier: Apache-2.0
// Recorded cases of cross-entropies.
#include "golden.hpp"

namespace {
using namespace situ;

struct Loss : golden::Family {
  static double smoothing(const golden::Case& c) { return c.number("label_smoothing", 0); }
  // Probabilities are clipped in their own type, so that float32 meets 1 - 2^-23 where float64 meets
  // 1 - 1e-7.
  golden::Expected expected(const golden::Case& c) const {
    if (c.dtype == "f64" || !c.has_value("exact_clip32")) return {c.values.at("exact"), ""};
    const bool differs = c.values.at("exact_clip32") != c.values.at("exact");
    return {c.values.at("exact_clip32"), differs ? "clipped_in_float32" : ""};
  }
  double tolerance(const golden::Case& c) const { return c.dtype == "f64" ? 1e-12 : 2e-7; }
};

struct Binary : Loss {
  double tolerance(const golden::Case& c) const {
    return c.dtype == "f64" && c.cols == 1 && c.y_true.name == "binary" ? 1e-12 : 2e-7;
  }
  auto make(const golden::Case& c, std::size_t) const {
    return Metric<BinaryCrossentropy, golden::Device>(
        {.from_logits = c.flag("from_logits"), .label_smoothing = smoothing(c)});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    // Several columns and soft labels in float32 only: this pass takes long to compile.
    if (c.cols > 1 || c.y_true.name != "binary") {
      return golden::answers<2, 2, float, float, float, false>(*this, c, in);
    }
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<1, 1, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<1, 1, std::int8_t, float16>(*this, c, in);
    }
    return golden::answers<1, 1, std::uint8_t, float>(*this, c, in);
  }
};

struct Categorical : Loss {
  auto make(const golden::Case& c, std::size_t) const {
    return Metric<CategoricalCrossentropy, golden::Device>(
        {.from_logits = c.flag("from_logits"), .label_smoothing = smoothing(c)});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<2, 2, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<2, 2, float, float16>(*this, c, in);
    }
    return golden::answers<2, 2, float, float>(*this, c, in);
  }
};

struct Sparse : Loss {
  auto make(const golden::Case& c, std::size_t) const {
    SparseCategoricalCrossentropy m{.from_logits = c.flag("from_logits")};
    if (c.has_option("ignore_class")) {
      m.ignore_class = static_cast<std::int64_t>(c.number("ignore_class", 0));
    }
    return Metric<SparseCategoricalCrossentropy, golden::Device>(m);
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<1, 2, std::int64_t, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<1, 2, std::int16_t, float16>(*this, c, in);
      if (c.dtype == "bf16") return golden::answers<1, 2, std::int64_t, bfloat16>(*this, c, in);
    }
    return golden::answers<1, 2, std::int32_t, float>(*this, c, in);
  }
};

}  // namespace

TEST_CASE("BinaryCrossentropy agrees with the recorded answers") {
  golden::check("BinaryCrossentropy", Binary{});
}
TEST_CASE("CategoricalCrossentropy agrees with the recorded answers") {
  golden::check("CategoricalCrossentropy", Categorical{});
}
TEST_CASE("SparseCategoricalCrossentropy agrees with the recorded answers") {
  golden::check("SparseCategoricalCrossentropy", Sparse{});
}
