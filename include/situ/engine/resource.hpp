// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/executor.hpp"
#include "situ/runtime/ambient_stream.hpp"
#include "situ/runtime/stream.hpp"

// What work on a device runs on: executors on the host, streams on a CUDA device.
namespace situ::detail {

#ifdef __CUDACC__
inline constexpr bool compiles_cuda = true;
#else
inline constexpr bool compiles_cuda = false;
#endif

// This unit can compute on Device.
template <class Device>
inline constexpr bool runs_here = std::is_same_v<Device, Host> || compiles_cuda;

// R is something that work on Device can be given to.
template <class R, class Device>
inline constexpr bool runs_on = std::is_same_v<R, Stream<Device>>;
template <class R>
inline constexpr bool runs_on<R, Host> = executor<R>;

struct NoResource {};

#ifdef __CUDACC__
template <class Device>
Stream<Device> ambient_stream_of() {
  return []<int N>(Cuda<N>) { return Stream<Cuda<N>>(ambient_stream(N)); }(Device{});
}
#else
template <class Device>
NoResource ambient_stream_of() {
  return {};
}
#endif

// Where work goes that names no resource.
template <class Device>
auto default_resource() {
  if constexpr (std::is_same_v<Device, Host>) {
    return default_executor{};
  } else if constexpr (compiles_cuda) {
    return ambient_stream_of<Device>();
  } else {
    return NoResource{};
  }
}

// A form that work is compiled for once, whatever the executor.
template <executor X>
AnyExecutor any_resource(const X& x) {
  return x;
}
template <class D>
const Stream<D>& any_resource(const Stream<D>& stream) {
  return stream;
}

// While it lives, what an operation computes first goes where the operation itself goes.
inline NoResource scope_of(const AnyExecutor&) { return {}; }
#ifdef __CUDACC__
template <int N>
StreamScope scope_of(const Stream<Cuda<N>>& stream) {
  return StreamScope(N, stream.get());
}
#endif

}  // namespace situ::detail
