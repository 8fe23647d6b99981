// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/view.hpp"

// Other views of the same elements. None copies; what only a copy could give throws shape_error.
namespace situ {

// The same elements in another shape of equal size; at most one length may be -1 and is worked out.
// The elements must be contiguous: reshape<2>(x, {3, -1}).
template <int S, class T, int R, class D>
[[nodiscard]] View<T, S, D> reshape(const View<T, R, D>& v, Shape<S> shape) {
  const Shape<S> wanted = shape;
  int open = -1;
  for (int a = 0; a < S; ++a) {
    if (shape[a] == -1 && open < 0) {
      open = a;
      shape[a] = 1;
    }
  }
  check_shape(shape);
  // Beside a length of 0 any length would do for -1; like NumPy, refuse to choose one.
  const std::int64_t known = shape.size();
  if (open >= 0 && known > 0) shape[open] = v.size() / known;
  if (shape.size() != v.size() || (open >= 0 && known == 0)) {
    throw shape_error("situ: " + std::to_string(v.size()) + " elements of shape " +
                      to_string(v.shape()) + " cannot be reshaped to " + to_string(wanted) +
                      "; the sizes must be equal");
  }
  if (!v.is_contiguous()) {
    throw shape_error("situ: a strided view of shape " + to_string(v.shape()) +
                      " cannot be reshaped without a copy; copy it first into a Tensor");
  }
  return {v.data(), shape};
}
template <class T, int R, class D>
[[nodiscard]] View<T, 1, D> flatten(const View<T, R, D>& v) {
  return reshape(v, Shape<1>{{v.size()}});
}

// Axis i of the result is axis order[i] of the view.
template <class T, int R, class D>
[[nodiscard]] View<T, R, D> permute(const View<T, R, D>& v, const int (&order)[detail::axes<R>]) {
  Shape<R> shape{};
  Strides<R> strides{};
  bool used[detail::axes<R>] = {};
  for (int a = 0; a < R; ++a) {
    const int from = detail::checked_axis(order[a], R);
    if (used[from]) {
      throw shape_error("situ: axis " + std::to_string(from) +
                        " occurs twice in a permutation; name every axis once");
    }
    used[from] = true;
    shape[a] = v.shape()[from];
    strides[a] = v.strides()[from];
  }
  return {v.data(), shape, strides};
}
// The axes in reverse order.
template <class T, int R, class D>
[[nodiscard]] View<T, R, D> transpose(const View<T, R, D>& v) {
  Shape<R> shape{};
  Strides<R> strides{};
  for (int a = 0; a < R; ++a) {
    shape[a] = v.shape()[R - 1 - a];
    strides[a] = v.strides()[R - 1 - a];
  }
  return {v.data(), shape, strides};
}

// Without an axis of length 1.
template <class T, int R, class D>
[[nodiscard]] View<T, R - 1, D> squeeze(const View<T, R, D>& v, int axis) {
  const int a = detail::checked_axis(axis, R);
  if (v.shape()[a] != 1) {
    throw shape_error("situ: axis " + std::to_string(a) + " of shape " + to_string(v.shape()) +
                      " cannot be squeezed; only an axis of length 1 can");
  }
  Shape<R - 1> shape{};
  Strides<R - 1> strides{};
  for (int b = 0; b < R - 1; ++b) {
    shape[b] = v.shape()[b < a ? b : b + 1];
    strides[b] = v.strides()[b < a ? b : b + 1];
  }
  return {v.data(), shape, strides};
}
// With a new axis of length 1 at that place.
template <class T, int R, class D>
[[nodiscard]] View<T, R + 1, D> expand_dims(const View<T, R, D>& v, int axis) {
  const int a = detail::checked_axis(axis, R + 1);
  Shape<R + 1> shape{};
  Strides<R + 1> strides{};
  int source = 0;
  for (int b = 0; b <= R; ++b) {
    const bool added = b == a;
    shape[b] = added ? 1 : v.shape()[source];
    strides[b] = added ? 1 : v.strides()[source];
    if (!added && source < R - 1) ++source;
  }
  return {v.data(), shape, strides};
}

// Stretched to a larger shape by NumPy's rules, with strides of zero: read only.
template <int S, class T, int R, class D>
[[nodiscard]] View<const T, S, D> broadcast_to(const View<T, R, D>& v, const Shape<S>& shape) {
  static_assert(S >= R, "situ: broadcasting cannot remove axes; use select or squeeze");
  Strides<S> strides{};
  for (int a = 0; a < S; ++a) {
    const int from = a - (S - R);
    const std::int64_t n = from < 0 ? 1 : v.shape()[from];
    if (n != 1 && n != shape[a]) {
      throw shape_error("situ: shape " + to_string(v.shape()) + " cannot be broadcast to " +
                        to_string(shape) +
                        "; matched from the last axis, lengths must be equal or 1");
    }
    strides[a] = from < 0 || (n == 1 && shape[a] != 1) ? 0 : v.strides()[from];
  }
  return {v.data(), shape, strides};
}

}  // namespace situ
