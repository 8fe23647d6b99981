// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "situ/device.hpp"
#include "situ/runtime/ambient_stream.hpp"
#include "situ/runtime/copy.hpp"

namespace situ {

// Memory of a device.
//   allocate(bytes)      at least 64-byte aligned, uninitialised; throws when there is none
//   release(pointer)     gives it back
//   copy(to, from, bytes), clear(to, bytes)
template <device Device>
struct memory;

template <>
struct memory<Host> {
  static constexpr std::align_val_t alignment{64};  // a cache line, and the widest register
  static void* allocate(std::size_t bytes) { return ::operator new(bytes, alignment); }
  static void release(void* p) noexcept { ::operator delete(p, alignment); }
  static void copy(void* to, const void* from, std::size_t bytes) {
    __builtin_memcpy(to, from, bytes);
  }
  static void clear(void* to, std::size_t bytes) { __builtin_memset(to, 0, bytes); }
};

#if defined(__CUDACC__)
// 256-byte aligned, from a pool of situ's own, in the order of the device's default stream. The
// host does not wait. Memory that was allocated on another stream is copied and released in its
// order.
template <int N>
struct memory<Cuda<N>> {
  static void* allocate(std::size_t bytes) {
    return detail::allocate_on(N, bytes, detail::ambient_stream(N));
  }
  static void release(void* p) noexcept { detail::release_on(N, p, detail::home_stream(N, p)); }
  static void copy(void* to, const void* from, std::size_t bytes) {
    const cudaStream_t stream = detail::home_stream(N, from);
    const cudaStream_t target = detail::home_stream(N, to);
    detail::join_streams(N, stream, N, target);
    detail::copy_bytes({N, stream, true}, to, N, from, N, bytes);
    detail::join_streams(N, target, N, stream);
  }
  static void clear(void* to, std::size_t bytes) {
    detail::clear_bytes({N, detail::home_stream(N, to), true}, to, bytes);
  }
};
#endif

namespace detail {
template <class Device>
concept has_memory = requires {
  &memory<Device>::allocate;
};
}  // namespace detail

}  // namespace situ
