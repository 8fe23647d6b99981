// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "situ/error.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace situ {

// A call of the CUDA runtime that failed. The message names the call, the device, CUDA's own text
// and a cure; `code` is the cudaError_t, `device` the N of Cuda<N>, or -1 when no device is
// concerned.
struct cuda_error : device_error {
  cuda_error(const std::string& message, int error_code, int device_number)
      : device_error(message), code(error_code), device(device_number) {}
  int code;
  int device;
};

#if defined(__CUDACC__)
namespace detail {

inline const char* cure_of(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "free tensors, use smaller batches, or raise the limit with set_memory_limit";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
      return "install an NVIDIA driver that is at least as new as the CUDA toolkit";
    case cudaErrorInvalidDevice:
      return "use one of the devices that list_devices() shows";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidPtx:
    case cudaErrorInvalidDeviceFunction:
      return "compile for this device's capability, which list_devices() shows";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
      return "an earlier kernel of this process failed and CUDA stays unusable in it; find the "
             "kernel "
             "with compute-sanitizer, then start the process again";
    case cudaErrorInvalidResourceHandle:
    case cudaErrorContextIsDestroyed:
      return "use streams and events of that device that are not destroyed yet";
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
    case cudaErrorStreamCaptureImplicit:
    case cudaErrorStreamCaptureIsolation:
      return "do what allocates, copies or waits before the capture of the graph begins";
    case cudaErrorInvalidValue:
      return "check that the pointers belong to the devices named in their types";
    default:
      return "look the error up in CUDA's documentation of the runtime API";
  }
}

// Throws cuda_error unless `error` is cudaSuccess. device: the N of Cuda<N>, or -1.
// CUDA also keeps the last error of a thread. The one reported here is taken from it, so that it is
// not reported twice; an error that someone else left stays for them.
inline void check_cuda(cudaError_t error, const char* call, int device) {
  if (error == cudaSuccess) return;
  if (cudaPeekAtLastError() == error) (void)cudaGetLastError();
  std::string message = "situ: ";
  message += call;
  message += " failed";
  if (device >= 0) message += " on Cuda<" + std::to_string(device) + ">";
  message += ": ";
  message += cudaGetErrorString(error);
  message += " (";
  message += cudaGetErrorName(error);
  message += "); ";
  message += cure_of(error);
  throw cuda_error(message, static_cast<int>(error), device);
}

}  // namespace detail
#endif

}  // namespace situ
