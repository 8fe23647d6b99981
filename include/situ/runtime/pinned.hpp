// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/runtime/trace_span.hpp"
#include "situ/tensor.hpp"

#if defined(__CUDACC__)
namespace situ {

namespace detail {

inline void* allocate_pinned(std::size_t bytes) {
  const DeviceGuard guard(0);  // where there is no device, says which there are
  const auto traced = trace_memory(TraceKind::allocate, "page-locked", on_host, bytes, nullptr);
  void* p = nullptr;
  // Portable: page-locked for every device.
  check_cuda(cudaHostAlloc(&p, bytes, cudaHostAllocPortable), "cudaHostAlloc", -1);
  return p;
}
inline void release_pinned(void* p) noexcept {
  const auto traced = trace_memory(TraceKind::release, "page-locked", on_host, 0, nullptr);
  (void)cudaFreeHost(p);
}

// Elements are not set.
template <class T, int R>
Tensor<T, R, Host> pinned_tensor(const Shape<R>& shape) {
  check_shape(shape);
  if (shape.size() == 0) return Tensor<T, R, Host>(adopt, nullptr, shape, nullptr);
  const std::size_t bytes = static_cast<std::size_t>(shape.size()) * sizeof(T);
  return Tensor<T, R, Host>(adopt, static_cast<T*>(allocate_pinned(bytes)), shape, &release_pinned);
}

}  // namespace detail

// A zeroed tensor on Host in page-locked memory: pinned<float>(Shape<2>{{3, 4}}). Copies between it
// and a device do not wait when they are given a stream, and use the full bandwidth. Its memory
// cannot be swapped out and takes about a thousand times longer to allocate than other memory: make
// it once. A copy of the tensor is in ordinary memory. Throws cuda_error.
template <element T, int R>
[[nodiscard]] Tensor<T, R, Host> pinned(const Shape<R>& shape) {
  Tensor<T, R, Host> t = detail::pinned_tensor<T>(shape);
  if (t.size() > 0) {
    memory<Host>::clear(t.data(), static_cast<std::size_t>(t.size()) * sizeof(T));
  }
  return t;
}

}  // namespace situ
#endif
