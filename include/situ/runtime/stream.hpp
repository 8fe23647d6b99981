// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <utility>

#include "situ/device.hpp"
#include "situ/runtime/cuda_memory.hpp"

namespace situ {

// An order of work on a device. Operations take one as on(stream).
template <device D>
class Stream;

#if defined(__CUDACC__)
namespace detail {

// A share in a stream that is destroyed with its last owner. Like std::shared_ptr, whose header
// would cost every unit more to compile.
class StreamOwner {
 public:
  StreamOwner() = default;
  StreamOwner(int device, cudaStream_t stream) : shared_(new Shared{device, stream, {1}}) {}
  StreamOwner(const StreamOwner& other) : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  StreamOwner(StreamOwner&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  StreamOwner& operator=(StreamOwner other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~StreamOwner() {
    if (shared_ == nullptr) return;
    if (shared_->owners.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    leave_stream(shared_->device, shared_->stream);
    delete shared_;
  }

 private:
  struct Shared {
    int device;
    cudaStream_t stream;
    std::atomic<int> owners;
  };
  Shared* shared_ = nullptr;
};

}  // namespace detail

// A handle: copies mean the same stream. Every call runs on device N and leaves the caller's
// current device as it was; each throws cuda_error.
template <int N>
class Stream<Cuda<N>> {
 public:
  using device_type = Cuda<N>;

  // The device's default stream.
  Stream() = default;
  // A stream that someone else owns. It must outlive its uses and the tensors made on it.
  Stream(cudaStream_t stream) : stream_(stream) {}
  // A new stream that does not wait for the default stream. Destroyed with its last handle; work
  // and tensors that are still on it are finished and released in order.
  [[nodiscard]] static Stream create() {
    const detail::DeviceGuard guard(N);
    Stream s;
    detail::check_cuda(cudaStreamCreateWithFlags(&s.stream_, cudaStreamNonBlocking),
                       "cudaStreamCreateWithFlags", N);
    s.owner_ = detail::StreamOwner(N, s.stream_);
    return s;
  }

  cudaStream_t get() const { return stream_; }

  // Waits on the host until everything given to the stream is done.
  void synchronize() const { detail::synchronize_stream(N, stream_); }

  // What is given to this stream from now on waits, on the device, for the event or for everything
  // given to the other stream so far.
  void wait(cudaEvent_t event) const {
    const detail::DeviceGuard guard(N);
    detail::check_cuda(cudaStreamWaitEvent(stream_, event, 0), "cudaStreamWaitEvent", N);
  }
  template <int M>
  void wait(const Stream<Cuda<M>>& other) const {
    detail::join_streams(N, stream_, M, other.get());
  }

  friend bool operator==(const Stream& a, const Stream& b) { return a.stream_ == b.stream_; }

 private:
  cudaStream_t stream_ = nullptr;
  detail::StreamOwner owner_;
};

namespace detail {
template <class X>
inline constexpr bool is_stream_on = false;
template <int N>
inline constexpr bool is_stream_on<Stream<Cuda<N>>> = true;
}  // namespace detail
#endif

}  // namespace situ
