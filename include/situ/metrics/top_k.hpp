// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metrics/accuracy.hpp"

// Top-k accuracies that say what becomes of scores equal to the label's.
namespace situ {

// Which equal scores count as above the label's.
enum class Ties {
  lower_first,  // those of lower classes, so that k = 1 agrees with argmax; TopK...Accuracy without
                // ties
  higher_first,  // those of higher classes
  for_label,     // none: the label is the best of its equals
  against_label  // all: the label is the last of its equals
};
// What libraries do. TorchMetrics takes what sorting leaves first, of which lower_first is the
// stable case.
namespace ties {
inline constexpr Ties keras = Ties::for_label;
inline constexpr Ties sklearn = Ties::higher_first;
inline constexpr Ties torchmetrics = Ties::lower_first;
}  // namespace ties

// How many classes score above the label's class, equal scores by the policy; a NaN score counts as
// above every number, and a NaN at the label leaves the row a miss for every k up to the number of
// classes.
template <Ties Policy, symbolic X, symbolic L>
[[nodiscard]] constexpr auto label_rank(X x, L label) {
  if constexpr (Policy == Ties::lower_first) {
    return label_rank(x, label);
  } else {
    const auto score = gather(x, label);
    const auto l = class_index(label, columns_of(x));
    if constexpr (Policy == Ties::for_label) {
      return row_sum(!(x <= score));
    } else if constexpr (Policy == Ties::higher_first) {
      return row_sum(where(ColumnIndex{} > l, !(x < score), !(x <= score)));
    } else {
      return row_sum(where(ColumnIndex{} == l, x != x, !(x < score)));
    }
  }
}

// M, a TopKCategoricalAccuracy or SparseTopKCategoricalAccuracy, with this policy. The policy is
// part of the type, so that a row is compared once, with what the policy needs.
template <class M, Ties Policy>
struct WithTies : M {
  auto name() const { return detail::metric_name(static_cast<const M&>(*this)); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    if constexpr (decltype(y_true)::rank == 2) {
      return weighted_mean_states(label_rank<Policy>(y_pred, argmax(y_true)) < this->k, weight);
    } else {
      return weighted_mean_states(label_rank<Policy>(y_pred, y_true) < this->k, weight);
    }
  }
  bool operator==(const WithTies&) const = default;
};
// with_ties<ties::keras>(SparseTopKCategoricalAccuracy{.k = 3})
template <Ties Policy, class M>
[[nodiscard]] auto with_ties(M metric) {
  return WithTies<M, Policy>{std::move(metric)};
}

}  // namespace situ
