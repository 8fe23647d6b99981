// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "situ/metrics/clustering.hpp"

namespace situ {

namespace detail {
// The mean mutual information of all tables with the same margins: Vinh, Epps and Bailey (2010),
// equation 24a. At most rows * min(classes, clusters) terms.
inline double expected_mutual_information(const ContingencyTable& table) {
  const double n = table.total();
  const auto log_factorial = [](double x) { return std::lgamma(x + 1); };
  double expected = 0;
  for (std::size_t i = 0; i < table.classes(); ++i) {
    const double a = table.actual(i);
    if (a == 0) continue;
    for (std::size_t j = 0; j < table.classes(); ++j) {
      const double b = table.predicted(j);
      if (b == 0) continue;
      const double fixed = log_factorial(a) + log_factorial(b) + log_factorial(n - a) +
                           log_factorial(n - b) - log_factorial(n);
      for (double both = std::max(1.0, a + b - n); both <= std::min(a, b); ++both) {
        const double chance = fixed - log_factorial(both) - log_factorial(a - both) -
                              log_factorial(b - both) - log_factorial(n - a - b + both);
        expected += both / n * (std::log(n / a) + std::log(both / b)) * std::exp(chance);
      }
    }
  }
  return expected;
}
}  // namespace detail

// Mutual information adjusted for chance, (I - E[I]) / (mean(H(class), H(cluster)) - E[I]): 0 for
// random clusters, 1 for equal partitions, and for no rows or one class and one cluster; 0 when
// just one side has a single label. Inputs as of the other clustering scores. The result costs up
// to rows * num_classes terms. scikit-learn: adjusted_mutual_info_score.
struct AdjustedMutualInformation {
  std::int32_t num_classes = 0;
  EntropyMean mean = EntropyMean::arithmetic;
  auto update(auto y_true, auto y_pred) const {
    return MutualInformation{num_classes}.update(y_true, y_pred);
  }
  double result(std::span<const double> counts) const {
    const ContingencyTable table(counts);
    const detail::Entropies h(table);
    if (h.classes == 0 || h.clusters == 0) return h.classes == h.clusters ? 1 : 0;
    const detail::Pairs p(table);
    if (p.same_class == p.together && p.same_cluster == p.together) return 1;  // equal partitions
    const double expected = detail::expected_mutual_information(table);
    const double most = detail::entropy_mean(mean, h);
    // Chance gives all there is when one side is all single rows; what is left then is the rounding
    // of log n!, about n log n units in the last place.
    const double n = table.total();
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * n * std::log(n) * most;
    return most - expected <= rounding ? 1 : (h.mutual - expected) / (most - expected);
  }
  void validate() const { detail::check_clusters(num_classes); }
  bool operator==(const AdjustedMutualInformation&) const = default;
};

}  // namespace situ
