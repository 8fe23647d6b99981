// SPDX-License-Identifier: Apache-2.0
// What is read-only stays read-only.
// expect-gcc: no matching function for call to
// expect-clang: no matching conversion
// expect-nvcc: no instance of constructor
#include <situ/tensor.hpp>

#ifdef CURED
using Element = const float;
#else
using Element = float;
#endif

std::int64_t size(const situ::View<const float, 2, situ::Host>& view) {
  return situ::View<Element, 2, situ::Host>(view).size();
}
