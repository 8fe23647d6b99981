// SPDX-License-Identifier: Apache-2.0
// One metric, two batches of different sizes: the mean is over all rows, not over the batches.
#include <cstdio>
#include <situ/situ.hpp>

int main() {
  using namespace situ;
  Metric<BinaryAccuracy, Host> accuracy;
  const Tensor<float, 1, Host> y_true{1, 0, 1, 1};
  const Tensor<float, 1, Host> y_pred{0.9f, 0.2f, 0.4f, 0.7f};
  accuracy.update_state(y_true, y_pred);
  accuracy.update_state(y_true.slice(0, 0, 1), y_pred.slice(0, 0, 1));
  std::printf("%s: %.2f\n", accuracy.name().c_str(), accuracy.result());
  return accuracy.result() == 0.8 ? 0 : 1;
}
