// SPDX-License-Identifier: Apache-2.0
// Device memory is not read from host code, not even one element.
// expect: Cuda<0>
// expect: copy_it_first_with_situ_to_Host
#include <situ/tensor.hpp>

#ifdef CURED
float first(const situ::View<const float, 2, situ::Host>& view) { return view(0, 0); }
#else
float first(const situ::View<const float, 2, situ::Cuda<0>>& view) { return view(0, 0); }
#endif
