// SPDX-License-Identifier: Apache-2.0
// Buffers of someone else are viewed, not copied: vectors, raw pointers, and columns of larger tables.
#include <cstdio>
#include <situ/situ.hpp>

int main() {
  using namespace situ;
  std::vector<std::uint8_t> labels = {1, 0, 1};
  // Rows of (id, score): the scores are every second number.
  const float table[] = {10, 0.9f, 11, 0.8f, 12, 0.7f};
  const View<const float, 2, Host> rows(table, {{3, 2}});
  const View<const float, 1, Host> scores = rows.select(1, 1);

  Metric<Precision, Host> precision;
  precision.update_state(View<const std::uint8_t, 1, Host>(labels), scores);
  std::printf("precision %.3f\n", precision.result());
  labels[1] = 1;  // the view sees it: nothing was copied
  precision.reset_state();
  precision.update_state(View<const std::uint8_t, 1, Host>(labels), scores);
  std::printf("precision %.3f\n", precision.result());
  return precision.result() == 1 ? 0 : 1;
}
