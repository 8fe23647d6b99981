// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/metrics/accuracy.hpp"

// Cross-entropies, in nats. Whether y_pred are logits or probabilities is never guessed and has no
// default: name `from_logits`. Probabilities are kept within [epsilon, 1 - epsilon] as in Keras;
// epsilon 0 is exact, and then infinite where the true class has probability 0.
namespace situ {

namespace detail {
inline void check_crossentropy(const std::optional<bool>& from_logits, double label_smoothing,
                               double epsilon) {
  if (!from_logits) {
    throw argument_error(
        "situ: it is not named whether y_pred are logits or probabilities; set .from_logits = true "
        "or "
        "false");
  }
  if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
    throw argument_error("situ: label_smoothing must be within [0, 1]");
  }
  if (!(epsilon >= 0 && epsilon < 0.5)) {
    throw argument_error("situ: epsilon of a cross-entropy must be within [0, 0.5)");
  }
}

// Probabilities, which must be in [0, 1] unless they are logits.
template <class R, class Logits, class P>
constexpr auto unless_logits(Logits logits, P y_pred) {
  return probability(choose(logits, cast<R>(Fixed<std::int32_t, 0>{}), cast<R>(y_pred)));
}
// x * log(p), which is 0 where x is 0 even if the logarithm is infinite.
template <class X, class L>
constexpr auto times_log(X x, L log_p) {
  return where(x == constant<0>, constant<0>, x * log_p);
}
}  // namespace detail

// -(y log p + (1 - y) log(1 - p)), or softplus(x) - y x of logits x. y_true: real numbers in [0,
// 1], of the shape of y_pred, rank 1 or 2. With label_smoothing s, y becomes y (1 - s) + s / 2.
// Integer and bool labels need one logarithm instead of two. Keras: metrics.BinaryCrossentropy.
struct BinaryCrossentropy {
  std::optional<bool> from_logits{};
  double label_smoothing = 0;
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    using Self = BinaryCrossentropy;
    using R = typename decltype(exp(y_pred))::value_type;
    const auto logits = option<&Self::from_logits>(from_logits.value_or(false));
    const auto target = cast<R>(check<reason::NotTarget>(y_true, Fixed<std::int32_t, 1>{})) *
                            option<&Self::label_smoothing>(1 - label_smoothing) +
                        option<&Self::label_smoothing, 1>(label_smoothing / 2);
    const auto p = clip(detail::unless_logits<R>(logits, y_pred), option<&Self::epsilon>(epsilon),
                        option<&Self::epsilon, 1>(1 - epsilon));
    const auto two_logarithms = -(detail::times_log(target, log(p)) +
                                  detail::times_log(constant<1> - target, log(constant<1> - p)));
    const auto from_logit = softplus(y_pred) - target * y_pred;
    if constexpr (detail::integer_expression<decltype(y_true)>) {
      const auto one_logarithm = -log(where(binary_label(y_true), p, constant<1> - p));
      const auto loss = choose(option<&Self::label_smoothing, 2>(label_smoothing == 0),
                               one_logarithm, two_logarithms);
      return weighted_mean_states(choose(logits, from_logit, loss), weight);
    } else {
      return weighted_mean_states(choose(logits, from_logit, two_logarithms), weight);
    }
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_crossentropy(from_logits, label_smoothing, epsilon); }
  bool operator==(const BinaryCrossentropy&) const = default;
};

// -sum_j y_j log p_j over the classes. y_true: probabilities or one-hot [rows, classes]; y_pred
// [rows, classes]: logits, or probabilities, which are scaled to sum 1 as in Keras. With
// label_smoothing s, y_j becomes y_j (1 - s) + s / classes. Keras: metrics.CategoricalCrossentropy.
struct CategoricalCrossentropy {
  std::optional<bool> from_logits{};
  double label_smoothing = 0;
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(
        decltype(y_pred)::rank == 2 && decltype(y_true)::rank == 2,
        "situ: categorical cross-entropy takes y_true and y_pred of shape [rows, classes]; use "
        "SparseCategoricalCrossentropy for integer labels");
    using R = typename decltype(exp(y_pred))::value_type;
    using Self = CategoricalCrossentropy;
    const auto y = cast<R>(check<reason::NotTarget>(y_true, Fixed<std::int32_t, 1>{})) *
                       option<&Self::label_smoothing>(1 - label_smoothing) +
                   cast<R>(option<&Self::label_smoothing, 1>(label_smoothing) / columns_of(y_pred));
    const auto logits = option<&Self::from_logits>(from_logits.value_or(false));
    const auto given = detail::unless_logits<R>(logits, y_pred);
    const auto p = clip(cast<R>(given / row_sum(y_pred)), option<&Self::epsilon>(epsilon),
                        option<&Self::epsilon, 1>(1 - epsilon));
    const auto log_p = choose(logits, y_pred - cast<R>(logsumexp(y_pred)), log(p));
    return weighted_mean_states(-row_sum(detail::times_log(y, log_p)), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_crossentropy(from_logits, label_smoothing, epsilon); }
  bool operator==(const CategoricalCrossentropy&) const = default;
};

// -log p of the true class. y_true: integer labels [rows] in [0, classes), else the update is
// rejected, except for `ignore_class`, whose rows are dropped; y_pred [rows, classes]: logits, or
// probabilities, which are scaled to sum 1 as in Keras. Keras:
// metrics.SparseCategoricalCrossentropy.
struct SparseCategoricalCrossentropy {
  std::optional<bool> from_logits{};
  std::optional<std::int64_t> ignore_class{};
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;

  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(decltype(y_pred)::rank == 2,
                  "situ: sparse categorical cross-entropy takes y_pred of shape [rows, classes]");
    using Self = SparseCategoricalCrossentropy;
    using R = typename decltype(exp(y_pred))::value_type;
    const auto logits = option<&Self::from_logits>(from_logits.value_or(false));
    const auto keep = detail::not_ignored<&Self::ignore_class>(y_true, ignore_class);
    const auto own = gather(y_pred, where(keep, y_true, constant<0>));
    const auto shift = detail::safe_shift(y_pred);
    const auto total = row_sum(choose(logits, exp(y_pred - shift), cast<R>(y_pred)));
    const auto loss =
        choose(logits, shift + log(total) - own,
               -log(clip(detail::unless_logits<R>(logits, where(keep, own, constant<0>)) / total,
                         option<&Self::epsilon>(epsilon), option<&Self::epsilon, 1>(1 - epsilon))));
    return weighted_mean_states(loss, where(keep, weight, constant<0>));
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_crossentropy(from_logits, 0, epsilon); }
  bool operator==(const SparseCategoricalCrossentropy&) const = default;
};

}  // namespace situ
