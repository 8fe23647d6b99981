// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/evaluate.hpp"
#include "situ/runtime/copy.hpp"
#include "situ/runtime/pinned.hpp"
#include "situ/runtime/placement.hpp"
#include "situ/runtime/stream.hpp"
#include "situ/runtime/strided.hpp"

// What situ/transfer.hpp does where a CUDA device takes part.
namespace situ::detail {
// Elements in memory, not an expression that still has to be computed.
template <class X>
inline constexpr bool is_stored = false;
template <class T, int R, class D>
inline constexpr bool is_stored<View<T, R, D>> = true;
template <class T, int R, class D>
inline constexpr bool is_stored<Tensor<T, R, D>> = true;

}  // namespace situ::detail

#if defined(__CUDACC__)
namespace situ::detail {

// Elements on a CUDA device, allocated and later released in the order of `stream`.
template <class D, class T, int R>
Tensor<T, R, D> allocate_tensor(const Shape<R>& shape, cudaStream_t stream) {
  if (shape.size() == 0) return Tensor<T, R, D>(adopt, nullptr, shape, nullptr);
  const std::size_t bytes = static_cast<std::size_t>(shape.size()) * sizeof(T);
  T* const data = static_cast<T*>(allocate_on(device_number<D>, bytes, stream));
  return Tensor<T, R, D>(adopt, data, shape, &memory<D>::release);
}
template <class X>
using stored_type = std::remove_const_t<typename X::value_type>;
template <class X>
std::size_t bytes_in(const X& x) {
  return static_cast<std::size_t>(x.size()) * sizeof(typename X::value_type);
}
template <class T, int R, class D>
View<const std::remove_const_t<T>, R, D> source_view(const View<T, R, D>& v) {
  debug_check_placement(v);
  return v;
}
template <class T, int R, class D>
View<const T, R, D> source_view(const Tensor<T, R, D>& t) {
  return t.view();
}
// to = from, of equal shapes; the order's device is one of the two. `to` is contiguous. Strided
// elements are packed on their own device first. Pageable host memory can be changed on return.
template <class T, int R, class To, class From>
void copy_elements_on(const Order& order, const View<T, R, To>& to,
                      const View<const T, R, From>& from) {
  constexpr int source = device_number<From>;
  const auto copy = [&](const T* elements) {
    copy_bytes(order, to.data(), device_number<To>, elements, source, bytes_in(to));
  };
  if (from.is_contiguous()) {
    copy(from.data());
  } else if constexpr (std::is_same_v<From, Host>) {
    copy(packed_copy(from).data());
  } else if constexpr (std::is_same_v<To, From>) {
    copy_strided(to, from, order.stream);
  } else {
    const cudaStream_t here = order.device == source ? order.stream : nullptr;
    join_streams(source, here, order.device, order.stream);
    Tensor<T, R, From> packed = allocate_tensor<From, T>(from.shape(), here);
    copy_strided(packed.view(), from, here);
    join_streams(order.device, order.stream, source, here);
    copy(packed.data());
    join_streams(source, here, order.device, order.stream);  // before it is released
  }
}

// The same for any layout of `to`; strided elements are unpacked on their own device.
template <class T, int R, class To, class From>
void transfer_into(const Order& order, const View<T, R, To>& to,
                   const View<const T, R, From>& from) {
  if (to.is_contiguous()) {
    copy_elements_on(order, to, from);
  } else if constexpr (std::is_same_v<To, Host>) {
    throw shape_error("situ: a transfer on a stream cannot fill a strided view on Host of shape " +
                      to_string(to.shape()) +
                      "; give it contiguous memory, or transfer without a stream");
  } else if constexpr (std::is_same_v<To, From>) {
    copy_strided(to, from, order.stream);
  } else {
    constexpr int target = device_number<To>;
    const cudaStream_t there = order.device == target ? order.stream : nullptr;
    Tensor<T, R, To> packed = allocate_tensor<To, T>(to.shape(), there);
    join_streams(order.device, order.stream, target, there);
    copy_elements_on(order, packed.view(), from);
    join_streams(target, there, order.device, order.stream);
    copy_strided(to, View<const T, R, To>(packed.view()), there);
    join_streams(order.device, order.stream, target, there);
  }
}

// Complete on return: in the order of the streams that the memory on both sides was made on,
// waiting for the last of them.
template <class T, int R, class To, class From>
void transfer_into_now(const View<T, R, To>& to, const View<const T, R, From>& from) {
  constexpr bool to_host = std::is_same_v<To, Host>;
  constexpr bool from_host = std::is_same_v<From, Host>;
  constexpr int at = device_number<std::conditional_t<from_host, To, From>>;
  const cudaStream_t stream =
      home_stream(at, from_host ? static_cast<const void*>(to.data()) : from.data());
  if constexpr (to_host) {
    if (!to.is_contiguous()) {
      Tensor<T, R, Host> packed(to.shape(), uninitialized);
      transfer_into_now(packed.view(), from);
      copy_elements(to, View<const T, R, Host>(packed.view()));
      return;
    }
  } else if constexpr (!from_host) {
    constexpr int target = device_number<To>;
    join_streams(at, stream, target, home_stream(target, to.data()));
  }
  transfer_into({at, stream, false}, to, from);
  synchronize_stream(at, stream);
}

template <class To, class X>
void check_transfer(const To& to, const X& x) {
  static_assert(std::is_same_v<typename To::value_type, stored_type<X>>,
                "situ: a transfer needs a destination with the source's element type that is not "
                "const; convert first with situ::cast<T>(x)");
  static_assert(To::rank == X::rank, "situ: a transfer needs a destination with the source's rank");
  if (!(to.shape() == x.shape())) {
    throw shape_error("situ: elements of shape " + to_string(x.shape()) +
                      " cannot be transferred to a destination of shape " + to_string(to.shape()) +
                      "; make the shapes equal");
  }
  debug_check_placement(to);
}

template <class Device, class X>
auto transfer_now(const X& x) {
  using From = device_of<X>;
  if constexpr (!is_stored<X>) {
    auto values = evaluate_now(x);  // an expression becomes elements where it is
    if constexpr (std::is_same_v<Device, From>) {
      return values;
    } else {
      return transfer_now<Device>(values);
    }
  } else {
    const auto from = source_view(x);
    Tensor<stored_type<X>, X::rank, Device> result(from.shape(), uninitialized);
    transfer_into_now(result.view(), from);
    return result;
  }
}

template <class Device, int N, class X>
auto transfer_on(const Stream<Cuda<N>>& stream, const X& x) {
  using From = device_of<X>;
  using Result = Tensor<stored_type<X>, X::rank, Device>;
  if constexpr (!is_stored<X> && std::is_same_v<From, Cuda<N>>) {
    auto values = allocate_tensor<From, stored_type<X>>(shape_of(x), stream.get());
    assign(on(stream), values.view(), x);
    if constexpr (std::is_same_v<Device, From>) {
      return values;
    } else {
      return transfer_on<Device>(stream, values);
    }
  } else if constexpr (!is_stored<X>) {
    const auto values = evaluate_now(x);
    if constexpr (!std::is_same_v<From, Host>) {
      join_streams(N, stream.get(), device_number<From>, nullptr);
    }
    Result result = transfer_on<Device>(stream, values);
    if constexpr (!std::is_same_v<From, Host>) {
      join_streams(device_number<From>, nullptr, N, stream.get());  // before they are released
    }
    return result;
  } else {
    const auto from = source_view(x);
    Result result = [&] {
      if constexpr (std::is_same_v<Device, Host>) {
        return pinned_tensor<stored_type<X>>(from.shape());
      } else if constexpr (std::is_same_v<Device, Cuda<N>>) {
        return allocate_tensor<Device, stored_type<X>>(from.shape(), stream.get());
      } else {
        // The stream is the source's, the result belongs to the default stream of its own device.
        Result made = allocate_tensor<Device, stored_type<X>>(from.shape(), nullptr);
        join_streams(N, stream.get(), device_number<Device>, nullptr);
        return made;
      }
    }();
    copy_elements_on({N, stream.get(), true}, result.view(), from);
    if constexpr (!std::is_same_v<Device, Host> && !std::is_same_v<Device, Cuda<N>>) {
      join_streams(device_number<Device>, nullptr, N, stream.get());
    }
    return result;
  }
}

}  // namespace situ::detail
#endif
