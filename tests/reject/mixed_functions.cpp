// SPDX-License-Identifier: Apache-2.0
// The functions of two and three tensors refuse a mixture as the operators do.
// expect: Host
// expect: Cuda<0>
// expect: move_one_operand_with_situ_to_Device
// case: MINIMUM minimum
// case: MAXIMUM maximum
// case: POW pow
// case: LOGICAL_AND logical_and
// case: WHERE_CONDITION where
// case: WHERE_CHOICES where
// case: CLIP clip
// case: GATHER gather
// case: LABEL_RANK label_rank
#include <situ/situ.hpp>

using Values = const situ::View<const float, 1, situ::Host>&;
using Rows = const situ::View<const float, 2, situ::Host>&;
#ifdef CURED
using Others = const situ::View<const float, 1, situ::Host>&;
using Labels = const situ::View<const int, 1, situ::Host>&;
#else
using Others = const situ::View<const float, 1, situ::Cuda<0>>&;
using Labels = const situ::View<const int, 1, situ::Cuda<0>>&;
#endif

void use(Values a, Others b, [[maybe_unused]] Rows rows, [[maybe_unused]] Labels labels) {
#if defined(MINIMUM) || defined(CURED)
  static_cast<void>(situ::minimum(a, b));
#endif
#if defined(MAXIMUM) || defined(CURED)
  static_cast<void>(situ::maximum(a, b));
#endif
#if defined(POW) || defined(CURED)
  static_cast<void>(situ::pow(a, b));
#endif
#if defined(LOGICAL_AND) || defined(CURED)
  static_cast<void>(situ::logical_and(a, b));
#endif
#if defined(WHERE_CONDITION) || defined(CURED)
  static_cast<void>(situ::where(b > 0.0f, a, 0.0f));
#endif
#if defined(WHERE_CHOICES) || defined(CURED)
  static_cast<void>(situ::where(a > 0.0f, a, b));
#endif
#if defined(CLIP) || defined(CURED)
  static_cast<void>(situ::clip(a, 0.0f, b));
#endif
#if defined(GATHER) || defined(CURED)
  static_cast<void>(situ::gather(rows, labels));
#endif
#if defined(LABEL_RANK) || defined(CURED)
  static_cast<void>(situ::label_rank(rows, labels));
#endif
}
