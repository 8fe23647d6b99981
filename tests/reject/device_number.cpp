// SPDX-License-Identifier: Apache-2.0
// expect: situ: a CUDA device number starts at 0; write Cuda<0>
#include <situ/device.hpp>

#ifdef CURED
constexpr int number = 0;
#else
constexpr int number = -1;
#endif

int main() { [[maybe_unused]] situ::Cuda<number> device; }
