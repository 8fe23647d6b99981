// SPDX-License-Identifier: Apache-2.0
// case: READ
// case: WRITE
// expect: Cuda<1>
// expect: copy_it_first_with_situ_to_Host
#include <situ/tensor.hpp>

#ifdef CURED
double read(const situ::Tensor<double, 1, situ::Host>& tensor) { return tensor(3); }
void write(situ::Tensor<double, 1, situ::Host>& tensor) { tensor(3) = 1.0; }
#endif
#ifdef READ
double read(const situ::Tensor<double, 1, situ::Cuda<1>>& tensor) { return tensor(3); }
#endif
#ifdef WRITE
void write(situ::Tensor<double, 1, situ::Cuda<1>>& tensor) { tensor(3) = 1.0; }
#endif
