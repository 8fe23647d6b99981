// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metrics/ratio.hpp"

// Margins. y_true: -1 or 1, or 0 or 1, where 0 means -1 (any real type); y_pred: scores of the same
// shape, rank 1 or 2. A rank-2 loss is averaged over its row first.
namespace situ {

namespace reason {
struct NotSign {
  static constexpr bool guards_access = false;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value == X{}) | (value == limit) | (value + limit == X{});
  }
  static std::string sentence(std::int64_t row, double value, double) {
    return "situ: label " + number(value) + at_row(row) +
           " is none of -1, 0 and 1; a hinge loss needs labels of exactly these values";
  }
};
}  // namespace reason

namespace detail {
// Keras turns 0 into -1 only when a whole batch is made of 0 and 1; by element it is the same for
// labels of one kind, and does not depend on the batch.
template <class Y, class P>
auto margin(Y y_true, P y_pred) {
  using R = typename decltype(exp(y_pred))::value_type;
  check_one_shape(y_true, y_pred);
  const auto y = cast<R>(real_target(check<reason::NotSign>(y_true, Fixed<std::int32_t, 1>{})));
  return constant<1> - where(y == constant<0>, constant<-1>, y) * y_pred;
}
}  // namespace detail

// mean(max(1 - y p, 0)). Keras: metrics.Hinge.
struct Hinge {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(relu(detail::margin(y_true, y_pred)), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const Hinge&) const = default;
};

// mean(max(1 - y p, 0)^2). Keras: metrics.SquaredHinge.
struct SquaredHinge {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(square(relu(detail::margin(y_true, y_pred))), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const SquaredHinge&) const = default;
};

// mean(max(neg - pos + 1, 0)) with pos = sum_j y_j p_j and neg = max_j (1 - y_j) p_j. y_true:
// one-hot [rows, classes]; y_pred: scores of that shape. Keras: metrics.CategoricalHinge.
struct CategoricalHinge {
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(decltype(y_true)::rank == 2 && decltype(y_pred)::rank == 2,
                  "situ: categorical hinge takes y_true and y_pred of shape [rows, classes]");
    using R = typename decltype(exp(y_pred))::value_type;
    const auto y = cast<R>(real_target(y_true));
    const auto positive = row_sum(y * y_pred);
    const auto negative = row_max((constant<1> - y) * y_pred);
    return weighted_mean_states(relu(negative - positive + constant<1>), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const CategoricalHinge&) const = default;
};

}  // namespace situ
