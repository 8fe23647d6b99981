// SPDX-License-Identifier: Apache-2.0
// A unit that the C++ compiler compiles can hold a tensor of a device, but not make its memory.
// nvcc: no
// expect: situ: allocating on a CUDA device needs a file compiled as CUDA (nvcc)
#include <situ/tensor.hpp>

using Tensor = situ::Tensor<float, 2, situ::Cuda<0>>;

#ifdef CURED
Tensor make(Tensor& made_elsewhere) { return std::move(made_elsewhere); }
#else
Tensor make() { return Tensor({{3, 4}}, situ::uninitialized); }
#endif
