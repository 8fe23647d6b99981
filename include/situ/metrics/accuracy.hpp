// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/metrics/ratio.hpp"

// Accuracies: the weighted share of rows (or elements) that are predicted right. A value of 1 is
// exact: hits and rows are counted in int64. All have the state (hits, weight).
namespace situ {

// Share of elements with y_pred == y_true. Both of one shape, of rank 1 or 2; types that compare
// without loss. Keras: metrics.Accuracy.
struct Accuracy {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    detail::check_one_shape(y_true, y_pred);
    return weighted_mean_states(y_true == y_pred, weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  bool operator==(const Accuracy&) const = default;
};

// Share of elements where (y_pred > threshold) is y_true. y_true: 0 or 1, any type; anything else
// rejects the update. y_pred: probabilities, or any scores with a threshold to suit; NaN is not
// above it. Both of one shape, of rank 1 or 2. Keras: metrics.BinaryAccuracy.
struct BinaryAccuracy {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(detail::binary_target(y_true, y_pred) ==
                                    (y_pred > option<&BinaryAccuracy::threshold>(threshold)),
                                weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const BinaryAccuracy&) const = default;
};

// Share of elements that are predicted wrong, 1 - BinaryAccuracy. Inputs and threshold as there;
// scikit-learn: hamming_loss of a label matrix.
struct HammingLoss {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(detail::binary_target(y_true, y_pred) !=
                                    (y_pred > option<&HammingLoss::threshold>(threshold)),
                                weight);
  }
  double result(double misses, double weight) const { return ratio(misses, weight, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const HammingLoss&) const = default;
};

// Share of rows all of whose elements are predicted right. Inputs and threshold as of
// BinaryAccuracy. scikit-learn: accuracy_score of a label matrix; TorchMetrics:
// MultilabelExactMatch.
struct ExactMatch {
  double threshold = 0.5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto p = y_pred > option<&ExactMatch::threshold>(threshold);
    return weighted_mean_states(all(detail::binary_target(y_true, y_pred) == p), weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  void validate() const { detail::check_threshold(threshold); }
  bool operator==(const ExactMatch&) const = default;
};

// Share of rows whose largest score is at the largest label. y_true: one-hot or probabilities
// [rows, classes]; y_pred: scores [rows, classes], logits or probabilities alike. The first of
// equal scores counts as the largest. Keras: metrics.CategoricalAccuracy.
struct CategoricalAccuracy {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(label_rank(y_pred, argmax(y_true)) == constant<0>, weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  bool operator==(const CategoricalAccuracy&) const = default;
};

// Share of rows whose largest score is at the label. y_true: integer labels [rows] in [0, classes),
// else the update is rejected; y_pred: scores [rows, classes]. The first of equal scores counts as
// the largest; a row whose label's score is NaN is a miss. Keras:
// metrics.SparseCategoricalAccuracy.
struct SparseCategoricalAccuracy {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(label_rank(y_pred, y_true) == constant<0>, weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  bool operator==(const SparseCategoricalAccuracy&) const = default;
};

// Share of rows whose label is among the k largest scores: fewer than k classes score above it,
// where an equal score counts as above when its class number is lower. So constant scores get the
// share of labels below k, not 100 %. y_true: one-hot [rows, classes]. Keras:
// metrics.TopKCategoricalAccuracy.
struct TopKCategoricalAccuracy {
  int k = 5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(label_rank(y_pred, argmax(y_true)) < k, weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  void validate() const { check_k(k); }
  static void check_k(int k) {
    if (k < 1) {
      throw argument_error("situ: k is " + std::to_string(k) + "; top-k accuracy needs k >= 1");
    }
  }
  bool operator==(const TopKCategoricalAccuracy&) const = default;
};

// The same with integer labels [rows]. Keras: metrics.SparseTopKCategoricalAccuracy.
struct SparseTopKCategoricalAccuracy {
  int k = 5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(label_rank(y_pred, y_true) < k, weight);
  }
  double result(double hits, double weight) const { return ratio(hits, weight, undefined); }
  void validate() const { TopKCategoricalAccuracy::check_k(k); }
  bool operator==(const SparseTopKCategoricalAccuracy&) const = default;
};

namespace detail {
// True for rows whose label is not the ignored one, if any.
template <auto Member, symbolic L>
auto not_ignored(L y_true, std::optional<std::int64_t> ignored) {
  using V = typename L::value_type;
  static_assert(integer_element<V>,
                "situ: only integer labels can be ignored; convert them with "
                "situ::cast<std::int32_t>(y_true) if they are whole numbers");
  const V label = cast_value<V>(ignored.value_or(0));
  // A label type that cannot hold the ignored value never matches it.
  const bool active = ignored.has_value() && cast_value<std::int64_t>(label) == *ignored;
  return (y_true != option<Member, 1>(label)) || option<Member, 2>(!active);
}
}  // namespace detail

// M without the rows whose label is `ignore_class`: prediction, label and weight are dropped
// together. Any label may be ignored: -1, -100, 255, or a valid class. For metrics with integer
// labels [rows].
template <class M>
struct IgnoreClass : M {
  std::int64_t ignore_class = -1;
  auto name() const { return detail::metric_name(static_cast<const M&>(*this)); }
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto keep = detail::not_ignored<&IgnoreClass::ignore_class>(y_true, ignore_class);
    return M::update(where(keep, y_true, constant<0>), where(keep, y_pred, constant<0>),
                     where(keep, weight, constant<0>));
  }
  bool operator==(const IgnoreClass&) const = default;
};
// ignoring(metric, label): the metric without rows of that label.
template <class M>
[[nodiscard]] auto ignoring(M metric, std::int64_t ignore_class) {
  return IgnoreClass<M>{std::move(metric), ignore_class};
}

}  // namespace situ
