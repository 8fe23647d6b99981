// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/tensor.hpp"

// Tensors by recipe: zeros<float, 2>({3, 4}).
namespace situ {

template <element T, int R, device D = Host>
[[nodiscard]] Tensor<T, R, D> zeros(const Shape<R>& shape) {
  return Tensor<T, R, D>(shape);
}
template <element T, int R>
[[nodiscard]] Tensor<T, R, Host> full(const Shape<R>& shape, T value) {
  return Tensor<T, R, Host>(shape, value);
}
template <element T, int R>
[[nodiscard]] Tensor<T, R, Host> ones(const Shape<R>& shape) {
  return full<T, R>(shape, cast_value<T>(1));
}

namespace detail {
template <class T>
std::int64_t count_steps(T start, T stop, T step) {
  if constexpr (std::is_integral_v<T>) {
    // Unsigned differences cannot overflow.
    const auto gap = [](T low, T high) {
      return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    };
    std::uint64_t n = 0;
    if (step > 0 && start < stop) n = (gap(start, stop) - 1) / static_cast<std::uint64_t>(step) + 1;
    if constexpr (std::is_signed_v<T>) {
      if (step < 0 && start > stop) n = (gap(stop, start) - 1) / gap(step, 0) + 1;
    }
    return n > std::uint64_t{1} << 62 ? -1 : static_cast<std::int64_t>(n);
  } else {
    const double n = std::ceil((static_cast<double>(stop) - static_cast<double>(start)) /
                               static_cast<double>(step));
    if (!(n < 4e18)) return -1;  // also NaN
    return n > 0 ? static_cast<std::int64_t>(n) : 0;
  }
}
}  // namespace detail

// start, start + step, ... before stop. Floating values are start + i * step, computed in double,
// so errors do not add up; the last of them may reach stop by rounding (use linspace to hit an end
// exactly).
template <element T>
  requires(!std::is_same_v<T, bool>)
[[nodiscard]] Tensor<T, 1, Host> arange(T start, T stop, T step = cast_value<T>(1)) {
  if (cast_value<double>(step) == 0) {
    throw argument_error("situ: a range with step 0 never ends; use another step");
  }
  const std::int64_t n = detail::count_steps<compute_t<T>>(static_cast<compute_t<T>>(start),
                                                           static_cast<compute_t<T>>(stop),
                                                           static_cast<compute_t<T>>(step));
  if (n < 0) {
    throw argument_error(
        "situ: a range without an end or with more elements than memory holds; "
        "use finite bounds and a larger step");
  }
  Tensor<T, 1, Host> t(Shape<1>{{n}}, uninitialized);
  T* const to = t.data();
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<T>) {
      // Modulo 2^64 every intermediate value is right in its low bits.
      to[i] = static_cast<T>(static_cast<std::uint64_t>(start) +
                             static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step));
    } else {
      to[i] = cast_value<T>(cast_value<double>(start) +
                            static_cast<double>(i) * cast_value<double>(step));
    }
  }
  return t;
}
// 0, 1, ... before stop.
template <element T>
  requires(!std::is_same_v<T, bool>)
[[nodiscard]] Tensor<T, 1, Host> arange(T stop) {
  return arange<T>(cast_value<T>(0), stop);
}

// `count` values at equal distances from start to stop, both included.
template <floating_element T>
[[nodiscard]] Tensor<T, 1, Host> linspace(double start, double stop, std::int64_t count) {
  Tensor<T, 1, Host> t(Shape<1>{{count}}, uninitialized);
  const double steps = count > 1 ? static_cast<double>(count - 1) : 1.0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = start + (stop - start) * (static_cast<double>(i) / steps);
    t.data()[i] = cast_value<T>(i > 0 && i == count - 1 ? stop : x);
  }
  return t;
}

// Ones on the diagonal, zeros elsewhere.
template <element T>
[[nodiscard]] Tensor<T, 2, Host> eye(std::int64_t rows, std::int64_t columns) {
  Tensor<T, 2, Host> t(Shape<2>{{rows, columns}});
  for (std::int64_t i = 0; i < rows && i < columns; ++i) {
    t.data()[i * columns + i] = cast_value<T>(1);
  }
  return t;
}
template <element T>
[[nodiscard]] Tensor<T, 2, Host> eye(std::int64_t n) {
  return eye<T>(n, n);
}

}  // namespace situ
