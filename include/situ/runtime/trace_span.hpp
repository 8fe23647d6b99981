// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "situ/runtime/device_guard.hpp"
#include "situ/runtime/trace.hpp"

#if defined(__CUDACC__)
namespace situ {
namespace detail {

// Events whose time on the device is not known yet.
struct PendingTiming {
  TraceEvent event;
  cudaEvent_t start;
  cudaEvent_t stop;
};
struct PendingTimings {
  std::mutex mutex;
  std::vector<PendingTiming> list;
};
inline PendingTimings& pending_timings() {
  static PendingTimings* const timings = new PendingTimings;
  return *timings;
}

// Tells the hook the times of what was given to one stream, or to all; waits for them.
inline void resolve_timings(TraceHook* hook, const void* stream, int device, bool all) {
  std::vector<PendingTiming> done;
  {
    PendingTimings& timings = pending_timings();
    const std::lock_guard lock(timings.mutex);
    std::vector<PendingTiming> rest;
    for (PendingTiming& t : timings.list) {
      const bool now = all || (t.event.stream == stream && t.event.device == device);
      (now ? done : rest).push_back(std::move(t));
    }
    timings.list.swap(rest);
  }
  for (PendingTiming& t : done) {
    const DeviceGuard guard(t.event.device);
    float milliseconds = 0;
    check_cuda(cudaEventSynchronize(t.stop), "cudaEventSynchronize", t.event.device);
    check_cuda(cudaEventElapsedTime(&milliseconds, t.start, t.stop), "cudaEventElapsedTime",
               t.event.device);
    (void)cudaEventDestroy(t.start);
    (void)cudaEventDestroy(t.stop);
    if (hook != nullptr) hook->timed(t.event, static_cast<double>(milliseconds));
  }
}

// Of a clock that only runs forwards. <chrono> would cost every unit more to compile.
inline double milliseconds_now() {
  std::timespec t{};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

// One event, from construction to destruction. Does nothing when no hook is set.
class TraceSpan {
 public:
  // make() gives the event, and is called only when someone listens.
  template <class Make>
  explicit TraceSpan(Make make) : hook_(trace_hook.load(std::memory_order_relaxed)) {
    if (hook_ != nullptr) begin(make());
  }
  ~TraceSpan() {
    if (hook_ != nullptr) end();
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  void begin(TraceEvent event) {
    // The hook may have been set by another thread just now: see what it wrote before.
    hook_ = trace_hook.load(std::memory_order_acquire);
    if (hook_ == nullptr) return;
    open_.emplace(Open{std::move(event), milliseconds_now(), std::uncaught_exceptions(), nullptr});
    hook_->begin(open_->event);
    const TraceKind kind = open_->event.kind;
    if (hook_->time_on_device && open_->event.device >= 0 &&
        (kind == TraceKind::launch || kind == TraceKind::transfer || kind == TraceKind::clear)) {
      open_->start = record();
    }
  }
  void end() noexcept {
    TraceEvent& event = open_->event;
    event.milliseconds = milliseconds_now() - open_->began;
    event.failed = std::uncaught_exceptions() > open_->exceptions;
    try {
      if (open_->start != nullptr) {
        const cudaEvent_t stop = event.failed ? nullptr : record();
        if (stop != nullptr) {
          PendingTimings& timings = pending_timings();
          const std::lock_guard lock(timings.mutex);
          timings.list.push_back({event, open_->start, stop});
        } else {
          (void)cudaEventDestroy(open_->start);
        }
      }
      if (event.kind == TraceKind::wait && !event.failed) {
        resolve_timings(hook_, event.stream, event.device, false);
      }
    } catch (...) {  // a failing device reports itself in the next call
    }
    hook_->end(event);
  }
  // nullptr while the stream is captured, or when CUDA refuses: such an event has no time.
  cudaEvent_t record() const noexcept {
    const int n = open_->event.device;
    const auto stream = static_cast<cudaStream_t>(const_cast<void*>(open_->event.stream));
    cudaEvent_t event = nullptr;
    try {
      const DeviceGuard guard(n);
      cudaStreamCaptureStatus capture{};
      check_cuda(cudaStreamIsCapturing(stream, &capture), "cudaStreamIsCapturing", n);
      if (capture != cudaStreamCaptureStatusNone) return nullptr;
      check_cuda(cudaEventCreate(&event), "cudaEventCreate", n);
      check_cuda(cudaEventRecord(event, stream), "cudaEventRecord", n);
      return event;
    } catch (...) {
      if (event != nullptr) (void)cudaEventDestroy(event);
      return nullptr;
    }
  }

  struct Open {
    TraceEvent event;
    double began;
    int exceptions;
    cudaEvent_t start;
  };
  TraceHook* hook_;
  std::optional<Open> open_;
};

// For kernels: a span that lives while the launch is made. Kept in a variable, it can be timed.
inline TraceSpan trace_launch(const char* name, int device, std::int64_t bytes_read,
                              std::int64_t bytes_written, cudaStream_t stream) {
  return TraceSpan([&] {
    return TraceEvent{TraceKind::launch, name, device, bytes_read, bytes_written, true, stream};
  });
}
// For the host's waits: a span that lives while the host waits for the stream.
inline TraceSpan trace_wait(const char* name, int device, cudaStream_t stream) {
  return TraceSpan([&] { return TraceEvent{TraceKind::wait, name, device, 0, 0, false, stream}; });
}
// from, to: -1 is the host. device: that of the stream.
inline TraceSpan trace_transfer(int from, int to, std::size_t bytes, int device,
                                cudaStream_t stream, bool async) {
  return TraceSpan([&] {
    const auto place = [](int n) {
      return n < 0 ? std::string("Host") : "Cuda<" + std::to_string(n) + ">";
    };
    std::string route = place(from);
    route += " to ";
    route += place(to);
    const auto n = static_cast<std::int64_t>(bytes);
    return TraceEvent{TraceKind::transfer, route, device, n, n, async, stream};
  });
}
inline TraceSpan trace_memory(TraceKind kind, const char* name, int device, std::size_t bytes,
                              cudaStream_t stream) {
  return TraceSpan([&] {
    return TraceEvent{kind, name, device, 0, static_cast<std::int64_t>(bytes), true, stream};
  });
}

}  // namespace detail

// Waits for all events that are being timed and tells the hook their times.
inline void finish_timings() {
  detail::resolve_timings(detail::trace_hook.load(std::memory_order_acquire), nullptr, 0, true);
}

}  // namespace situ
#endif
