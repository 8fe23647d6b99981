// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "situ/metrics/auc.hpp"
#include "situ/metrics/confusion.hpp"

// Binary metrics at several thresholds, for one class, or for the best classes of a row:
//   at_thresholds(Precision{}, {0.2, 0.5, 0.9})   Keras: Precision(thresholds=[0.2, 0.5, 0.9])
//   at_thresholds(Precision{}, list)              the same with a std::vector<double>
//   at_thresholds(AUC{}, {0.2, 0.5, 0.9})         Keras: AUC(thresholds=[0.2, 0.5, 0.9])
//   of_class(Recall{}, 3)                         Keras: Recall(class_id=3)
//   top_k<2>(Precision{})                         Keras: Precision(top_k=2)
//   top_k<2>(of_class(Recall{}, 3))               Keras: Recall(top_k=2, class_id=3)
namespace situ {

// The four counts that every binary metric is made of.
struct BinaryCounts {
  double tp = 0;
  double fp = 0;
  double tn = 0;
  double fn = 0;
};

namespace detail {
// What M is at a threshold with these counts.
inline double of_counts(const TruePositives&, const BinaryCounts& c) { return c.tp; }
inline double of_counts(const TrueNegatives&, const BinaryCounts& c) { return c.tn; }
inline double of_counts(const FalsePositives&, const BinaryCounts& c) { return c.fp; }
inline double of_counts(const FalseNegatives&, const BinaryCounts& c) { return c.fn; }
inline double of_counts(const Precision& m, const BinaryCounts& c) {
  return m.result(c.tp, c.tp + c.fp);
}
inline double of_counts(const Recall& m, const BinaryCounts& c) {
  return m.result(c.tp, c.tp + c.fn);
}
inline double of_counts(const Specificity& m, const BinaryCounts& c) {
  return m.result(c.tn, c.tn + c.fp);
}
inline double of_counts(const NegativePredictiveValue& m, const BinaryCounts& c) {
  return m.result(c.tn, c.tn + c.fn);
}
template <class M>
concept binary_metric = requires(const M& m, const BinaryCounts& c) {
  of_counts(m, c);
};

// The most thresholds of a list, and the length of one whose length is known at run time only.
inline constexpr std::size_t most_thresholds = 32;

// Negatives, then positives, by how many of the thresholds lie below their score.
template <auto Member, std::size_t N, symbolic T, symbolic P, symbolic W>
auto states_at(T y_true, P y_pred, const std::array<double, N>& thresholds, W weight) {
  static_assert(N >= 1 && N <= most_thresholds, "situ: at_thresholds takes 1 to 32 thresholds");
  constexpr int cells = static_cast<int>(N) + 1;
  const auto below = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (cast<std::int32_t>(y_pred > option<Member, static_cast<int>(I)>(thresholds[I])) + ...);
  }
  (std::make_index_sequence<N>{});
  const auto shift = cast<std::int32_t>(binary_target(y_true, y_pred)) * constant<cells>;
  return states(histogram(below + shift, Fixed<std::int32_t, 2 * cells>{}, weight));
}

// A list filled up with infinity, which no score is above.
template <std::size_t N>
std::array<double, N> filled_up(std::span<const double> given) {
  if (given.empty() || given.size() > N) {
    throw argument_error("situ: at_thresholds got " + std::to_string(given.size()) +
                         " thresholds; give 1 to " + std::to_string(N) +
                         ", or use AUC or PrecisionAtRecall, which take any number of even ones");
  }
  std::array<double, N> all;
  all.fill(std::numeric_limits<double>::infinity());
  std::copy(given.begin(), given.end(), all.begin());
  return all;
}

inline void check_ascending(std::span<const double> thresholds) {
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    if (!(thresholds[i] == thresholds[i])) {
      throw argument_error("situ: a threshold is NaN; give numbers");
    }
    if (i > 0 && !(thresholds[i - 1] < thresholds[i])) {
      throw argument_error("situ: thresholds must ascend; sort them and drop equal ones");
    }
  }
}
}  // namespace detail

// M at each of N thresholds, given in ascending order; its own threshold is not used. A score is
// added once, to the bin of how many thresholds lie below it (as for M, equality is not above, and
// NaN is below all): N comparisons in registers and one addition in memory. The list is part of the
// kernel's arguments, so N is at most 32; evenly spaced thresholds, any number of them, have AUC
// and PrecisionAtRecall. Only the first `count` have a result; the others are
// infinite. State: two histograms of N + 1 bins. Result: one number for each threshold.
template <detail::binary_metric M, std::size_t N>
struct AtThresholds {
  M metric{};
  std::array<double, N> thresholds{};
  std::size_t count = N;

  auto name() const { return detail::metric_name(metric); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::states_at<&AtThresholds::thresholds>(y_true, y_pred, thresholds, weight);
  }
  std::vector<double> result(std::span<const double> bins) const {
    // Sums from either end, so that fractional weights leave no rest where there is nothing.
    std::array<BinaryCounts, N> counts{};
    if (!bins.empty()) {
      for (std::size_t i = 0; i < N; ++i) {
        const BinaryCounts below = i > 0 ? counts[i - 1] : BinaryCounts{};
        counts[i].tn = below.tn + bins[i];
        counts[i].fn = below.fn + bins[i + N + 1];
      }
      for (std::size_t i = N; i-- > 0;) {
        const BinaryCounts above = i + 1 < N ? counts[i + 1] : BinaryCounts{};
        counts[i].fp = above.fp + bins[i + 1];
        counts[i].tp = above.tp + bins[i + N + 2];
      }
    }
    std::vector<double> scores(count);
    for (std::size_t i = 0; i < count; ++i) scores[i] = detail::of_counts(metric, counts[i]);
    return scores;
  }
  void validate() const { detail::check_ascending(std::span(thresholds).first(count)); }
  bool operator==(const AtThresholds&) const = default;
};
// at_thresholds(metric, {0.2, 0.5}): the metric at each of these thresholds.
template <detail::binary_metric M, std::size_t N>
[[nodiscard]] auto at_thresholds(M metric, const double (&thresholds)[N]) {
  return AtThresholds<M, N>{std::move(metric), detail::filled_up<N>(thresholds)};
}
// Of a list that is known at run time: 1 to 32 numbers. Throws argument_error for others.
template <detail::binary_metric M>
[[nodiscard]] auto at_thresholds(M metric, std::span<const double> thresholds) {
  constexpr std::size_t n = detail::most_thresholds;
  return AtThresholds<M, n>{std::move(metric), detail::filled_up<n>(thresholds), thresholds.size()};
}

// AUC of the curve through the points at these thresholds within [0, 1], and at its two ends, where
// all and nothing is positive. num_thresholds of `metric` is not used; scores must be
// probabilities, of one label. Keras: AUC(thresholds=[...]).
template <std::size_t N>
struct AUCAtThresholds {
  AUC metric{};
  std::array<double, N> thresholds{};
  std::size_t count = N;  // the others are infinite and add nothing to the area

  auto name() const { return detail::metric_name(metric); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::states_at<&AUCAtThresholds::thresholds>(y_true, probability(y_pred), thresholds,
                                                           weight);
  }
  double result(std::span<const double> bins) const {
    AUC curve = metric;
    curve.num_thresholds = static_cast<int>(N) + 2;
    return curve.result(bins);
  }
  void validate() const {
    metric.validate();
    detail::check_ascending(std::span(thresholds).first(count));
    if (metric.from_logits || metric.multi_label) {
      throw argument_error(
          "situ: AUC at a list of thresholds takes probabilities of one label; apply situ::sigmoid "
          "to "
          "logits, and use situ::of_class for each label");
    }
    if (!(thresholds.front() >= 0 && thresholds[count - 1] <= 1)) {
      throw argument_error("situ: thresholds of AUC must be within [0, 1]");
    }
  }
  bool operator==(const AUCAtThresholds&) const = default;
};
template <std::size_t N>
[[nodiscard]] auto at_thresholds(AUC metric, const double (&thresholds)[N]) {
  return AUCAtThresholds<N>{std::move(metric), detail::filled_up<N>(thresholds)};
}
[[nodiscard]] inline auto at_thresholds(AUC metric, std::span<const double> thresholds) {
  constexpr std::size_t n = detail::most_thresholds;
  return AUCAtThresholds<n>{std::move(metric), detail::filled_up<n>(thresholds), thresholds.size()};
}

// M of one column: y_true and y_pred are [rows, classes], and M sees column `class_id` of both as
// [rows]. An update without that column is rejected. For any metric of binary labels.
template <class M>
struct OfClass : M {
  std::int32_t class_id = 0;
  auto name() const { return detail::metric_name(static_cast<const M&>(*this)); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(decltype(y_true)::rank == 2 && decltype(y_pred)::rank == 2,
                  "situ: a class_id needs y_true and y_pred of shape [rows, classes]");
    const auto c = option<&OfClass::class_id>(class_id);
    return M::update(gather(y_true, c), gather(y_pred, c), weight);
  }
  void validate() const {
    if (class_id < 0) throw argument_error("situ: class_id is negative; it is a column from 0 on");
    if constexpr (requires(const M& m) { m.validate(); }) M::validate();
  }
  bool operator==(const OfClass&) const = default;
};
template <class M>
[[nodiscard]] auto of_class(M metric, std::int32_t class_id) {
  return OfClass<M>{std::move(metric), class_id};
}

namespace detail {
// Whether an element is one of the K largest of its row. Those found before count as `least`.
template <int K, symbolic P, symbolic L>
constexpr auto among_top(P scores, L least) {
  const auto best = ColumnIndex{} == best_class(scores);
  if constexpr (K == 1) {
    return best;
  } else {
    return best || among_top<K - 1>(where(best, least, scores), least);
  }
}
}  // namespace detail

// M where only the K largest scores of a row can be positive; of equal scores those of lower
// classes. The others count as `others`, below every threshold. M keeps its threshold; Keras has
// none beside top_k unless it is given: set it to minus infinity for that. One more walk over the
// row for each of the K, which is why K is known at compile time.
template <class M, int K>
struct TopK : M {
  static_assert(K >= 1 && K <= 16, "situ: top_k takes K from 1 to 16");
  double others = -std::numeric_limits<double>::infinity();
  auto name() const { return detail::metric_name(static_cast<const M&>(*this)); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(decltype(y_pred)::rank == 2, "situ: top_k needs y_pred of shape [rows, classes]");
    static_assert(
        requires(const M& m) { m.threshold; } || requires(const M& m) { m.thresholds; },
        "situ: top_k is for metrics with a threshold, such as Precision and Recall; the share "
        "of rows whose label is among the best is SparseTopKCategoricalAccuracy");
    const auto least = option<&TopK::others>(others);
    return M::update(y_true, where(detail::among_top<K>(y_pred, least), y_pred, least), weight);
  }
  bool operator==(const TopK&) const = default;
};
template <int K, class M>
[[nodiscard]] auto top_k(M metric) {
  return TopK<M, K>{std::move(metric)};
}

}  // namespace situ
