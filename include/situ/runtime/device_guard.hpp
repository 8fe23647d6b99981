// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/runtime/device_table.hpp"

#if defined(__CUDACC__)
namespace situ::detail {

// Makes Cuda<n> the current device of this thread, and the caller's device again at the end of the
// scope. Costs two looks at thread-local numbers when it is current already. Throws cuda_error.
class DeviceGuard {
 public:
  explicit DeviceGuard(int n) {
    const int wanted = physical_device(n);
    check_cuda(cudaGetDevice(&before_), "cudaGetDevice", n);
    if (before_ == wanted) return;
    check_cuda(cudaSetDevice(wanted), "cudaSetDevice", n);
    changed_ = true;
  }
  ~DeviceGuard() {
    if (changed_) (void)cudaSetDevice(before_);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace situ::detail
#endif
