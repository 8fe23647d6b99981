// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "situ/device.hpp"
#include "situ/dtype.hpp"
#include "situ/shape.hpp"

namespace situ {

namespace detail {
inline int checked_axis(int axis, int rank) {
  if (axis < -rank || axis >= rank) {
    throw shape_error("situ: there is no axis " + std::to_string(axis) + " among " +
                      std::to_string(rank) + "; use " + std::to_string(-rank) + " to " +
                      std::to_string(rank - 1));
  }
  return axis < 0 ? axis + rank : axis;
}
inline void check_index(std::int64_t i, std::int64_t extent, int axis) {
  if (i < 0 || i >= extent) {
    throw shape_error("situ: index " + std::to_string(i) + " on axis " + std::to_string(axis) +
                      " is outside [0, " + std::to_string(extent) + ")");
  }
}
// Not for situ's own views: they have data(), not data_handle().
template <class X>
concept mdspan_like = requires(const X& x) {
  x.data_handle();
  { x.extent(0) } -> std::convertible_to<std::int64_t>;
  { x.stride(0) } -> std::convertible_to<std::int64_t>;
  { X::rank() } -> std::convertible_to<std::size_t>;
};
}  // namespace detail

struct use_a_vector_of_uint8_or_a_situ_Tensor_of_bool;  // only its name matters: a cure

// Elements that someone else owns, on a device: a pointer, a shape and strides. Copying a view
// copies no elements; the memory must outlive it. T is const for read-only views. What it costs: a
// few integers.
template <class T, int R, device Device>
class View {
  static_assert(
      element<std::remove_const_t<T>>,
      "situ: the element type must be bool, an integer of 8 to 64 bits, float16, bfloat16, "
      "float or double");

 public:
  using value_type = T;
  using device_type = Device;
  static constexpr int rank = R;

  View() = default;
  // Contiguous elements, last axis fastest.
  View(T* data, const Shape<R>& shape)
      : View(data, shape, row_major(detail::checked_shape(shape))) {}
  // Any strides, in elements.
  View(T* data, const Shape<R>& shape, const Strides<R>& strides)
      : data_(data), shape_(shape), strides_(strides) {
    check_shape(shape);
    if (data == nullptr && size() > 0) {
      throw argument_error("situ: a view of shape " + to_string(shape) +
                           " has elements but its pointer is null; give it the memory they are in");
    }
  }

  // Read-only view of the same elements.
  template <class U>
    requires(std::is_same_v<const U, T> && !std::is_const_v<U>)
  View(const View<U, R, Device>& other)
      : data_(other.data()), shape_(other.shape()), strides_(other.strides()) {}

  // Host memory of the standard library: vectors, spans, C arrays.
  template <class U, class A>
    requires(R == 1 && std::is_same_v<Device, Host> && !std::is_same_v<U, bool> &&
             std::is_convertible_v<U (*)[], T (*)[]>)
  View(std::vector<U, A>& v) : View(v.data(), Shape<1>{{static_cast<std::int64_t>(v.size())}}) {}
  template <class U, class A>
    requires(R == 1 && std::is_same_v<Device, Host> && !std::is_same_v<U, bool> &&
             std::is_convertible_v<const U (*)[], T (*)[]>)
  View(const std::vector<U, A>& v)
      : View(v.data(), Shape<1>{{static_cast<std::int64_t>(v.size())}}) {}
  template <class U, class A>
    requires(R == 1 && std::is_same_v<Device, Host> && !std::is_same_v<U, bool>)
  View(const std::vector<U, A>&&)
      SITU_REFUSE("situ: the view of a temporary vector would dangle; give the vector a name");
  template <class A, class Cure = use_a_vector_of_uint8_or_a_situ_Tensor_of_bool>
    requires(R == 1 && std::is_same_v<Device, Host>)
  View(const std::vector<bool, A>&) SITU_REFUSE(
      "situ: std::vector<bool> packs its elements into bits; use a vector of uint8_t or a Tensor");
  template <class U, std::size_t N>
    requires(R == 1 && std::is_same_v<Device, Host> && std::is_convertible_v<U (*)[], T (*)[]>)
  View(std::span<U, N> s) : View(s.data(), Shape<1>{{static_cast<std::int64_t>(s.size())}}) {}
  template <class U, std::size_t N>
    requires(R == 1 && std::is_same_v<Device, Host> && std::is_convertible_v<U (*)[], T (*)[]>)
  View(U (&array)[N]) : View(array, Shape<1>{{static_cast<std::int64_t>(N)}}) {}
  // std::mdspan and what looks like it.
  template <detail::mdspan_like M>
    requires(std::is_same_v<Device, Host> && M::rank() == static_cast<std::size_t>(R))
  explicit View(const M& m) : View(m.data_handle(), shape_of_mdspan(m), strides_of_mdspan(m)) {}

  template <placed X, class Cure = move_one_operand_with_situ_to_Device>
    requires(!placed_on<Device, X>)
  View(const X&) SITU_REFUSE(
      "situ: a view is on the device of its elements; copy them first with situ::to<Device>(x)");

  T* data() const { return data_; }
  const Shape<R>& shape() const { return shape_; }
  const Strides<R>& strides() const { return strides_; }
  std::int64_t extent(int axis) const { return shape_[detail::checked_axis(axis, R)]; }
  std::int64_t size() const { return shape_.size(); }
  bool is_contiguous() const { return situ::is_contiguous(shape_, strides_); }
  View view() const { return *this; }

  // One element; throws shape_error when an index is out of range. Host only.
  template <std::integral... Is>
    requires(sizeof...(Is) == R && std::is_same_v<Device, Host>)
  T& operator()(Is... index) const {
    const std::int64_t at[detail::axes<R>] = {static_cast<std::int64_t>(index)...};
    std::int64_t offset = 0;
    for (int a = 0; a < R; ++a) {
      detail::check_index(at[a], shape_[a], a);
      offset += at[a] * strides_[a];
    }
    return data_[offset];
  }
  template <std::integral... Is, class Cure = copy_it_first_with_situ_to_Host>
    requires(sizeof...(Is) == R && !std::is_same_v<Device, Host>)
  T& operator()(Is... index) const SITU_REFUSE(
      "situ: element access needs host memory; copy it first with situ::to<situ::Host>(x)");

  // Elements start, start + step, ... before stop along one axis. Python's rules: negative
  // positions count from the end, positions beyond the ends are cut off; a negative step runs
  // backwards only with explicit positions.
  View slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const {
    const int a = detail::checked_axis(axis, R);
    if (step == 0)
      throw shape_error("situ: a slice with step 0 never ends; use a step of 1 or more");
    const std::int64_t n = shape_[a];
    const std::int64_t longest = n > 0 ? n : 1;  // a longer step reaches no further element
    step = step > longest ? longest : (step < -longest ? -longest : step);
    const auto inside = [&](std::int64_t i) {
      if (i < 0) i += n;
      const std::int64_t low = step > 0 ? 0 : -1;
      const std::int64_t high = step > 0 ? n : n - 1;
      return i < low ? low : (i > high ? high : i);
    };
    const std::int64_t first = inside(start);
    const std::int64_t last = inside(stop);
    const std::int64_t span = step > 0 ? last - first : first - last;
    const std::int64_t width = step > 0 ? step : -step;
    View v = *this;
    v.shape_[a] = span <= 0 ? 0 : (span - 1) / width + 1;
    v.strides_[a] = strides_[a] * step;
    if (v.shape_[a] > 0) v.data_ += first * strides_[a];
    return v;
  }

  // The elements at one position of an axis, which disappears. Negative positions count from the
  // end.
  View<T, R - 1, Device> select(int axis, std::int64_t index) const
    requires(R > 0)
  {
    const int a = detail::checked_axis(axis, R);
    const std::int64_t i = index < 0 ? index + shape_[a] : index;
    detail::check_index(i, shape_[a], a);
    Shape<R - 1> shape{};
    Strides<R - 1> strides{};
    for (int b = 0; b < R - 1; ++b) {
      shape[b] = shape_[b < a ? b : b + 1];
      strides[b] = strides_[b < a ? b : b + 1];
    }
    return {data_ + i * strides_[a], shape, strides};
  }
  View<T, R - 1, Device> row(std::int64_t index) const
    requires(R > 0)
  {
    return select(0, index);
  }

 private:
  template <class M>
  static Shape<R> shape_of_mdspan(const M& m) {
    Shape<R> shape{};
    for (int a = 0; a < R; ++a) {
      shape[a] = static_cast<std::int64_t>(m.extent(static_cast<std::size_t>(a)));
    }
    return shape;
  }
  template <class M>
  static Strides<R> strides_of_mdspan(const M& m) {
    Strides<R> strides{};
    for (int a = 0; a < R; ++a) {
      strides[a] = static_cast<std::int64_t>(m.stride(static_cast<std::size_t>(a)));
    }
    return strides;
  }

  T* data_ = nullptr;
  Shape<R> shape_{};
  Strides<R> strides_{};
};

template <class U, class A>
View(std::vector<U, A>&) -> View<U, 1, Host>;
template <class U, class A>
View(const std::vector<U, A>&) -> View<const U, 1, Host>;
template <class U, std::size_t N>
View(std::span<U, N>) -> View<U, 1, Host>;
template <class U, std::size_t N>
View(U (&)[N]) -> View<U, 1, Host>;
template <detail::mdspan_like M>
View(const M& m)
    -> View<std::remove_reference_t<decltype(*m.data_handle())>, static_cast<int>(M::rank()), Host>;

}  // namespace situ
