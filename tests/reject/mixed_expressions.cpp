// SPDX-License-Identifier: Apache-2.0
// An expression is on the device of its operands: nesting hides nothing, nor does an rvalue tensor.
// expect: Host
// expect: Cuda<1>
// expect: move_one_operand_with_situ_to_Device
// case: NESTED
// case: UNARY
// case: RVALUE
#include <situ/situ.hpp>

using OnHost = const situ::View<const float, 1, situ::Host>&;
using OnCuda = const situ::View<const float, 1, situ::Cuda<1>>&;
situ::Tensor<float, 1, situ::Host> make();

#ifdef CURED
void use(OnHost a, OnCuda b) {
  static_cast<void>((a + 1.0f) * abs(a - a));
  static_cast<void>(exp(b) + -b);
  static_cast<void>(make() - a);
}
#endif
#ifdef NESTED
void use(OnHost a, OnCuda b) { static_cast<void>((a + 1.0f) * abs(b - b)); }
#endif
#ifdef UNARY
void use(OnHost a, OnCuda b) { static_cast<void>(exp(b) + -a); }
#endif
#ifdef RVALUE
void use(OnCuda b) { static_cast<void>(make() - b); }
#endif
