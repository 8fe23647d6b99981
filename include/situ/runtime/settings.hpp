// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "situ/device.hpp"
#include "situ/runtime/cuda_memory.hpp"

// Which devices a process uses and how much of their memory. Everything that changes something must
// come before the first use of what it changes, and throws state_error after it.
namespace situ {

// Bytes on one device.
struct MemoryInfo {
  std::uint64_t in_use = 0;    // in tensors, states and scratch of situ
  std::uint64_t peak = 0;      // the most that was in use at a time
  std::uint64_t reserved = 0;  // held by situ's pool, in use or not
  std::uint64_t limit = 0;     // 0: none
};

// "in use 1024 bytes, peak 2048 bytes, reserved 4096 bytes, limit none"
inline std::string to_string(const MemoryInfo& m) {
  const auto bytes = [](std::uint64_t n) { return std::to_string(n) + " bytes"; };
  std::string s = "in use " + bytes(m.in_use);
  s += ", peak " + bytes(m.peak) + ", reserved " + bytes(m.reserved) + ", limit ";
  return s + (m.limit == 0 ? std::string("none") : bytes(m.limit));
}

// The N of Cuda<N>, from the number or from the type.
struct DeviceNumber {
  constexpr DeviceNumber(int number) : n(number) {}
  template <int N>
  constexpr DeviceNumber(Cuda<N>) : n(N) {}
  int n;
};

#if defined(__CUDACC__)
namespace detail {

inline DeviceMemory& memory_of(int n) {
  if (n < 0 || n >= static_cast<int>(visible_devices().size())) throw_missing_device(n);
  return device_table().memory[n];
}
// f(memory of Cuda<n>) before anything was allocated there.
template <class F>
void configure_memory(int n, const char* function, F f) {
  DeviceMemory& store = memory_of(n);
  const std::lock_guard lock(store.mutex);
  if (store.ready) {
    std::string message = "situ: memory of Cuda<";
    message += std::to_string(n);
    message += "> is in use already; call ";
    message += function;
    throw state_error(message + " before the first tensor or metric is made there");
  }
  f(store);
}

}  // namespace detail

// Cuda<0>, Cuda<1>... become the physical devices with these numbers; others stay untouched. An
// empty list hides all of them.
inline void set_visible_devices(const std::vector<int>& physical) {
  detail::DeviceTable& table = detail::device_table();
  const int present = detail::count_devices();
  const std::lock_guard lock(table.mutex);
  if (table.ready) {
    throw state_error(
        "situ: devices are in use already; call set_visible_devices before anything is allocated, "
        "copied or computed on one");
  }
  for (std::size_t i = 0; i < physical.size(); ++i) {
    if (physical[i] < 0 || physical[i] >= present) {
      throw cuda_error(
          "situ: there is no physical device " + std::to_string(physical[i]) + "; " +
              (present == 0 ? "none is present" : "use 0 to " + std::to_string(present - 1)) +
              ", as list_devices() shows",
          static_cast<int>(cudaErrorInvalidDevice), -1);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (physical[i] == physical[j]) {
        throw argument_error("situ: physical device " + std::to_string(physical[i]) +
                             " occurs twice among the visible devices; name each once");
      }
    }
  }
  table.physical = physical;
  table.chosen = true;
}

// true, which is what holds without a call: memory is taken from the device as it is needed, and
// kept for the next tensors. false: at the first use all of it is taken at once, up to the limit,
// or 90 % of what is free without one. Without effect on devices that have no memory pools.
inline void set_memory_growth(DeviceNumber device, bool grows) {
  detail::configure_memory(device.n, "set_memory_growth",
                           [=](detail::DeviceMemory& store) { store.growth = grows; });
}

// situ allocates at most this many bytes on the device; what would exceed them throws cuda_error.
// 0: no limit.
inline void set_memory_limit(DeviceNumber device, std::uint64_t bytes) {
  detail::configure_memory(device.n, "set_memory_limit",
                           [=](detail::DeviceMemory& store) { store.limit = bytes; });
}

[[nodiscard]] inline MemoryInfo memory_info(DeviceNumber device) {
  detail::DeviceMemory& store = detail::memory_of(device.n);
  const std::lock_guard lock(store.mutex);
  MemoryInfo info{store.in_use, store.peak, store.in_use, store.limit};
  if (store.pooled) {
    detail::check_cuda(
        cudaMemPoolGetAttribute(store.pool, cudaMemPoolAttrReservedMemCurrent, &info.reserved),
        "cudaMemPoolGetAttribute", device.n);
  }
  return info;
}

// The peak starts again from what is in use now.
inline void reset_peak_memory(DeviceNumber device) {
  detail::DeviceMemory& store = detail::memory_of(device.n);
  const std::lock_guard lock(store.mutex);
  store.peak = store.in_use;
}

// Waits for the device's default stream and gives the memory that is not in use back to the device,
// for other libraries.
inline void release_cached_memory(DeviceNumber device) {
  detail::DeviceMemory& store = detail::memory_of(device.n);
  if (!store.ready.load(std::memory_order_acquire) || !store.pooled) return;
  detail::synchronize_stream(device.n, nullptr);
  const detail::DeviceGuard guard(device.n);
  detail::check_cuda(cudaMemPoolTrimTo(store.pool, 0), "cudaMemPoolTrimTo", device.n);
}
#endif

}  // namespace situ
