// SPDX-License-Identifier: Apache-2.0
// What a small update costs. The slope between sizes is the arithmetic, the intercept the overhead.
#include <benchmark/benchmark.h>

#include "situ/situ.hpp"

namespace {

using namespace situ;

template <class Metrics>
void update(benchmark::State& state, Metrics metrics) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<float> labels(n, 1.0f);
  std::vector<float> scores(n, 0.75f);
  const View<const float, 1, Host> y(labels);
  const View<const float, 1, Host> p(scores);
  for (auto _ : state) {
    metrics.update_state(y, p);
    benchmark::ClobberMemory();
  }
}
void mean_squared_error(benchmark::State& state) { update(state, Metric<MeanSquaredError, Host>{}); }
void seven_fused(benchmark::State& state) {
  update(state, collect<Host>(BinaryAccuracy{}, TruePositives{}, FalsePositives{}, TrueNegatives{},
                              FalseNegatives{}, MeanSquaredError{}, MeanAbsoluteError{}));
}
BENCHMARK(mean_squared_error)->Arg(0)->Arg(32)->Arg(1000)->Arg(2000)->Arg(4000);
BENCHMARK(seven_fused)->Arg(0)->Arg(32)->Arg(1000)->Arg(2000)->Arg(4000);

}  // namespace

BENCHMARK_MAIN();
