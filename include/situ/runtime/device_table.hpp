// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "situ/device.hpp"
#include "situ/runtime/cuda_error.hpp"

// What the process knows about its CUDA devices: which physical device each Cuda<N> is, and the
// memory that situ allocated there.
#if defined(__CUDACC__)
namespace situ::detail {

// The N of Cuda<N>.
inline constexpr int on_host = -1;
template <class D>
inline constexpr int device_number = on_host;
template <int N>
inline constexpr int device_number<Cuda<N>> = N;

// Memory that situ allocated, and the stream in whose order it is released.
struct Block {
  const char* begin;
  std::size_t bytes;
  cudaStream_t stream;
};
// Sorted by address. A vector: a map would cost every unit that includes situ more to compile than
// it saves, with the thousands of blocks that there can be.
class Blocks {
 public:
  void add(const Block& block) {
    std::size_t i = after(block.begin);
    list_.push_back(block);
    for (std::size_t j = list_.size() - 1; j > i; --j) list_[j] = list_[j - 1];
    list_[i] = block;
  }
  // The block that has the byte at p, or nullptr.
  Block* around(const void* p) {
    const std::size_t next = after(p);
    if (next == 0) return nullptr;
    Block& block = list_[next - 1];
    return static_cast<const char*>(p) < block.begin + block.bytes ? &block : nullptr;
  }
  void remove(Block* block) { list_.erase(list_.begin() + (block - list_.data())); }
  auto begin() { return list_.begin(); }
  auto end() { return list_.end(); }

 private:
  // Index of the first block that begins after p.
  std::size_t after(const void* p) const {
    std::size_t low = 0;
    std::size_t high = list_.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (static_cast<const char*>(p) < list_[middle].begin) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
  std::vector<Block> list_;
};

struct DeviceMemory {
  // Settings, which are read at the first allocation.
  std::size_t limit = 0;  // bytes; 0 for none
  bool growth = true;

  std::atomic<bool> ready = false;  // set last, when the rest is as it stays
  bool pooled = false;
  cudaMemPool_t pool = nullptr;

  std::mutex mutex;  // guards what follows
  Blocks blocks;
  std::size_t in_use = 0;
  std::size_t peak = 0;
  std::vector<int> peers;  // devices that reach the pool directly, or were found not to
};

// Made once and never destroyed: tensors with static lifetime are released after everything else.
struct DeviceTable {
  static constexpr int most = 64;

  std::atomic<bool> ready = false;
  std::mutex mutex;
  std::vector<int> physical;  // of each Cuda<N>; does not change once `ready`
  bool chosen = false;        // `physical` was set by set_visible_devices
  DeviceMemory memory[most];  // of each Cuda<N>
};

inline DeviceTable& device_table() {
  static DeviceTable* const table = new DeviceTable;
  return *table;
}

// 0 as well where there is no driver; the reason is CUDA's own code.
inline int count_devices(cudaError_t* reason = nullptr) {
  int n = 0;
  const cudaError_t error = cudaGetDeviceCount(&n);
  if (reason != nullptr) *reason = error;
  if (error == cudaSuccess) return n;
  if (cudaPeekAtLastError() == error) (void)cudaGetLastError();
  if (error != cudaErrorNoDevice && error != cudaErrorInsufficientDriver) {
    check_cuda(error, "cudaGetDeviceCount", -1);
  }
  return 0;
}

inline std::vector<int> all_devices(int present) {
  std::vector<int> numbers;
  for (int i = 0; i < present && i < DeviceTable::most; ++i) numbers.push_back(i);
  return numbers;
}

// From here on the meaning of Cuda<N> is fixed.
inline void settle_devices() {
  DeviceTable& table = device_table();
  if (table.ready.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(table.mutex);
  if (table.ready.load(std::memory_order_relaxed)) return;
  if (!table.chosen) table.physical = all_devices(count_devices());
  table.ready.store(true, std::memory_order_release);
}

// The physical device of each Cuda<N>, as it is or would be now. Fixes nothing.
inline std::vector<int> visible_devices() {
  DeviceTable& table = device_table();
  const std::lock_guard lock(table.mutex);
  return table.ready || table.chosen ? table.physical : all_devices(count_devices());
}

[[noreturn]] inline void throw_missing_device(int n) {
  cudaError_t reason = cudaSuccess;
  const int present = count_devices(&reason);
  std::string message = "situ: there is no device Cuda<" + std::to_string(n) + ">; ";
  const std::vector<int> physical = visible_devices();
  if (!physical.empty()) {
    message += "use one of those present: ";
    for (std::size_t i = 0; i < physical.size(); ++i) {
      cudaDeviceProp properties;
      message += (i > 0 ? ", Cuda<" : "Cuda<") + std::to_string(i) + ">";
      if (cudaGetDeviceProperties(&properties, physical[i]) != cudaSuccess) continue;
      message += " (";
      message += properties.name;
      message += ")";
    }
  } else if (present > 0) {
    message += "set_visible_devices hides all that are present; name those to use";
  } else {
    message += "the CUDA runtime sees no device (";
    message += cudaGetErrorString(reason == cudaSuccess ? cudaErrorNoDevice : reason);
    message += "), so use Host or install a driver";
  }
  throw cuda_error(message, static_cast<int>(cudaErrorInvalidDevice), n);
}

// The number by which CUDA knows Cuda<n>. Throws cuda_error, listing the devices present, when
// there is no such device.
inline int physical_device(int n) {
  settle_devices();
  const auto& physical = device_table().physical;
  if (n < 0 || n >= static_cast<int>(physical.size())) throw_missing_device(n);
  return physical[static_cast<std::size_t>(n)];
}

}  // namespace situ::detail
#endif
