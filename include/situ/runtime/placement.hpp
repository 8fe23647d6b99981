// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/runtime/device_guard.hpp"
#include "situ/tensor.hpp"

// Whether a pointer really belongs to the device that its type names.
#if defined(__CUDACC__)
namespace situ {

namespace detail {

inline void check_pointer(const void* p, int device) {
  cudaPointerAttributes found;
  settle_devices();
  check_cuda(cudaPointerGetAttributes(&found, p), "cudaPointerGetAttributes", device);
  if (found.type == cudaMemoryTypeManaged) return;  // reachable from everywhere
  const bool on_device = found.type == cudaMemoryTypeDevice;
  if (device < 0 ? !on_device : on_device && found.device == physical_device(device)) return;
  std::string message = "situ: a view on ";
  message += device < 0 ? std::string("Host") : "Cuda<" + std::to_string(device) + ">";
  message += " points to ";
  if (on_device) {
    message += "memory of physical device " + std::to_string(found.device);
  } else {
    message += "host memory";
  }
  throw device_error(
      message + "; name the device of the memory in the view's type, or copy with to<Device>(x)");
}

}  // namespace detail

// Throws device_error unless the first and the last element that the view reaches are memory of its
// device (managed memory is of every device). Costs two questions to the CUDA runtime. Transfers
// and CUDA passes ask by themselves in units compiled without NDEBUG.
template <class T, int R, device D>
void check_placement(const View<T, R, D>& v) {
  if (v.size() == 0) return;
  T* first = v.data();
  T* last = v.data();
  for (int a = 0; a < R; ++a) {
    const std::int64_t reach = (v.extent(a) - 1) * v.strides()[a];
    (reach < 0 ? first : last) += reach;
  }
  detail::check_pointer(first, detail::device_number<D>);
  if (last != first) detail::check_pointer(last, detail::device_number<D>);
}
template <class T, int R, device D>
void check_placement(const Tensor<T, R, D>& t) {
  check_placement(t.view());
}

namespace detail {
template <class View_>
void debug_check_placement([[maybe_unused]] const View_& v) {
#if !defined(NDEBUG)
  check_placement(v);
#endif
}
}  // namespace detail

}  // namespace situ
#endif
