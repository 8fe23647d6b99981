// SPDX-License-Identifier: Apache-2.0
// Metrics over rows of classes beside a plain read of the same bytes.
#include <cstdint>

#include "ceiling.hpp"
#include "situ/situ.hpp"

namespace {

using namespace situ;

template <class M>
bench::Variant variant(const char* name, M metric, const View<const std::int32_t, 1, Host>& y_true,
                       const View<const float, 2, Host>& y_pred, int threads_used) {
  const auto n = static_cast<double>(y_pred.size());
  return {name, n, n * 4, [=]() mutable {
            metric.update_state(on(threads{threads_used}), y_true, y_pred);
          }};
}

void measure(std::int64_t classes, int threads_used, const std::vector<float>& data) {
  const std::int64_t rows = (std::int64_t{1} << 25) / classes;
  std::vector<float> logits(static_cast<std::size_t>(rows * classes));
  std::vector<std::int32_t> labels(static_cast<std::size_t>(rows));
  std::uint32_t state = 1;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (float& x : logits) x = static_cast<float>(next()) / 2097152.0f - 4.0f;
  for (std::int32_t& y : labels) y = static_cast<std::int32_t>(next() % static_cast<std::uint32_t>(classes));
  const View<const std::int32_t, 1, Host> y(labels);
  const View<const float, 2, Host> p(logits.data(), {{rows, classes}});
  std::vector<bench::Variant> v;
  v.push_back(variant("accuracy + top-5",
                      collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 5}), y,
                      p, threads_used));
  v.push_back(variant("softmax cross-entropy of logits",
                      Metric<SparseCategoricalCrossentropy, Host>({.from_logits = true}), y, p,
                      threads_used));
  v.push_back(variant("confusion matrix", Metric<ConfusionMatrix, Host>{}, y, p, threads_used));
  bench::run(std::to_string(classes) + " classes", v, data, threads_used);
}

}  // namespace

int main() {
  std::printf("%d lanes of 32 bits\n", simd::native_lanes);
  const std::vector<float> data(std::size_t{1} << 26, 1.0f);
  for (const std::int64_t classes : {10, 32, 33, 100, 1000}) {
    measure(classes, 2, data);
    measure(classes, 1, data);
  }
}
