// SPDX-License-Identifier: Apache-2.0
// Every binary operator refuses operands on different devices, and names both devices and the cure.
// expect: Host
// expect: Cuda<0>
// expect: move_one_operand_with_situ_to_Device
// case: PLUS
// case: MINUS
// case: TIMES
// case: DIVIDED
// case: LESS
// case: LESS_EQUAL
// case: GREATER
// case: GREATER_EQUAL
// case: EQUAL
// case: UNEQUAL
// case: AND
// case: OR
#include <situ/situ.hpp>

#ifdef CURED
using Here = const situ::View<const float, 1, situ::Cuda<0>>&;
#else
using Here = const situ::View<const float, 1, situ::Host>&;
#endif
using There = const situ::View<const float, 1, situ::Cuda<0>>&;

void use(Here a, There b) {
#if defined(PLUS) || defined(CURED)
  static_cast<void>(a + b);
#endif
#if defined(MINUS) || defined(CURED)
  static_cast<void>(a - b);
#endif
#if defined(TIMES) || defined(CURED)
  static_cast<void>(a * b);
#endif
#if defined(DIVIDED) || defined(CURED)
  static_cast<void>(a / b);
#endif
#if defined(LESS) || defined(CURED)
  static_cast<void>(a < b);
#endif
#if defined(LESS_EQUAL) || defined(CURED)
  static_cast<void>(a <= b);
#endif
#if defined(GREATER) || defined(CURED)
  static_cast<void>(a > b);
#endif
#if defined(GREATER_EQUAL) || defined(CURED)
  static_cast<void>(a >= b);
#endif
#if defined(EQUAL) || defined(CURED)
  static_cast<void>(a == b);
#endif
#if defined(UNEQUAL) || defined(CURED)
  static_cast<void>(a != b);
#endif
#if defined(AND) || defined(CURED)
  static_cast<void>(a && b);
#endif
#if defined(OR) || defined(CURED)
  static_cast<void>(a || b);
#endif
}
