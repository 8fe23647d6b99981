// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/runtime/trace.hpp"

#if __has_include(<nvtx3/nvtx3.hpp>)
#include <nvtx3/nvtx3.hpp>

namespace situ {

// A hook that shows situ's events as ranges in NVIDIA's profilers (Nsight Systems), in a domain of
// their own, and hands them on to `next`. Defined where the toolkit's <nvtx3/nvtx3.hpp> is found;
// not part of situ.hpp. Costs next to nothing when no profiler is attached.
class NvtxTrace : public TraceHook {
 public:
  explicit NvtxTrace(TraceHook* next = nullptr) : next_(next) {
    time_on_device = next != nullptr && next->time_on_device;
  }
  void begin(const TraceEvent& e) override {
    const nvtx3::event_attributes range(nvtx3::message(e.name),
                                        nvtx3::payload(e.bytes_read + e.bytes_written));
    nvtxDomainRangePushEx(nvtx3::domain::get<Domain>(), range.get());
    if (next_ != nullptr) next_->begin(e);
  }
  void end(const TraceEvent& e) override {
    if (next_ != nullptr) next_->end(e);
    nvtxDomainRangePop(nvtx3::domain::get<Domain>());
  }
  void timed(const TraceEvent& e, double device_milliseconds) override {
    if (next_ != nullptr) next_->timed(e, device_milliseconds);
  }

 private:
  struct Domain {
    static constexpr const char* name = "situ";
  };

  TraceHook* next_;
};

}  // namespace situ
#endif
