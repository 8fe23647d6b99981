// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/evaluate.hpp"

// Row functions along any axis of a tensor, with NumPy's names and negative axes. They are computed at
// once into a new tensor; along the last axis row_sum(x), softmax(x) and so on stay lazy and fuse.
namespace situ {

// sum(x, 0, keepdims): the reduced axis stays with length 1, so that the result broadcasts against x.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

namespace detail {

// The same elements with axis `from` at place `to`.
template <class T, int R, class D>
View<T, R, D> move_axis(const View<T, R, D>& v, int from, int to) {
  Shape<R> shape = v.shape();
  Strides<R> strides = v.strides();
  // Step by step past the axes between.
  for (int a = from; a != to; a += from < to ? 1 : -1) {
    const int next = from < to ? a + 1 : a - 1;
    std::swap(shape[a], shape[next]);
    std::swap(strides[a], strides[next]);
  }
  return View<T, R, D>(v.data(), shape, strides);
}

template <class Fn, class T, int R, class D>
auto row_function_along(const View<T, R, D>& v, int axis) {
  const int a = checked_axis(axis, R);
  const auto moved = move_axis(v, a, R - 1);
  using C = Composite<Fn, View<T, R, D>>;
  auto result = evaluate_now(C{make_tuple(moved)});
  if constexpr (C::rank == R) {  // softmax and the like: the axis goes back to its place
    return evaluate_now(move_axis(View<const typename C::value_type, R, D>(result.view()), R - 1, a));
  } else {
    return result;
  }
}
template <class Fn, tensor_expression E>
  requires(!std::is_lvalue_reference_v<E>)
auto row_function_along(const E& e, int axis) {
  const auto computed = evaluate_now(e);
  return row_function_along<Fn>(computed.view(), axis);
}

template <class T, int R, class D>
Tensor<T, R + 1, D> with_axis(const Tensor<T, R, D>& t, int axis) {
  Shape<R + 1> shape{};
  for (int a = 0, s = 0; a <= R; ++a) shape[a] = a == axis ? 1 : t.shape()[s++];
  Tensor<T, R + 1, D> wide(shape, uninitialized);
  assign(View<T, R, D>(wide.data(), t.shape()), t.view());
  return wide;
}

}  // namespace detail

#define SITU_ALONG_AXIS(name, Fn)                                                           \
  template <detail::tensor_expression E>                                                    \
  [[nodiscard]] auto name(const E& e, int axis) {                                           \
    return detail::row_function_along<detail::Fn>(e, axis);                                 \
  }                                                                                         \
  template <detail::tensor_expression E>                                                    \
  [[nodiscard]] auto name(const E& e, int axis, keepdims_t) {                               \
    return detail::with_axis(detail::row_function_along<detail::Fn>(e, axis),               \
                             detail::checked_axis(axis, E::rank));                          \
  }
SITU_ALONG_AXIS(sum, RowSumFn)
SITU_ALONG_AXIS(mean, RowMeanFn)
SITU_ALONG_AXIS(min, RowMinFn)
SITU_ALONG_AXIS(max, RowMaxFn)
SITU_ALONG_AXIS(argmin, ArgMinFn)
SITU_ALONG_AXIS(argmax, ArgMaxFn)
SITU_ALONG_AXIS(any, AnyFn)
SITU_ALONG_AXIS(all, AllFn)
SITU_ALONG_AXIS(norm, NormFn)
SITU_ALONG_AXIS(logsumexp, LogSumExpFn)
#undef SITU_ALONG_AXIS

template <detail::tensor_expression E>
[[nodiscard]] auto softmax(const E& e, int axis) {
  return detail::row_function_along<detail::SoftmaxFn>(e, axis);
}
template <detail::tensor_expression E>
[[nodiscard]] auto log_softmax(const E& e, int axis) {
  return detail::row_function_along<detail::LogSoftmaxFn>(e, axis);
}

}  // namespace situ
