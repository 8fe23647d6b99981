// SPDX-License-Identifier: Apache-2.0
// A unit of the C++ compiler that owns tensors and metrics of a device, reads, merges, saves and
// resets them.
#include <cstdio>

#include "metric.hpp"

namespace {
int failures = 0;
void expect(bool good, const char* what) {
  if (good) return;
  std::printf("failed: %s\n", what);
  ++failures;
}
}  // namespace

int main() {
  const Layouts there = layouts_of_nvcc();
  expect(there.metrics == sizeof(Metrics) && there.labels == sizeof(Labels) &&
             there.view == sizeof(situ::View<const float, 2, Device>) &&
             there.half == sizeof(situ::float16),
         "types have one layout");
  const situ::Tensor<std::int32_t, 1, situ::Host> labels{0, 1, 2, 1};
  const situ::Tensor<float, 2, situ::Host> scores{{3, 1, 2}, {1, 3, 2}, {1, 2, 3}, {3, 2, 1}};
  const Labels y_true = labels_on_device(labels);
  const Scores y_pred = scores_on_device(scores);
  Metrics metrics;
  update(metrics, y_true, y_pred);
  const auto [accuracy, confusion] = metrics.result();
  expect(accuracy == 0.75, "the accuracy");
  expect(confusion(1, 0) == 1 && confusion(1, 1) == 1 && confusion(2, 2) == 1,
         "the confusion matrix");
  Metrics copy = metrics;
  copy.merge_state(metrics);
  Metrics loaded;
  loaded.load(copy.save());
  expect(std::get<1>(loaded.result())(2, 2) == 2, "copying, merging, saving and loading");
  metrics.reset_state();
  expect(std::get<0>(metrics.result()) == 0, "resetting");
  std::printf("%s\n", failures == 0 ? "good" : "bad");
  return failures == 0 ? 0 : 1;
}
