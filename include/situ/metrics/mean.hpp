// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "situ/metrics/ratio.hpp"

namespace situ {

namespace detail {
// The weight of every element of `values`: a row's weight counts once per column.
template <class V, class W>
constexpr auto element_weight(V values, W weight) {
  if constexpr (V::rank == 2 && W::rank < 2) {
    return wide(weight, columns_of(values)) * columns_of(values);
  } else {
    return weight;
  }
}
}  // namespace detail

// Weighted mean of all elements: sum(w * x) / sum(w). Input: values of rank 1 or 2, any real type;
// sample_weight of the same shape or one per row. Unit: that of the values. Keras: metrics.Mean.
struct Mean {
  Undefined undefined = undefined::zero;  // no rows, or a total weight of zero
  auto update(auto values, auto weight) const {
    return states(sum(weigh(weight, values)), sum(detail::element_weight(values, weight)));
  }
  double result(double total, double weight) const { return ratio(total, weight, undefined); }
  bool operator==(const Mean&) const = default;
};

// Weighted sum of all elements: sum(w * x), of integers in int64, which must hold it. Keras:
// metrics.Sum.
struct Sum {
  auto update(auto values, auto weight) const { return states(sum(weigh(weight, values))); }
  double result(double total) const { return total; }
  bool operator==(const Sum&) const = default;
};

// mean_of(f): the weighted mean of f(y_true, y_pred), an expression with one value per row or
// element.
template <class F>
struct MeanOfFunction {
  F function;
  std::string name = "mean";
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(function(y_true, y_pred), weight);
  }
  double result(double total, double weight) const { return divide_no_nan(total, weight); }
};
template <class F>
[[nodiscard]] auto mean_of(F function, std::string name = "mean") {
  return MeanOfFunction<F>{std::move(function), std::move(name)};
}

// sum_of(f): the weighted sum of f(y_true, y_pred) over all rows and elements.
template <class F>
struct SumOfFunction {
  F function;
  std::string name = "sum";
  auto update(auto y_true, auto y_pred, auto weight) const {
    return states(sum(weigh(weight, function(y_true, y_pred))));
  }
  double result(double total) const { return total; }
};
template <class F>
[[nodiscard]] auto sum_of(F function, std::string name = "sum") {
  return SumOfFunction<F>{std::move(function), std::move(name)};
}

}  // namespace situ
