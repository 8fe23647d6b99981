// SPDX-License-Identifier: Apache-2.0
// A metric of your own: what to accumulate, and how to read it.
#include <cstdio>
#include <situ/situ.hpp>

using namespace situ;

struct WithinTolerance {
  float tolerance = 0.1f;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return weighted_mean_states(abs(y_pred - y_true) <= tolerance, weight);
  }
  double result(double hits, double count) const { return divide_no_nan(hits, count); }
};

int main() {
  Metric<WithinTolerance, Host> within{{.tolerance = 0.25f}};
  const Tensor<float, 1, Host> y_true{1, 2, 3, 4};
  const Tensor<float, 1, Host> y_pred{1.25f, 2.5f, 3, 4};
  within.update_state(y_true, y_pred);
  std::printf("%s: %.2f\n", within.name().c_str(), within.result());

  // For one-liners a function is enough.
  auto largest = collect<Host>(mean_of([](auto t, auto p) { return maximum(t, p); }, "mean_of_larger"));
  largest.update_state(y_true, y_pred);
  std::printf("%s: %.4f\n", largest.name().c_str(), largest.result());
  return within.result() == 0.75 && largest.result() == 2.6875 ? 0 : 1;
}
