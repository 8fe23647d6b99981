// SPDX-License-Identifier: Apache-2.0
// Recorded cases of metrics at a threshold, of labels that are equal or not, and of AUC.
#include "golden.hpp"

namespace {
using namespace situ;

// All at once, so that every case also runs fused. Scores and labels of several element types; a
// strided view where one column of several is asked for.
struct AtThreshold : golden::Family {
  std::string skip(const golden::Case& c) const {
    return c.has_option("top_k") ? "top_k: compared in classification_golden_ranked.cpp" : "";
  }
  static std::vector<double> thresholds(const golden::Case& c) {
    return reference::numbers(c.option("threshold", "0.5"));
  }
  std::size_t parts(const golden::Case& c) const { return thresholds(c).size(); }
  std::int64_t column(const golden::Case& c, std::size_t) const {
    return static_cast<std::int64_t>(c.number("class_id", -1));
  }
  auto make(const golden::Case& c, std::size_t part) const {
    const double t = thresholds(c)[part];
    return collect<golden::Device>(BinaryAccuracy{.threshold = t}, TruePositives{t}, TrueNegatives{t},
                         FalsePositives{t}, FalseNegatives{t}, Precision{.threshold = t},
                         Recall{.threshold = t});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<1, 1, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<1, 1, std::int64_t, float16>(*this, c, in);
      if (c.dtype == "bf16") return golden::answers<1, 1, std::uint8_t, bfloat16>(*this, c, in);
    }
    return golden::answers<1, 1, std::uint8_t, float>(*this, c, in);
  }
  double tolerance(const golden::Case&) const { return 1e-13; }
};

// The accuracy alone takes several columns: a row counts by the share of them that are right.
struct BinaryRows : AtThreshold {
  auto make(const golden::Case& c, std::size_t part) const {
    return Metric<BinaryAccuracy, golden::Device>({.threshold = thresholds(c)[part]});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if (c.cols == 1) return AtThreshold::answers(c, in);
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<2, 2, float, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<2, 2, float, float16>(*this, c, in);
    }
    return golden::answers<2, 2, float, float>(*this, c, in);
  }
};

struct Equal : golden::Family {
  auto make(const golden::Case&, std::size_t) const { return Metric<Accuracy, golden::Device>(); }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if (c.dtype == "i32") return golden::answers<1, 1, std::int16_t, std::int32_t>(*this, c, in);
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<1, 1, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<1, 1, float, float16>(*this, c, in);
    }
    return golden::answers<1, 1, float, float>(*this, c, in);
  }
  double tolerance(const golden::Case&) const { return 1e-13; }
};

struct Area : golden::Family {
  // Scores that are no probabilities; Keras takes them as 0 or 1.
  bool refuses(const golden::Case& c) const {
    return c.y_pred.name == "sym" && !c.flag("from_logits");
  }
  auto make(const golden::Case& c, std::size_t) const {
    const std::string how = c.option("summation_method");
    return Metric<AUC, golden::Device>(
        {.num_thresholds = static_cast<int>(c.number("num_thresholds", 200)),
         .curve = c.option("curve") == "PR" ? Curve::pr : Curve::roc,
         .summation_method = how == "minoring"   ? Summation::minoring
                             : how == "majoring" ? Summation::majoring
                                                 : Summation::interpolation,
         .from_logits = c.flag("from_logits")});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if constexpr (golden::every_type) {
      if (c.dtype == "f64") return golden::answers<1, 1, double, double, double>(*this, c, in);
      if (c.dtype == "f16") return golden::answers<1, 1, std::int32_t, float16>(*this, c, in);
    }
    return golden::answers<1, 1, std::uint8_t, float>(*this, c, in);
  }
  double tolerance(const golden::Case&) const { return 1e-12; }
};

}  // namespace

TEST_CASE("BinaryAccuracy agrees with the recorded answers") {
  golden::check("BinaryAccuracy", BinaryRows{});
}
TEST_CASE("TruePositives agree with the recorded answers") {
  golden::check("TruePositives", AtThreshold{});
}
TEST_CASE("TrueNegatives agree with the recorded answers") {
  golden::check("TrueNegatives", AtThreshold{});
}
TEST_CASE("FalsePositives agree with the recorded answers") {
  golden::check("FalsePositives", AtThreshold{});
}
TEST_CASE("FalseNegatives agree with the recorded answers") {
  golden::check("FalseNegatives", AtThreshold{});
}
TEST_CASE("Precision agrees with the recorded answers") {
  golden::check("Precision", AtThreshold{});
}
TEST_CASE("Recall agrees with the recorded answers") { golden::check("Recall", AtThreshold{}); }
TEST_CASE("Accuracy agrees with the recorded answers") { golden::check("Accuracy", Equal{}); }
TEST_CASE("AUC agrees with the recorded answers") { golden::check("AUC", Area{}); }
