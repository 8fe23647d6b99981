// SPDX-License-Identifier: Apache-2.0
// Two CUDA devices are as far apart as a device and the host.
// expect: Cuda<0>
// expect: Cuda<1>
// expect: move_one_operand_with_situ_to_Device
#include <situ/situ.hpp>

using First = const situ::View<const float, 1, situ::Cuda<0>>&;
using Second = const situ::View<const float, 1, situ::Cuda<1>>&;

#ifdef CURED
void use(First a, First b) { static_cast<void>(a + b); }
#else
void use(First a, Second b) { static_cast<void>(a + b); }
#endif
