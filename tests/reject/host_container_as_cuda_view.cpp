// SPDX-License-Identifier: Apache-2.0
// A vector lives on the host; calling it a view of a device is refused.
// expect-gcc: no matching function for call to
// expect-clang: no matching conversion
// expect-nvcc: no instance of constructor
// expect: Cuda<0>
#include <situ/tensor.hpp>

std::int64_t size(const std::vector<float>& values) {
#ifdef CURED
  return situ::View<const float, 1, situ::Host>(values).size();
#else
  return situ::View<const float, 1, situ::Cuda<0>>(values).size();
#endif
}
