// SPDX-License-Identifier: Apache-2.0
// What an evaluation loop does on a device: launches, bytes, transfers, and where the host waits.
#include <iostream>
#include <situ/situ.hpp>

using namespace situ;

int main() {
  constexpr std::int64_t rows = 4096;
  constexpr std::int64_t classes = 10;
  const auto scores = random_uniform<float>(Shape<2>{{rows, classes}}, 1);
  const auto labels = random_integers<std::int32_t>(Shape<1>{{rows}}, 2, 0, 10);

  TraceTable table(true);  // with the time on the device
  const TraceScope watch(table);

  auto metrics =
      collect<Cuda<0>>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
                       SparseCategoricalCrossentropy{.from_logits = true});
  // Everything below is given to the stream; the host waits once, for the result.
  const auto stream = Stream<Cuda<0>>::create();
  auto y_true = to<Cuda<0>>(on(stream), labels);
  auto y_pred = to<Cuda<0>>(on(stream), scores);
  for (int batch = 0; batch < 8; ++batch) {
    transfer(on(stream), y_pred, scores);  // the next batch, into memory that exists
    metrics.update_state(on(stream), y_true, y_pred);
  }
  const auto [accuracy, top2, loss] = metrics.result();

  finish_timings();
  std::cout << table << "\naccuracy " << accuracy << ", top-2 " << top2 << ", loss " << loss << "\n"
            << "memory of Cuda<0>: " << to_string(memory_info(0)) << "\n";
}
