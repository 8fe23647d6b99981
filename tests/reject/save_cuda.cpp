// SPDX-License-Identifier: Apache-2.0
// expect: Cuda<0>
// expect: copy_it_first_with_situ_to_Host
#include <situ/io/npy.hpp>

#ifdef CURED
void save(const situ::Tensor<float, 1, situ::Host>& x) { situ::save_npy("x.npy", x); }
#else
void save(const situ::Tensor<float, 1, situ::Cuda<0>>& x) { situ::save_npy("x.npy", x); }
#endif
