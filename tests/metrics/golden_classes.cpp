// SPDX-License-Identifier: Apache-2.0
// Recorded cases of metrics over several classes: accuracies, top-k, F scores, confusion matrices.
#include "golden.hpp"

namespace {
using namespace situ;

int k_of(const golden::Case& c) { return static_cast<int>(c.number("k", 5)); }

template <class Y, int YRank, class F>
std::vector<double> by_dtype(const F& family, const golden::Case& c, const golden::Inputs& in) {
  if constexpr (golden::every_type) {
    if (c.dtype == "f64") return golden::answers<YRank, 2, Y, double, double>(family, c, in);
    if (c.dtype == "f16") return golden::answers<YRank, 2, Y, float16>(family, c, in);
    if constexpr (F::in_bfloat16) {
      if (c.dtype == "bf16") return golden::answers<YRank, 2, Y, bfloat16>(family, c, in);
    }
  }
  return golden::answers<YRank, 2, Y, float>(family, c, in);
}

struct OneHot : golden::Family {
  auto make(const golden::Case& c, std::size_t) const {
    return collect<golden::Device>(CategoricalAccuracy{}, TopKCategoricalAccuracy{.k = k_of(c)});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    return by_dtype<float, 2>(*this, c, in);
  }
  double tolerance(const golden::Case&) const { return 1e-13; }
};

struct Labels : golden::Family {
  static constexpr bool in_bfloat16 = true;
  auto make(const golden::Case& c, std::size_t) const {
    return collect<golden::Device>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = k_of(c)},
                         ConfusionMatrix{});
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    return by_dtype<std::int16_t, 1>(*this, c, in);
  }
  double tolerance(const golden::Case&) const { return 1e-13; }
};

// The metric gives counts; shares of them are made here.
struct Confusion : Labels {
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    if (c.dtype == "i32") return golden::answers<1, 1, std::int64_t, std::int32_t>(Of{}, c, in);
    return by_dtype<std::int16_t, 1>(Scores{}, c, in);
  }
  static std::vector<double> shares(const Tensor<double, 2, Host>& counts, const golden::Case& c) {
    const auto n = static_cast<std::size_t>(c.number("num_classes", 0));
    std::vector<double> all(n * n, 0.0);  // empty before the first update
    if (counts.size() != 0) {
      REQUIRE(counts.size() == static_cast<std::int64_t>(n * n));
      all.assign(counts.data(), counts.data() + n * n);
    }
    const std::string by = c.option("normalize", "none");
    const auto group = [&](std::size_t i) {
      return by == "true" ? i / n : by == "pred" ? i % n : 0;
    };
    std::vector<double> total(n, 0.0);
    for (std::size_t i = 0; i < all.size(); ++i) total[group(i)] += all[i];
    for (std::size_t i = 0; i < all.size() && by != "none"; ++i) {
      all[i] = divide_no_nan(all[i], total[group(i)]);
    }
    return all;
  }
  struct Scores : Labels {
    static constexpr bool in_bfloat16 = false;
    std::vector<double> read(const auto& m, const golden::Case& c) const {
      return shares(m.template result<ConfusionMatrix>(), c);
    }
  };
  struct Of : golden::Family {
    auto make(const golden::Case& c, std::size_t) const {
      const auto n = static_cast<std::int32_t>(c.number("num_classes", 0));
      return Metric<ConfusionMatrix, golden::Device>({.num_classes = n});
    }
    std::vector<double> read(const auto& m, const golden::Case& c) const {
      return shares(m.result(), c);
    }
  };
};

template <class M>
struct FScores : golden::Family {
  static std::optional<double> threshold(const golden::Case& c) {
    if (!c.has_option("threshold")) return std::nullopt;
    return c.number("threshold", 0);
  }
  static Average average(const golden::Case& c) {
    const std::string a = c.option("average");
    return a == "micro"      ? Average::micro
           : a == "macro"    ? Average::macro
           : a == "weighted" ? Average::weighted
                             : Average::none;
  }
  auto make(const golden::Case& c, std::size_t) const {
    return collect<golden::Device>(
        F1Score{.average = average(c), .threshold = threshold(c)},
        FBetaScore{.average = average(c), .beta = c.number("beta", 1), .threshold = threshold(c)});
  }
  std::vector<double> read(const auto& m, const golden::Case& c) const {
    const ClassScores scores = m.template result<M>();
    // Before the first update the number of classes is not known.
    if (scores.size() == 0) return std::vector<double>(c.values.at("exact").size(), 0.0);
    return {scores.begin(), scores.end()};
  }
  auto answers(const golden::Case& c, const golden::Inputs& in) const {
    return by_dtype<std::uint8_t, 2>(*this, c, in);
  }
  // Without a threshold one class is predicted for each row, also when several are equal or all are 0.
  golden::Expected expected(const golden::Case& c) const {
    if (!c.has_value("exact_argmax")) return {c.values.at("exact"), ""};
    const bool differs = c.values.at("exact_argmax") != c.values.at("exact");
    return {c.values.at("exact_argmax"), differs ? "always_one_class" : ""};
  }
  double tolerance(const golden::Case&) const { return 1e-13; }
};

}  // namespace

TEST_CASE("CategoricalAccuracy agrees with the recorded answers") {
  golden::check("CategoricalAccuracy", OneHot{});
}
TEST_CASE("TopKCategoricalAccuracy agrees with the recorded answers") {
  golden::check("TopKCategoricalAccuracy", OneHot{});
}
TEST_CASE("SparseCategoricalAccuracy agrees with the recorded answers") {
  golden::check("SparseCategoricalAccuracy", Labels{});
}
TEST_CASE("SparseTopKCategoricalAccuracy agrees with the recorded answers") {
  golden::check("SparseTopKCategoricalAccuracy", Labels{});
}
TEST_CASE("ConfusionMatrix agrees with the recorded answers") {
  golden::check("ConfusionMatrix", Confusion{});
}
TEST_CASE("F1Score agrees with the recorded answers") {
  golden::check("F1Score", FScores<F1Score>{});
}
TEST_CASE("FBetaScore agrees with the recorded answers") {
  golden::check("FBetaScore", FScores<FBetaScore>{});
}
