// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/evaluate.hpp"
#include "situ/runtime/copy.hpp"
#include "situ/runtime/pinned.hpp"
#include "situ/runtime/stream.hpp"
#include "situ/runtime/strided.hpp"

// What situ/transfer.hpp does where a CUDA device takes part.
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
  return v;
}
template <class T, int R, class D>
View<const T, R, D> source_view(const Tensor<T, R, D>& t) {
  return t.view();
}
template <class X>
inline constexpr bool is_stored = false;
template <class T, int R, class D>
inline constexpr bool is_stored<View<T, R, D>> = true;
template <class T, int R, class D>
inline constexpr bool is_stored<Tensor<T, R, D>> = true;

// to = from, of equal shapes, in the order of a stream of Cuda<at>, which is one of the two
// devices. `to` is contiguous. Strided elements are packed on their own device first. Pageable host
// memory can be changed on return.
template <class T, int R, class To, class From>
void copy_elements_on(int at, cudaStream_t stream, const View<T, R, To>& to,
                      const View<const T, R, From>& from) {
  constexpr int source = device_number<From>;
  const auto copy = [&](const T* elements) {
    copy_bytes(to.data(), device_number<To>, elements, source, bytes_in(to), at, stream);
  };
  if (from.is_contiguous()) {
    copy(from.data());
  } else if constexpr (std::is_same_v<From, Host>) {
    copy(packed_copy(from).data());
  } else if constexpr (std::is_same_v<To, From>) {
    copy_strided(to, from, stream);
  } else {
    const cudaStream_t here = at == source ? stream : nullptr;
    join_streams(source, here, at, stream);
    Tensor<T, R, From> packed = allocate_tensor<From, T>(from.shape(), here);
    copy_strided(packed.view(), from, here);
    join_streams(at, stream, source, here);
    copy(packed.data());
    join_streams(source, here, at, stream);  // before it is released
  }
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
    // On the source's device and stream, if it has one.
    constexpr int at = device_number<std::conditional_t<std::is_same_v<From, Host>, Device, From>>;
    const auto from = source_view(x);
    cudaStream_t stream = nullptr;
    if constexpr (!std::is_same_v<From, Host>) stream = home_stream(at, from.data());
    auto result = [&] {
      using Result = Tensor<stored_type<X>, X::rank, Device>;
      if constexpr (std::is_same_v<Device, Host>) {
        return Result(from.shape(), uninitialized);
      } else {
        Result made = allocate_tensor<Device, stored_type<X>>(from.shape(), nullptr);
        join_streams(at, stream, device_number<Device>, nullptr);
        return made;
      }
    }();
    copy_elements_on(at, stream, result.view(), from);
    synchronize_stream(at, stream);
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
    copy_elements_on(N, stream.get(), result.view(), from);
    if constexpr (!std::is_same_v<Device, Host> && !std::is_same_v<Device, Cuda<N>>) {
      join_streams(device_number<Device>, nullptr, N, stream.get());
    }
    return result;
  }
}

}  // namespace situ::detail
#endif
