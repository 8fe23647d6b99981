// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metrics/crossentropy.hpp"
#include "situ/metrics/relative_errors.hpp"

// Divergences between distributions, and deviances of counts and amounts.
namespace situ {

// sum_j y_j log(y_j / p_j), both kept within [epsilon, 1]; then the mean over the rows. y_true,
// y_pred: [rows, classes], or rank 1. In nats. Keras: metrics.KLDivergence.
struct KLDivergence {
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using Self = KLDivergence;
    using R = detail::real_of<decltype(y_pred)>;
    const auto least = option<&Self::epsilon>(epsilon);
    const auto most = option<&Self::epsilon, 1>(1.0);
    detail::check_one_shape(y_true, y_pred);
    const auto y = clip(cast<R>(real_target(y_true)), least, most);
    return weighted_mean_states(row_sum(y * log(y / clip(y_pred, least, most))), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw argument_error("situ: epsilon of the KL divergence must be within [0, 1)");
    }
  }
  bool operator==(const KLDivergence&) const = default;
};

// mean(p - y log(p + epsilon)), the negative logarithm of a Poisson likelihood but for a term of y
// alone. Keras: metrics.Poisson.
struct Poisson {
  double epsilon = 1e-7;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using R = detail::real_of<decltype(y_pred)>;
    const auto [y, p] = detail::real_pair_as<R>(y_true, y_pred);
    return weighted_mean_states(p - y * log(p + option<&Poisson::epsilon>(epsilon)), weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const { detail::check_epsilon(epsilon); }
  bool operator==(const Poisson&) const = default;
};

namespace reason {
struct OutsideTweedie {
  static constexpr bool guards_access = false;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return value > limit;
  }
  static std::string sentence(std::int64_t row, double value, double) {
    std::string s = "situ: ";
    return s + std::to_string(value) + at_row(row) +
           " is outside the domain of this Tweedie deviance; predictions must be above 0 for any "
           "power but 0, and "
           "targets not below 0 for powers from 1, above 0 from 2";
  }
};
}  // namespace reason

// Mean Tweedie deviance of power p: 0 the squared error, 1 Poisson, 2 gamma, 3 inverse Gaussian,
// below 0 and above 1 other members of the family; there is none within (0, 1). Computed in double.
// Data outside the domain reject the update. scikit-learn: mean_tweedie_deviance.
struct TweedieDeviance {
  double power = 0;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    using Self = TweedieDeviance;
    constexpr double anything = -1e300;
    // The least value that is refused, by power.
    const auto checked_p = check<reason::OutsideTweedie>(
        cast<double>(y_pred), option<&Self::power>(power == 0 ? anything : 0.0));
    const auto checked_y = check<reason::OutsideTweedie>(
        cast<double>(y_true), option<&Self::power, 1>(power < 1   ? anything
                                                      : power < 2 ? -5e-324
                                                                  : 0.0));
    const auto p = choose(option<&Self::power, 2>(power == 0), checked_p,
                          maximum(checked_p, option<&Self::power, 3>(5e-324)));
    const auto y =
        choose(option<&Self::power, 4>(power < 0), maximum(checked_y, constant<0>), checked_y);
    const auto half = choose(
        option<&Self::power, 2>(power == 0), option<&Self::power, 5>(0.5) * square(checked_y - p),
        choose(option<&Self::power, 6>(power == 1), detail::times_log(y, log(y / p)) - y + p,
               choose(option<&Self::power, 7>(power == 2), log(p / y) + y / p - constant<1>,
                      pow(y, option<&Self::power, 8>(2 - power)) *
                              option<&Self::power, 9>(safe_inverse((1 - power) * (2 - power))) -
                          checked_y * pow(p, option<&Self::power, 10>(1 - power)) *
                              option<&Self::power, 11>(safe_inverse(1 - power)) +
                          pow(p, option<&Self::power, 8>(2 - power)) *
                              option<&Self::power, 12>(safe_inverse(2 - power)))));
    return weighted_mean_states(constant<2> * half, weight);
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  void validate() const {
    if (std::isnan(power) || (power > 0 && power < 1)) {
      throw argument_error(
          "situ: there is no Tweedie deviance of a power within (0, 1); use 0, 1, 2, 3 or another");
    }
  }
  bool operator==(const TweedieDeviance&) const = default;

 private:
  static double safe_inverse(double x) { return x == 0 ? 0 : 1 / x; }
};

// exp(mean of -log p of the true class). Options and inputs as SparseCategoricalCrossentropy:
// integer labels [rows], logits or probabilities [rows, classes]. One pass over the logits.
// TorchMetrics: text.Perplexity, whose ignore_index is `ignore_class` here.
struct Perplexity {
  std::optional<bool> from_logits{};
  std::optional<std::int64_t> ignore_class{};
  double epsilon = 0;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return loss().update(y_true, y_pred, weight);
  }
  double result(double total, double weight) const {
    return weight == 0 ? undefined.value : std::exp(total / weight);
  }
  void validate() const { loss().validate(); }
  bool operator==(const Perplexity&) const = default;

 private:
  SparseCategoricalCrossentropy loss() const {
    return {from_logits, ignore_class, epsilon, undefined};
  }
};

}  // namespace situ
