// SPDX-License-Identifier: Apache-2.0
// A plain number lives nowhere, so it has no device.
// expect-gcc: constraint
// expect-clang: constraints not satisfied
// expect-nvcc: constraint
#include <situ/device.hpp>

struct OnHost {
  using device_type = situ::Host;
};

#ifdef CURED
using X = OnHost;
#else
using X = float;
#endif

int main() { [[maybe_unused]] situ::device_of<X> device; }
