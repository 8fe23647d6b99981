// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "situ/engine/sources.hpp"
#include "situ/tensor.hpp"
#include "situ/view.hpp"

// Element by element copies on the host, for layouts that packs cannot read or write.
namespace situ::detail {

// to(i...) = from(i...) for all indices; the shapes are equal.
template <int Axis, class T, class S, int R>
void copy_axis(T* to, const Strides<R>& to_strides, const S* from, const Strides<R>& from_strides,
               const Shape<R>& shape) {
  if constexpr (Axis == R) {
    *to = static_cast<T>(*from);
  } else {
    for (std::int64_t i = 0; i < shape[Axis]; ++i) {
      copy_axis<Axis + 1, T, S, R>(to + i * to_strides[Axis], to_strides,
                                   from + i * from_strides[Axis], from_strides, shape);
    }
  }
}
template <class T, class S, int R>
void copy_elements(const View<T, R, Host>& to, const View<S, R, Host>& from) {
  if (to.size() == 0) return;
  if (to.is_contiguous() && from.is_contiguous()) {
    std::memcpy(to.data(), from.data(), static_cast<std::size_t>(to.size()) * sizeof(T));
  } else {
    copy_axis<0, T, S, R>(to.data(), to.strides(), from.data(), from.strides(), to.shape());
  }
}

template <>
struct Copy<Host> {
  template <class T, class S, int R>
  static void run(const View<T, R, Host>& to, const View<S, R, Host>& from) {
    copy_elements(to, from);
  }
};

}  // namespace situ::detail
