// SPDX-License-Identifier: Apache-2.0
// Many metrics, one pass: what they have in common is computed once.
#include <cstdio>
#include <situ/situ.hpp>

int main() {
  using namespace situ;
  auto metrics = collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
                               SparseCategoricalCrossentropy{.from_logits = true});
  const Tensor<std::int32_t, 1, Host> y_true{0, 2, 1};
  const Tensor<float, 2, Host> y_pred{{2.0f, 0.5f, 0.1f}, {0.3f, 0.2f, 4.0f}, {1.0f, 0.9f, 0.8f}};
  metrics.update_state(y_true, y_pred);

  const auto [accuracy, top2, loss] = metrics.result();
  std::printf("accuracy %.3f, top-2 %.3f, cross-entropy %.3f\n", accuracy, top2, loss);
  std::printf("by name: %.3f\n", metrics.result("sparse_categorical_accuracy"));

  // States merge in any order, travel as bytes, and a bad batch leaves them as they were.
  auto other = metrics;
  other.merge_state(metrics);
  other.load(metrics.save());
  try {
    metrics.update_state(Tensor<std::int32_t, 1, Host>{7}, Tensor<float, 2, Host>{{1, 2, 3}});
  } catch (const value_error& e) {
    std::printf("%s\n", e.what());
  }
  return other.result() == metrics.result() && top2 == 1 ? 0 : 1;
}
