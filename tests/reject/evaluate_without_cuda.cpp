// SPDX-License-Identifier: Apache-2.0
// A unit that the C++ compiler compiles names and checks what is on a device, and runs nothing
// there.
// nvcc: no
// lines: 30
// case: TRANSFER situ: a transfer from or to a CUDA device needs a file compiled as CUDA (nvcc)
// case: ASSIGN situ: an expression on a CUDA device is evaluated in a file compiled as CUDA (nvcc)
// case: UPDATE situ: a CUDA metric is updated in a file compiled as CUDA (nvcc)
#include <situ/situ.hpp>

void use([[maybe_unused]] const situ::View<float, 1, situ::Cuda<0>>& x) {
#ifdef CURED
  static_cast<void>(exp(x) + 1.0f);
#endif
#ifdef TRANSFER
  static_cast<void>(situ::to<situ::Host>(x));
#endif
#ifdef UPDATE
  situ::Metric<situ::Mean, situ::Cuda<0>> mean;
  mean.update_state(x);
#endif
#ifdef ASSIGN
  situ::assign(x, x + 1.0f);
#endif
}
