// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "situ/metric.hpp"

// What metrics share: ratios that may be undefined, weights that drop rows, targets as real
// numbers.
namespace situ {

// What a ratio gives when its denominator is zero (no rows, no positives, zero total weight). One
// policy for every ratio of the library.
enum class Absent {
  counted,  // a class that neither occurs nor is predicted scores `value` in a plain mean over
            // classes
  dropped,  // it does not count
};
struct Undefined {
  double value = 0;
  Absent absent = Absent::counted;
  // NaN is the same policy as NaN, so that metrics with it merge and load.
  constexpr bool operator==(const Undefined& other) const {
    return absent == other.absent &&
           (value == other.value || (value != value && other.value != other.value));
  }
};
namespace undefined {
inline constexpr Undefined zero{
    0};  // Keras, and what scikit-learn and TorchMetrics give by default
inline constexpr Undefined one{1};
inline constexpr Undefined nan{std::numeric_limits<double>::quiet_NaN()};
// What each library's ratios of counts (precision, recall, F scores, Jaccard...) give by default.
// scikit-learn averages over the labels that occur in y_true or y_pred, TorchMetrics over classes
// that do.
inline constexpr Undefined keras{0, Absent::counted};
inline constexpr Undefined sklearn{0, Absent::dropped};
inline constexpr Undefined torchmetrics{0, Absent::dropped};
}  // namespace undefined

// numerator / denominator, or what the policy says when the denominator is zero. A NaN stays NaN.
inline double ratio(double numerator, double denominator, Undefined undefined) {
  return denominator == 0 ? undefined.value : numerator / denominator;
}
// Keras's name for a ratio that is 0 when undefined.
inline double divide_no_nan(double numerator, double denominator) {
  return ratio(numerator, denominator, undefined::zero);
}

namespace detail {
// Integers as a type in which the product of two of them fits: int64, and double of 64 bits.
template <symbolic E, symbolic Other>
constexpr auto wide(E e, Other) {
  using A = typename E::value_type;
  using B = typename Other::value_type;
  if constexpr (integer_element<A> && integer_element<B>) {
    using Wide = std::conditional_t<sizeof(A) < 8 && sizeof(B) < 8, std::int64_t, double>;
    return cast<Wide>(e);
  } else {
    return e;
  }
}
}  // namespace detail

// weight * x, where a weight of zero drops the row altogether: also NaN and infinity of x.
template <symbolic W, symbolic X>
[[nodiscard]] constexpr auto weigh(W weight, X x) {
  if constexpr (std::is_same_v<W, One>) {
    return x;
  } else {
    return where(weight != constant<0>, detail::wide(weight, x) * detail::wide(x, weight),
                 constant<0>);
  }
}

// sum(weigh(weight, value)) and sum(weight): the states of every weighted mean. `value` is one
// number per row; a rank-2 value is averaged over its row first, as in Keras.
template <symbolic V, symbolic W>
[[nodiscard]] constexpr auto weighted_mean_states(V value, W weight) {
  static_assert(W::rank < 2,
                "situ: sample_weight of this metric has one value per row; drop the last axis of a "
                "[rows, 1] tensor with situ::squeeze(sample_weight, 1)");
  return states(sum(weigh(weight, row_mean(value))), sum(weight));
}

namespace detail {
inline void check_threshold(double threshold) {
  if (threshold != threshold) {
    throw argument_error(
        "situ: the threshold is NaN, which nothing is above; set .threshold to a number");
  }
}
// Of metrics that compare y_true and y_pred element by element.
template <symbolic T, symbolic P>
constexpr void check_one_shape(T, P) {
  static_assert(
      T::rank == P::rank,
      "situ: this metric takes y_true and y_pred of one shape, [rows] or [rows, columns]; drop "
      "an axis of one element with situ::squeeze(x, 1), and give integer labels [rows] beside "
      "scores [rows, classes] to a Sparse... metric");
}
// binary_label(y_true) of a metric of y_true and y_pred of one shape.
template <symbolic T, symbolic P>
constexpr auto binary_target(T y_true, P y_pred) {
  check_one_shape(y_true, y_pred);
  return binary_label(y_true);
}
template <class Y, class P>
struct RealPair {
  Y y;
  P p;
};
}  // namespace detail

// Targets as real numbers: integers of 64 bits become double, so that they may meet float
// predictions; all else stays.
template <symbolic T>
[[nodiscard]] constexpr auto real_target(T x) {
  using V = typename T::value_type;
  if constexpr (integer_element<V> && sizeof(V) == 8) {
    return cast<double>(x);
  } else {
    return x;
  }
}
// Predictions as real numbers: integers and bool become double, in which no difference of two of
// them overflows.
template <symbolic P>
[[nodiscard]] constexpr auto real_prediction(P x) {
  using V = typename P::value_type;
  if constexpr (integer_element<V> || std::is_same_v<V, bool>) {
    return cast<double>(x);
  } else {
    return x;
  }
}
// y and p, the two of one shape, y in the type of their difference: auto [y, p] = real_pair(y_true,
// y_pred).
template <symbolic T, symbolic P>
[[nodiscard]] constexpr auto real_pair(T y_true, P y_pred) {
  detail::check_one_shape(y_true, y_pred);
  const auto p = real_prediction(y_pred);
  const auto y = cast<typename decltype(real_target(y_true) - p)::value_type>(y_true);
  return detail::RealPair<std::remove_const_t<decltype(y)>, std::remove_const_t<decltype(p)>>{y, p};
}

}  // namespace situ
