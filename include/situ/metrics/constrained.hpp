// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "situ/metrics/confusion.hpp"

// The best of one rate among the thresholds at which another reaches a value. Thresholds are i / (T
// - 1), from 0 to 1, and 0.5 for T = 1; a score p is above threshold i when p (T - 1) > i, decided
// exactly, so a score of 0 is above none. y_true: 0 or 1, any type; y_pred: probabilities in [0,
// 1]; anything else rejects the update. Both of one shape, of rank 1 or 2; of_class(metric, c)
// looks at one column. O(N + T) time. The result is `undefined` where no threshold reaches the
// value (Keras: 0), and a rate that is itself undefined counts as 0, as in Keras. State: two
// histograms of T + 1 bins.
namespace situ {

namespace detail {

template <auto Member, symbolic T, symbolic P, symbolic W>
auto threshold_states(T y_true, P y_pred, int num_thresholds, W weight) {
  const auto p = probability(y_pred);
  const auto t = cast<std::int32_t>(binary_target(y_true, y_pred));
  const auto steps = option<Member>(std::max(num_thresholds - 1, 1));
  // How many thresholds lie below: of several, 0 is one for every score but 0 itself.
  const auto several = thresholds_below(p, steps) + cast<std::int32_t>(p > constant<0>);
  const auto below = choose(option<Member, 1>(num_thresholds > 1), several,
                            cast<std::int32_t>(p + p > constant<1>));
  const auto bins = option<Member, 2>(num_thresholds + 1);
  return states(histogram(below + t * bins, bins + bins, weight));
}

// The four rates at each threshold.
struct Rates {
  std::vector<double> precision, recall, specificity;

  Rates(std::span<const double> bins, int num_thresholds) {
    const auto n = static_cast<std::size_t>(num_thresholds);
    if (bins.empty()) return;
    if (bins.size() != 2 * (n + 1)) {
      throw state_error("situ: the state was loaded from a metric with " +
                        std::to_string(bins.size() / 2 - 1) + " thresholds and this one has " +
                        std::to_string(n) + "; load it into a metric made alike");
    }
    // Weight above each threshold from the last on, and not above from the first on.
    std::vector<double> tp(n + 1), fp(n + 1), tn(n + 1), fn(n + 1);
    for (std::size_t i = n; i-- > 0;) {
      fp[i] = fp[i + 1] + bins[i + 1];
      tp[i] = tp[i + 1] + bins[i + n + 2];
    }
    for (std::size_t i = 0; i < n; ++i) {
      tn[i + 1] = tn[i] + bins[i];
      fn[i + 1] = fn[i] + bins[i + n + 1];
      precision.push_back(divide_no_nan(tp[i], tp[i] + fp[i]));
      recall.push_back(divide_no_nan(tp[i], tp[i] + fn[i + 1]));
      specificity.push_back(divide_no_nan(tn[i + 1], tn[i + 1] + fp[i]));
    }
  }
};

inline double best_where(const std::vector<double>& rate, const std::vector<double>& constrained,
                         double value, Undefined undefined) {
  double best = -1;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    if (constrained[i] >= value) best = std::max(best, rate[i]);
  }
  return best < 0 ? undefined.value : best;
}

inline void check_constraint(const char* name, double value, int num_thresholds) {
  if (!(value >= 0 && value <= 1)) {
    throw argument_error(std::string("situ: the rate to reach is not within [0, 1]; set .") + name);
  }
  if (num_thresholds < 1 || num_thresholds > (1 << 28)) {
    throw argument_error("situ: there are " + std::to_string(num_thresholds) +
                         " thresholds; use 1 to 268435456");
  }
}

}  // namespace detail

// `constraint` must be given: the default rejects the metric.
#define SITU_CONSTRAINED(Name, best, constrained, constraint)                                    \
  struct Name {                                                                                  \
    double constraint = -1;                                                                      \
    int num_thresholds = 200;                                                                    \
    Undefined undefined = undefined::zero;                                                       \
    auto update(auto y_true, auto y_pred, auto weight) const {                                   \
      return detail::threshold_states<&Name::num_thresholds>(y_true, y_pred, num_thresholds,     \
                                                             weight);                            \
    }                                                                                            \
    double result(std::span<const double> bins) const {                                          \
      const detail::Rates rates(bins, num_thresholds);                                           \
      return detail::best_where(rates.best, rates.constrained, constraint, undefined);           \
    }                                                                                            \
    void validate() const { detail::check_constraint(#constraint, constraint, num_thresholds); } \
    bool operator==(const Name&) const = default;                                                \
  };
SITU_CONSTRAINED(PrecisionAtRecall, precision, recall, recall)
SITU_CONSTRAINED(RecallAtPrecision, recall, precision, precision)
SITU_CONSTRAINED(SensitivityAtSpecificity, recall, specificity, specificity)
SITU_CONSTRAINED(SpecificityAtSensitivity, specificity, recall, sensitivity)
#undef SITU_CONSTRAINED

}  // namespace situ
