// SPDX-License-Identifier: Apache-2.0
// Element types without a common type that holds both are not mixed silently.
// expect: convert_one_operand_with_situ_cast
// expect: float
// expect: long
// case: PLUS
// case: LESS
// case: MINIMUM minimum
#include <situ/situ.hpp>

using Longs = const situ::View<const long, 1, situ::Host>&;
using Floats = const situ::View<const float, 1, situ::Host>&;

void use(Longs a, Floats b) {
#ifdef CURED
  static_cast<void>(situ::cast<double>(a) + b);
  static_cast<void>(situ::cast<double>(a) < b);
  static_cast<void>(situ::minimum(a, situ::cast<long>(b)));
#endif
#ifdef PLUS
  static_cast<void>(a + b);
#endif
#ifdef LESS
  static_cast<void>(a < b);
#endif
#ifdef MINIMUM
  static_cast<void>(situ::minimum(a, b));
#endif
}
