// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>

namespace situ::detail {

// The stream that this thread's work on a device goes to when it names none: the default stream, or
// that of the operation it is part of. So whatever an operation computes first, and the memory for
// it, is in the order of the operation's own stream.
struct AmbientStream {
  int device = -1;
  cudaStream_t stream = nullptr;
};
inline thread_local AmbientStream ambient;

inline cudaStream_t ambient_stream(int n) { return ambient.device == n ? ambient.stream : nullptr; }

class StreamScope {
 public:
  StreamScope(int n, cudaStream_t stream) : before_(ambient) { ambient = {n, stream}; }
  ~StreamScope() { ambient = before_; }
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  AmbientStream before_;
};

}  // namespace situ::detail
#endif
