// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/evaluate.hpp"
#include "situ/runtime/cuda_transfer.hpp"

namespace situ {

// to<Device>(x): the values of a tensor, view or expression in a new tensor on Device. The only way
// from one device to another. Complete on return: the result can be used from any stream and the
// source can be changed. Between CUDA devices and the host it needs a file compiled as CUDA; it
// then waits for the streams that x was made on. Throws cuda_error.
template <device Device, expression X>
requires placed<X>
[[nodiscard]] auto to(const X& x) {
  if constexpr (std::is_same_v<Device, Host> && placed_on<Host, X>) {
    if constexpr (detail::is_stored<X>) {
      return detail::packed_copy(x.view());
    } else {
      return evaluate_now(x);
    }
  } else {
#if defined(__CUDACC__)
    return detail::transfer_now<Device>(x);
#else
    static_assert(placed_on<Device, X> && std::is_same_v<Device, Host>,
                  "situ: a transfer from or to a CUDA device needs a file compiled as CUDA (nvcc)");
#endif
  }
}

#if defined(__CUDACC__)
// to<Device>(on(stream), x): the same in the order of a stream of either device, without waiting.
// The result may be used in the order of that stream, elsewhere after stream.synchronize(). x must
// be ready in the order of the stream, and stay unchanged until the stream has come to it; only
// pageable host memory is free again on return. A result on Host is in page-locked memory, which is
// slow to allocate.
template <device Device, int N, expression X>
requires placed<X>
[[nodiscard]] auto to(On<Stream<Cuda<N>>> where, const X& x) {
  static_assert(
      placed_on<Cuda<N>, X> || std::is_same_v<Device, Cuda<N>>,
      "situ: a transfer runs on a stream of its source or of its destination; give it one "
      "of those devices");
  return detail::transfer_on<Device>(where.resource, x);
}

// transfer([on(stream),] destination, x): the elements of a tensor or view into memory that exists,
// of the same shape and element type, on any device, that it does not overlap; what a loop over
// batches uses again and again. Without a stream complete on return; with one as to() with one, and
// a destination on Host must then be contiguous (it is filled without waiting when it is
// page-locked, see pinned). Throws shape_error and cuda_error.
template <int N, class To, class X>
requires(detail::is_stored<std::remove_cvref_t<To>>&& detail::is_stored<X>) void transfer(
    On<Stream<Cuda<N>>> where, To&& destination, const X& x) {
  static_assert(
      placed_on<Cuda<N>, X> || placed_on<Cuda<N>, To>,
      "situ: a transfer runs on a stream of its source or of its destination; give it one "
      "of those devices");
  const auto to = destination.view();
  detail::check_transfer(to, x);
  detail::transfer_into({N, where.resource.get(), true}, to, detail::source_view(x));
}
template <class To, class X>
requires(detail::is_stored<std::remove_cvref_t<To>>&& detail::is_stored<X>) void transfer(
    To&& destination, const X& x) {
  const auto to = destination.view();
  detail::check_transfer(to, x);
  if constexpr (placed_on<Host, To> && placed_on<Host, X>) {
    detail::copy_elements(to, detail::source_view(x));
  } else {
    detail::transfer_into_now(to, detail::source_view(x));
  }
}
#endif

}  // namespace situ
