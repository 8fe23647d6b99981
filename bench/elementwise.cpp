// SPDX-License-Identifier: Apache-2.0
// Elementwise metrics beside a plain read of the same bytes, in memory and in the first-level cache.
#include <cstdint>

#include "ceiling.hpp"
#include "situ/situ.hpp"

namespace {

using namespace situ;

template <class M>
bench::Variant variant(const char* name, M metric, const auto& y_true, const auto& y_pred, int threads_used,
                       int repeats, bool with_ceiling) {
  const auto n = static_cast<double>(y_pred.size());
  const auto bytes = n * static_cast<double>(sizeof(*y_true.data()) + sizeof(*y_pred.data()));
  return {name, n * repeats, with_ceiling ? bytes : 0, [=]() mutable {
            for (int r = 0; r < repeats; ++r) metric.update_state(on(threads{threads_used}), y_true, y_pred);
          }};
}

auto seven() {
  return collect<Host>(BinaryAccuracy{}, TruePositives{}, FalsePositives{}, TrueNegatives{},
                       FalseNegatives{}, MeanSquaredError{}, MeanAbsoluteError{});
}

void measure(std::size_t n, int threads_used, int repeats, const std::vector<float>& data) {
  std::vector<float> labels(n);
  std::vector<std::uint8_t> bytes(n);
  std::vector<float> scores(n);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    labels[i] = static_cast<float>(state >> 31);
    bytes[i] = static_cast<std::uint8_t>(state >> 31);
    scores[i] = static_cast<float>(state & 0xFFFFFF) / 16777216.0f;
  }
  const View<const float, 1, Host> y(labels);
  const View<const std::uint8_t, 1, Host> y8(bytes);
  const View<const float, 1, Host> p(scores);
  const bool ceiling = repeats == 1;
  std::vector<bench::Variant> v;
  v.push_back(variant("mean squared error", Metric<MeanSquaredError, Host>{}, y, p, threads_used, repeats, ceiling));
  v.push_back(variant("binary accuracy", Metric<BinaryAccuracy, Host>{}, y, p, threads_used, repeats, ceiling));
  v.push_back(variant("seven fused, float labels", seven(), y, p, threads_used, repeats, ceiling));
  v.push_back(variant("seven fused, uint8 labels", seven(), y8, p, threads_used, repeats, ceiling));
  v.push_back(variant("binary cross-entropy + accuracy, float labels",
                      collect<Host>(BinaryCrossentropy{.from_logits = false}, BinaryAccuracy{}), y, p,
                      threads_used, repeats, ceiling));
  v.push_back(variant("binary cross-entropy + accuracy, uint8 labels",
                      collect<Host>(BinaryCrossentropy{.from_logits = false}, BinaryAccuracy{}), y8, p,
                      threads_used, repeats, ceiling));
  v.push_back(variant("AUC, 200 thresholds, uint8 labels", Metric<AUC, Host>{}, y8, p, threads_used, repeats, ceiling));
  bench::run(std::to_string(n) + " elements", v, data, threads_used);
}

}  // namespace

int main() {
  std::printf("%d lanes of 32 bits\n", simd::native_lanes);
  const std::vector<float> data(std::size_t{1} << 27, 1.0f);
  measure(std::size_t{1} << 26, 2, 1, data);
  measure(std::size_t{1} << 26, 1, 1, data);
  measure(4096, 1, 4000, data);
}
