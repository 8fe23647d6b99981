// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "situ/runtime/trace_span.hpp"

// Stream-ordered memory of CUDA devices, by the N of Cuda<N>, so that it is compiled once and not
// for every device.
#if defined(__CUDACC__)
namespace situ::detail {

inline void synchronize_stream(int n, cudaStream_t stream) {
  const DeviceGuard guard(n);
  const auto traced = trace_wait("cudaStreamSynchronize", n, stream);
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize", n);
}

// What is given to `waiting` on Cuda<n> from now on waits for what was given to `other` on Cuda<m>.
// Costs an event when they differ; the host does not wait.
inline void join_streams(int n, cudaStream_t waiting, int m, cudaStream_t other) {
  if (n == m && waiting == other) return;
  cudaEvent_t event = nullptr;
  {
    const DeviceGuard guard(m);
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags",
               m);
    const cudaError_t recorded = cudaEventRecord(event, other);
    if (recorded != cudaSuccess) (void)cudaEventDestroy(event);
    check_cuda(recorded, "cudaEventRecord", m);
  }
  const DeviceGuard guard(n);
  const cudaError_t joined = cudaStreamWaitEvent(waiting, event, 0);
  (void)cudaEventDestroy(event);  // CUDA keeps it until it has happened
  check_cuda(joined, "cudaStreamWaitEvent", n);
}

// Makes the pool take from the device what it may ever need.
inline void reserve_memory(int n, DeviceMemory& store) {
  std::size_t bytes = store.limit;
  if (bytes == 0) {
    std::size_t available = 0;
    std::size_t all = 0;
    check_cuda(cudaMemGetInfo(&available, &all), "cudaMemGetInfo", n);
    bytes = available / 10 * 9;
  }
  void* p = nullptr;
  const cudaError_t reserved = cudaMallocFromPoolAsync(&p, bytes, store.pool, nullptr);
  if (reserved != cudaSuccess) (void)cudaMemPoolDestroy(store.pool);
  check_cuda(reserved, "cudaMallocFromPoolAsync", n);
  check_cuda(cudaFreeAsync(p, nullptr), "cudaFreeAsync", n);
}

// Makes the pool. The caller holds a DeviceGuard of n.
inline void prepare_memory(int n, DeviceMemory& store) {
  if (store.ready.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(store.mutex);
  if (store.ready.load(std::memory_order_relaxed)) return;
  const int device = physical_device(n);
  int pools = 0;
  check_cuda(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device),
             "cudaDeviceGetAttribute", n);
  if (pools != 0) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    check_cuda(cudaMemPoolCreate(&store.pool, &properties), "cudaMemPoolCreate", n);
    // What was released stays with the process until release_cached_memory: asking the driver for
    // memory takes as long as many small updates.
    std::uint64_t keep = ~std::uint64_t{0};
    check_cuda(cudaMemPoolSetAttribute(store.pool, cudaMemPoolAttrReleaseThreshold, &keep),
               "cudaMemPoolSetAttribute", n);
    if (!store.growth) reserve_memory(n, store);
    store.pooled = true;
  }
  store.ready.store(true, std::memory_order_release);
}

// Memory of Cuda<n>, 256-byte aligned, usable in the order of `stream`; uninitialised. Throws
// cuda_error when there is none left or a memory limit would be exceeded. bytes > 0.
inline void* allocate_on(int n, std::size_t bytes, cudaStream_t stream) {
  const DeviceGuard guard(n);
  DeviceMemory& store = device_table().memory[n];
  prepare_memory(n, store);
  const auto traced =
      trace_memory(TraceKind::allocate, store.pooled ? "pool" : "cudaMalloc", n, bytes, stream);
  const std::lock_guard lock(store.mutex);
  if (store.limit > 0 && (bytes > store.limit || store.in_use > store.limit - bytes)) {
    throw cuda_error("situ: " + std::to_string(bytes) + " bytes on Cuda<" + std::to_string(n) +
                         "> would exceed its memory limit of " + std::to_string(store.limit) +
                         ", of which " + std::to_string(store.in_use) +
                         " are in use; free tensors, use smaller batches, or raise the limit with "
                         "set_memory_limit",
                     static_cast<int>(cudaErrorMemoryAllocation), n);
  }
  void* p = nullptr;
  if (store.pooled) {
    check_cuda(cudaMallocFromPoolAsync(&p, bytes, store.pool, stream), "cudaMallocFromPoolAsync",
               n);
  } else {
    check_cuda(cudaMalloc(&p, bytes), "cudaMalloc", n);
  }
  try {
    store.blocks.add({static_cast<const char*>(p), bytes, stream});
  } catch (...) {
    (void)(store.pooled ? cudaFreeAsync(p, stream) : cudaFree(p));
    throw;
  }
  store.in_use += bytes;
  if (store.in_use > store.peak) store.peak = store.in_use;
  return p;
}

// Gives memory back once what was given to `stream` is done. Errors have no one to go to here;
// those that matter stay with the device and come back from the next call.
inline void release_on(int n, void* p, cudaStream_t stream) noexcept {
  if (p == nullptr) return;
  try {
    const DeviceGuard guard(n);
    DeviceMemory& store = device_table().memory[n];
    std::size_t bytes = 0;
    {
      const std::lock_guard lock(store.mutex);
      if (Block* const block = store.blocks.around(p)) {
        bytes = block->bytes;
        store.in_use -= bytes;
        store.blocks.remove(block);
      }
      (void)(store.pooled ? cudaFreeAsync(p, stream) : cudaFree(p));
    }
    const auto traced =
        trace_memory(TraceKind::release, store.pooled ? "pool" : "cudaMalloc", n, bytes, stream);
  } catch (...) {
  }
}

// The stream in whose order situ released or allocates the memory around p; the default stream for
// memory of others.
inline cudaStream_t home_stream(int n, const void* p) {
  if (n < 0 || n >= DeviceTable::most) return nullptr;
  DeviceMemory& store = device_table().memory[n];
  const std::lock_guard lock(store.mutex);
  const Block* const block = store.blocks.around(p);
  return block != nullptr ? block->stream : nullptr;
}

// From now on the memory at p, which situ allocated, is released in the order of `stream`, where it
// is used.
inline void set_home_stream(int n, const void* p, cudaStream_t stream) {
  DeviceMemory& store = device_table().memory[n];
  const std::lock_guard lock(store.mutex);
  if (Block* const block = store.blocks.around(p)) block->stream = stream;
}

// Destroys a stream. Memory that was to be released in its order passes to the default stream,
// which then waits for it.
inline void leave_stream(int n, cudaStream_t stream) noexcept {
  try {
    const DeviceGuard guard(n);
    DeviceMemory& store = device_table().memory[n];
    bool used = false;
    {
      const std::lock_guard lock(store.mutex);
      for (Block& block : store.blocks) {
        if (block.stream != stream) continue;
        used = true;
        block.stream = nullptr;
      }
    }
    if (used) join_streams(n, nullptr, n, stream);
    (void)cudaStreamDestroy(stream);
  } catch (...) {
  }
}

}  // namespace situ::detail
#endif
