// SPDX-License-Identifier: Apache-2.0
// expect: Cuda<0>
// expect: copy_it_first_with_situ_to_Host
// case: TENSOR
// case: VIEW
// case: EXPRESSION
#include <iostream>
#include <situ/print.hpp>
#include <situ/situ.hpp>

#ifdef CURED
void print(const situ::Tensor<float, 1, situ::Host>& x) { std::cout << x << x.view(); }
#endif
#ifdef TENSOR
void print(const situ::Tensor<float, 1, situ::Cuda<0>>& x) { std::cout << x; }
#endif
#ifdef VIEW
void print(const situ::View<const float, 2, situ::Cuda<0>>& x) { std::cout << x; }
#endif
#ifdef EXPRESSION
void print(const situ::View<const float, 2, situ::Cuda<0>>& x) { std::cout << x + x; }
#endif
