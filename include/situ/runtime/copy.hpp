// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/runtime/cuda_memory.hpp"

// Copies of bytes between the host and CUDA devices, and between CUDA devices.
#if defined(__CUDACC__)
namespace situ::detail {

// Lets Cuda<m> reach the memory pool of Cuda<n> directly where the hardware can. Without it a copy
// between them is right too, but goes through the host.
inline void enable_peer(int n, int m) {
  DeviceMemory& store = device_table().memory[n];
  if (!store.ready.load(std::memory_order_acquire) || !store.pooled) return;
  const std::lock_guard lock(store.mutex);
  for (int peer : store.peers) {
    if (peer == m) return;
  }
  int able = 0;
  check_cuda(cudaDeviceCanAccessPeer(&able, physical_device(m), physical_device(n)),
             "cudaDeviceCanAccessPeer", m);
  if (able != 0) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = physical_device(m);
    access.flags = cudaMemAccessFlagsProtReadWrite;
    check_cuda(cudaMemPoolSetAccess(store.pool, &access, 1), "cudaMemPoolSetAccess", n);
  }
  store.peers.push_back(m);
}

// Where in time something happens: behind what was given to a stream of Cuda<device> so far. async:
// the caller does not wait for it.
struct Order {
  int device;
  cudaStream_t stream;
  bool async;
};

// `from_device` and `to_device` may be on_host, not both.
inline void copy_bytes(const Order& order, void* to, int to_device, const void* from,
                       int from_device, std::size_t bytes) {
  if (bytes == 0) return;
  const DeviceGuard guard(order.device);
  const auto traced =
      trace_transfer(from_device, to_device, bytes, order.device, order.stream, order.async);
  if (to_device != on_host && from_device != on_host && to_device != from_device) {
    enable_peer(to_device, from_device);
    enable_peer(from_device, to_device);
    check_cuda(cudaMemcpyPeerAsync(to, physical_device(to_device), from,
                                   physical_device(from_device), bytes, order.stream),
               "cudaMemcpyPeerAsync", order.device);
    return;
  }
  const cudaMemcpyKind kind = from_device == on_host ? cudaMemcpyHostToDevice
                              : to_device == on_host ? cudaMemcpyDeviceToHost
                                                     : cudaMemcpyDeviceToDevice;
  check_cuda(cudaMemcpyAsync(to, from, bytes, kind, order.stream), "cudaMemcpyAsync", order.device);
}

// Zeros.
inline void clear_bytes(const Order& order, void* to, std::size_t bytes) {
  const DeviceGuard guard(order.device);
  const auto traced = trace_memory(TraceKind::clear, "zeros", order.device, bytes, order.stream);
  check_cuda(cudaMemsetAsync(to, 0, bytes, order.stream), "cudaMemsetAsync", order.device);
}

}  // namespace situ::detail
#endif
