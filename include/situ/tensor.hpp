// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <new>
#include <iterator>

#include "situ/reshape.hpp"

namespace situ {

// Memory of a device. Host memory is here; CUDA memory is specialised where the file is compiled as CUDA.
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
  static void copy(void* to, const void* from, std::size_t bytes) { __builtin_memcpy(to, from, bytes); }
  static void clear(void* to, std::size_t bytes) { __builtin_memset(to, 0, bytes); }
};

namespace detail {
template <class Device>
concept has_memory = requires { &memory<Device>::allocate; };
}  // namespace detail

// Asks for a tensor whose elements are not set yet.
struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};

// Owns R-dimensional row-major elements on a device. Copying copies the elements, moving does not. The type
// can be named, moved, viewed and checked in any unit; memory of a CUDA device is allocated in units
// compiled as CUDA.
template <class T, int R, device Device>
class Tensor {
  static_assert(element<T>,
                "situ: the element type must be bool, an integer of 8 to 64 bits, float16, bfloat16, "
                "float or double");

 public:
  using value_type = T;
  using device_type = Device;
  static constexpr int rank = R;

  Tensor() = default;
  // Elements are zero.
  explicit Tensor(const Shape<R>& shape) : Tensor(shape, uninitialized) {
    if (size() > 0) memory<Device>::clear(data_, bytes());
  }
  Tensor(const Shape<R>& shape, uninitialized_t) : shape_(shape) {
    static_assert(detail::has_memory<Device>,
                  "situ: allocating on a CUDA device needs a file compiled as CUDA (nvcc)");
    check_shape(shape);
    if (size() > std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(T))) {
      throw shape_error("situ: a tensor of shape " + to_string(shape) +
                        " does not fit in memory; make it smaller");
    }
    if (size() > 0) {
      data_ = static_cast<T*>(memory<Device>::allocate(bytes()));
      release_ = &memory<Device>::release;
    }
  }
  // All elements have one value. Host; elsewhere assign an expression.
  Tensor(const Shape<R>& shape, T value)
    requires std::is_same_v<Device, Host>
      : Tensor(shape, uninitialized) {
    std::fill_n(data_, size(), value);
  }
  // {1, 2, 3}, and {{1, 2}, {3, 4}} for two axes.
  Tensor(std::initializer_list<T> values)
    requires(R == 1 && std::is_same_v<Device, Host>)
      : Tensor(Shape<1>{{static_cast<std::int64_t>(values.size())}}, uninitialized) {
    std::copy(values.begin(), values.end(), data_);
  }
  Tensor(std::initializer_list<std::initializer_list<T>> rows)
    requires(R == 2 && std::is_same_v<Device, Host>)
      : Tensor(Shape<2>{{static_cast<std::int64_t>(rows.size()),
                         rows.size() == 0 ? 0 : static_cast<std::int64_t>(rows.begin()->size())}},
               uninitialized) {
    T* to = data_;
    for (const auto& row : rows) {
      if (static_cast<std::int64_t>(row.size()) != shape_[1]) {
        throw shape_error("situ: the rows of a tensor have different lengths; make them equal");
      }
      to = std::copy(row.begin(), row.end(), to);
    }
  }
  // The elements of a vector or other sized range of T.
  template <class Range>
    requires(R == 1 && std::is_same_v<Device, Host> && !placed<Range> &&
             requires(const Range& r) {
               { std::size(r) } -> std::convertible_to<std::size_t>;
               { *std::begin(r) } -> std::convertible_to<const T&>;
             })
  explicit Tensor(const Range& range)
      : Tensor(Shape<1>{{static_cast<std::int64_t>(std::size(range))}}, uninitialized) {
    std::copy(std::begin(range), std::end(range), data_);
  }

  Tensor(const Tensor& other) : Tensor(other.shape_, uninitialized) {
    if (size() > 0) memory<Device>::copy(data_, other.data_, bytes());
  }
  Tensor(Tensor&& other) noexcept { swap(other); }
  Tensor& operator=(Tensor other) noexcept {
    swap(other);
    return *this;
  }
  ~Tensor() {
    // Called through the pointer that allocation left, so that a unit without CUDA can do it too.
    if (data_ != nullptr) release_(data_);
  }
  void swap(Tensor& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(shape_, other.shape_);
    std::swap(release_, other.release_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  const Shape<R>& shape() const { return shape_; }
  Strides<R> strides() const { return row_major(shape_); }
  std::int64_t extent(int axis) const { return shape_[detail::checked_axis(axis, R)]; }
  std::int64_t size() const { return shape_.size(); }
  static constexpr bool is_contiguous() { return true; }

  View<T, R, Device> view() & { return {data_, shape_}; }
  View<const T, R, Device> view() const& { return {data_, shape_}; }
  void view() && = delete;  // would dangle; give the tensor a name
  operator View<T, R, Device>() & { return view(); }
  operator View<const T, R, Device>() const& { return view(); }

  // One element; throws shape_error when an index is out of range. Host only.
  template <std::convertible_to<std::int64_t>... Is>
    requires(sizeof...(Is) == R && std::is_same_v<Device, Host>)
  T& operator()(Is... index) {
    return view()(index...);
  }
  template <std::convertible_to<std::int64_t>... Is>
    requires(sizeof...(Is) == R && std::is_same_v<Device, Host>)
  const T& operator()(Is... index) const {
    return view()(index...);
  }
  template <std::convertible_to<std::int64_t>... Is, class Cure = copy_it_first_with_situ_to_Host>
    requires(sizeof...(Is) == R && !std::is_same_v<Device, Host>)
  T& operator()(Is... index) const SITU_REFUSE(
      "situ: element access needs host memory; copy it first with situ::to<situ::Host>(x)");

  auto slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) & {
    return view().slice(axis, start, stop, step);
  }
  auto slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const& {
    return view().slice(axis, start, stop, step);
  }
  auto select(int axis, std::int64_t index) & { return view().select(axis, index); }
  auto select(int axis, std::int64_t index) const& { return view().select(axis, index); }
  auto row(std::int64_t index) & { return view().row(index); }
  auto row(std::int64_t index) const& { return view().row(index); }
  void fill(T value)
    requires std::is_same_v<Device, Host>
  {
    std::fill_n(data_, size(), value);
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }

  T* data_ = nullptr;
  Shape<R> shape_{};
  void (*release_)(void*) noexcept = nullptr;
};

// What reshape.hpp does to views, for tensors that have a name.
#define SITU_OF_TENSOR(name)                                                             \
  template <class T, int R, class D, class... As>                                        \
  [[nodiscard]] auto name(Tensor<T, R, D>& tensor, const As&... arguments) {             \
    return name(tensor.view(), arguments...);                                            \
  }                                                                                      \
  template <class T, int R, class D, class... As>                                        \
  [[nodiscard]] auto name(const Tensor<T, R, D>& tensor, const As&... arguments) {       \
    return name(tensor.view(), arguments...);                                            \
  }                                                                                      \
  template <class T, int R, class D, class... As>                                        \
  void name(Tensor<T, R, D>&&, const As&...) SITU_REFUSE(                                \
      "situ: the view of a temporary tensor would dangle; give the tensor a name");
SITU_OF_TENSOR(flatten)
SITU_OF_TENSOR(transpose)
SITU_OF_TENSOR(squeeze)
SITU_OF_TENSOR(expand_dims)
#undef SITU_OF_TENSOR
#define SITU_OF_TENSOR(name)                                                             \
  template <int S, class T, int R, class D>                                              \
  [[nodiscard]] auto name(Tensor<T, R, D>& tensor, const Shape<S>& shape) {              \
    return name(tensor.view(), shape);                                                   \
  }                                                                                      \
  template <int S, class T, int R, class D>                                              \
  [[nodiscard]] auto name(const Tensor<T, R, D>& tensor, const Shape<S>& shape) {        \
    return name(tensor.view(), shape);                                                   \
  }
SITU_OF_TENSOR(reshape)
SITU_OF_TENSOR(broadcast_to)
#undef SITU_OF_TENSOR
template <class T, int R, class D>
[[nodiscard]] auto permute(Tensor<T, R, D>& t, const int (&order)[detail::axes<R>]) {
  return permute(t.view(), order);
}
template <class T, int R, class D>
[[nodiscard]] auto permute(const Tensor<T, R, D>& t, const int (&order)[detail::axes<R>]) {
  return permute(t.view(), order);
}

}  // namespace situ
