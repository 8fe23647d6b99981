// SPDX-License-Identifier: Apache-2.0
// expect: situ:
// case: SHAPES takes y_true and y_pred of one shape
// case: TOP_K top_k is for metrics with a threshold
// case: NOT_CONST must be a const member function
// case: TENSORS does not take these tensors
// lines: 60
// nvcc: no
#include "situ/metrics/accuracy.hpp"
#include "situ/metrics/at_thresholds.hpp"
#include "situ/metrics/regression.hpp"

using namespace situ;

struct Share {
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(y_true == y_pred, weight);
  }
#ifdef NOT_CONST
  double result(double hits, double rows) { return hits / rows; }
#else
  double result(double hits, double rows) const { return hits / rows; }
#endif
};

void update(const Tensor<float, 1, Host>& y, const Tensor<float, 2, Host>& matrix) {
  Metric<MeanSquaredError, Host> error;
  Metric<Share, Host> share;
#if defined(SHAPES) && !defined(CURED)
  error.update_state(y, matrix);
#else
  error.update_state(matrix, matrix);
#endif
#if defined(TENSORS) && !defined(CURED)
  share.update_state(y);
#else
  share.update_state(y, y);
#endif
#if defined(TOP_K) && !defined(CURED)
  auto best = top_k<2>(MeanSquaredError{});
#else
  auto best = top_k<2>(Precision{});
#endif
  Metric<decltype(best), Host> m(best);
  m.update_state(matrix, matrix);
}
