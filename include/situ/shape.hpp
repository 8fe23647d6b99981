// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "situ/config.hpp"
#include "situ/error.hpp"

namespace situ {

namespace detail {
template <int R>
inline constexpr std::size_t axes = static_cast<std::size_t>(R == 0 ? 1 : R);
}

// The lengths of R axes. An aggregate: Shape<2>{{3, 4}}.
template <int R>
struct Shape {
  static_assert(R >= 0, "situ: a shape cannot have a negative number of axes");
  static constexpr int rank = R;
  std::int64_t extent[detail::axes<R>];

  SITU_HD constexpr std::int64_t& operator[](int axis) { return extent[axis]; }
  SITU_HD constexpr const std::int64_t& operator[](int axis) const { return extent[axis]; }
  // Number of elements; 1 for a shape without axes.
  SITU_HD constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for (int a = 0; a < R; ++a) n *= extent[a];
    return n;
  }
  friend SITU_HD constexpr bool operator==(const Shape& a, const Shape& b) {
    for (int i = 0; i < R; ++i) {
      if (a.extent[i] != b.extent[i]) return false;
    }
    return true;
  }
};

// Distances between neighbours along each axis, in elements. May be zero or negative.
template <int R>
struct Strides {
  static constexpr int rank = R;
  std::int64_t extent[detail::axes<R>];

  SITU_HD constexpr std::int64_t& operator[](int axis) { return extent[axis]; }
  SITU_HD constexpr const std::int64_t& operator[](int axis) const { return extent[axis]; }
  friend SITU_HD constexpr bool operator==(const Strides& a, const Strides& b) {
    for (int i = 0; i < R; ++i) {
      if (a.extent[i] != b.extent[i]) return false;
    }
    return true;
  }
};

// "[3, 10]"
template <int R>
std::string to_string(const Shape<R>& shape) {
  std::string s = "[";
  for (int a = 0; a < R; ++a) {
    if (a > 0) s += ", ";
    s += std::to_string(shape[a]);
  }
  return s + "]";
}

// Strides of contiguous storage with the last axis fastest.
template <int R>
SITU_HD constexpr Strides<R> row_major(const Shape<R>& shape) {
  Strides<R> strides{};
  std::int64_t step = 1;
  for (int a = R - 1; a >= 0; --a) {
    strides[a] = step;
    step *= shape[a];
  }
  return strides;
}

// Throws shape_error for negative lengths, and when the product of the lengths that are not zero
// does not fit in int64: sizes and strides of a shape that passes never overflow.
template <int R>
void check_shape(const Shape<R>& shape) {
  std::int64_t n = 1;
  bool overflow = false;
  for (int a = 0; a < R; ++a) {
    if (shape[a] < 0) {
      throw shape_error("situ: shape " + to_string(shape) +
                        " has a negative length; lengths are zero or more");
    }
    overflow = overflow || __builtin_mul_overflow(n, shape[a] == 0 ? 1 : shape[a], &n);
  }
  if (overflow) {
    throw shape_error("situ: shape " + to_string(shape) +
                      " has more elements than 64-bit integers count; make it smaller");
  }
}

// Whether the elements follow one another without gaps, last axis fastest. Axes of length 1 and
// arrays without elements do not matter.
template <int R>
SITU_HD constexpr bool is_contiguous(const Shape<R>& shape, const Strides<R>& strides) {
  for (int a = 0; a < R; ++a) {
    if (shape[a] == 0) return true;
  }
  std::int64_t step = 1;
  for (int a = R - 1; a >= 0; --a) {
    if (shape[a] != 1 && strides[a] != step) return false;
    step *= shape[a];
  }
  return true;
}

namespace detail {
// For initialiser lists of constructors, where the check must come before anything is computed.
template <int R>
const Shape<R>& checked_shape(const Shape<R>& shape) {
  check_shape(shape);
  return shape;
}
}  // namespace detail

// NumPy's rule: axes are matched from the last; equal lengths stay, a length of 1 stretches.
template <int A, int B>
Shape<(A > B ? A : B)> broadcast_shapes(const Shape<A>& a, const Shape<B>& b) {
  constexpr int R = A > B ? A : B;
  Shape<R> out{};
  for (int i = 0; i < R; ++i) {
    const std::int64_t x = i < R - A ? 1 : a[i - (R - A)];
    const std::int64_t y = i < R - B ? 1 : b[i - (R - B)];
    if (x != y && x != 1 && y != 1) {
      throw shape_error(
          "situ: shapes " + to_string(a) + " and " + to_string(b) +
          " cannot be broadcast together; matched from the last axis, lengths must be "
          "equal or 1");
    }
    out[i] = x == 1 ? y : x;
  }
  check_shape(out);
  return out;
}

}  // namespace situ
