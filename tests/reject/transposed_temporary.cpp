// SPDX-License-Identifier: Apache-2.0
// expect-gcc: use of deleted function
// expect-clang: deleted
// expect-nvcc: deleted function
#include <situ/tensor.hpp>

situ::Tensor<float, 2, situ::Host> make();

std::int64_t columns() {
#ifdef CURED
  const auto named = make();
  return transpose(named).extent(0);
#else
  return transpose(make()).extent(0);
#endif
}
