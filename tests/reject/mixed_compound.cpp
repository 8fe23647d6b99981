// SPDX-License-Identifier: Apache-2.0
// Every compound assignment refuses an operand on another device, and names both devices and the cure.
// expect: Host
// expect: Cuda<0>
// expect: move_one_operand_with_situ_to_Device
// case: PLUS
// case: MINUS
// case: TIMES
// case: DIVIDED
#include <situ/situ.hpp>

#ifdef CURED
using There = const situ::View<const float, 1, situ::Host>&;
#else
using There = const situ::View<const float, 1, situ::Cuda<0>>&;
#endif

void use(const situ::View<float, 1, situ::Host>& a, There b) {
#if defined(PLUS) || defined(CURED)
  a += b;
#endif
#if defined(MINUS) || defined(CURED)
  a -= b;
#endif
#if defined(TIMES) || defined(CURED)
  a *= b;
#endif
#if defined(DIVIDED) || defined(CURED)
  a /= b;
#endif
}
