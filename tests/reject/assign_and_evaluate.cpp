// SPDX-License-Identifier: Apache-2.0
// expect: Host
// expect: Cuda<0>
// expect: move_one_operand_with_situ_to_Device
// case: ASSIGN assign
// case: EVALUATE evaluate
#include <situ/situ.hpp>

void use([[maybe_unused]] const situ::View<float, 1, situ::Host>& a,
         [[maybe_unused]] const situ::View<const float, 1, situ::Cuda<0>>& b) {
#ifdef CURED
  situ::assign(a, a + 1.0f);
  static_cast<void>(situ::evaluate(situ::sum(a), situ::mean(a)));
#endif
#ifdef ASSIGN
  situ::assign(a, b + 1.0f);
#endif
#ifdef EVALUATE
  static_cast<void>(situ::evaluate(situ::sum(a), situ::mean(b)));
#endif
}
