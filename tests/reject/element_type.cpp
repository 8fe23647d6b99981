// SPDX-License-Identifier: Apache-2.0
// expect: situ: the element type must be bool, an integer of 8 to 64 bits, float16, bfloat16, float or double
// case: OF_TENSOR
// case: OF_VIEW
#include <situ/view.hpp>
#ifndef OF_VIEW
#include <situ/tensor.hpp>
#endif

#ifdef CURED
situ::Tensor<double, 1, situ::Host> tensor;
situ::View<const double, 1, situ::Host> view;
#endif
#ifdef OF_TENSOR
situ::Tensor<long double, 1, situ::Host> tensor;
#endif
#ifdef OF_VIEW
situ::View<const long double, 1, situ::Host> view;
#endif
