// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

// Watching what situ does on devices: launches, transfers, memory, and where the host waits.
namespace situ {

enum class TraceKind { launch, transfer, clear, allocate, release, wait };

// "launch", "transfer"...
constexpr const char* to_string(TraceKind kind) {
  constexpr const char* names[] = {"launch", "transfer", "clear", "allocate", "release", "wait"};
  return names[static_cast<int>(kind)];
}

struct TraceEvent {
  TraceKind kind{};
  std::string name;                // the kernel, the route ("Host to Cuda<0>"), the kind of memory
  int device = -1;                 // the N of Cuda<N>; -1 for the host
  std::int64_t bytes_read = 0;     // of device memory and, by transfers, of host memory
  std::int64_t bytes_written = 0;  // likewise; of allocations and releases the size
  bool async = false;              // a transfer that the host does not wait for
  const void* stream = nullptr;    // the cudaStream_t
  double milliseconds = -1;        // that the host spent in this call, known at its end
  bool failed = false;             // it threw
};

// What the process calls while it is set. Functions may be called by several threads at a time,
// must not throw, and must not use devices.
class TraceHook {
 public:
  virtual ~TraceHook() = default;
  // Around the host's part of an event: an asynchronous one is not done at its end. They nest.
  virtual void begin(const TraceEvent&) {}
  virtual void end(const TraceEvent&) {}
  // How long a launch, transfer or clear took on the device. Told, when time_on_device is set, once
  // the host has waited for its stream, or in finish_timings().
  virtual void timed(const TraceEvent&, [[maybe_unused]] double device_milliseconds) {}

  // Costs two CUDA events for each event, a few microseconds. Without effect while a graph is
  // captured.
  bool time_on_device = false;
};

namespace detail {
inline std::atomic<TraceHook*> trace_hook{nullptr};
}

// Sets the hook of the process, nullptr for none, and returns the one before. It must live until
// another is set and all that was begun is at its end. Without a hook an event costs one relaxed
// atomic load.
inline TraceHook* set_trace_hook(TraceHook* hook) {
  return detail::trace_hook.exchange(hook, std::memory_order_acq_rel);
}

// Sets a hook for a scope.
class TraceScope {
 public:
  explicit TraceScope(TraceHook& hook) : before_(set_trace_hook(&hook)) {}
  ~TraceScope() { set_trace_hook(before_); }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  TraceHook* before_;
};

}  // namespace situ
