// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "situ/expression/node.hpp"
#include "situ/expression/node.hpp"
#include "situ/reshape.hpp"
#include "situ/runtime/memory.hpp"

namespace situ {

template <class T, int R, device Device>
class Tensor;

namespace detail {
template <class Range, class T>
concept sized_range_of = requires(const Range& r) {
  { std::size(r) } -> std::convertible_to<std::size_t>;
  requires std::is_same_v<std::iter_value_t<std::remove_cvref_t<decltype(std::begin(r))>>, T>;
};

template <class X>
inline constexpr bool is_tensor = false;
template <class T, int R, class D>
inline constexpr bool is_tensor<Tensor<T, R, D>> = true;
// A type without reference: X& binds to what has a name, X&& to a temporary.
template <class X>
concept any_tensor = is_tensor<std::remove_const_t<X>>;
template <class X>
inline constexpr bool is_view = false;
template <class T, int R, class D>
inline constexpr bool is_view<View<T, R, D>> = true;

// What a Tensor<T, R, Device> can be made from besides its own kind: expressions, views, other tensors.
template <class E, class T, int R, class Device>
concept source_on = !std::is_same_v<E, Tensor<T, R, Device>> && placed_on<Device, E> && expression<E>;
template <class E, class T, int R>
concept fits = E::rank == R && holds<T, std::remove_const_t<typename E::value_type>>;
}  // namespace detail

// Only the names matter: cures.
struct give_the_temporary_tensor_a_name;
struct match_the_rank_and_convert_the_elements_with_situ_cast;

// Asks for a tensor whose elements are not set yet.
struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};
// Asks for a tensor that takes over memory which exists.
struct adopt_t {};
inline constexpr adopt_t adopt{};

// Owns R-dimensional row-major elements on a device. Copying copies the elements, moving does not.
// The type can be named, moved, viewed and checked in any unit; memory of a CUDA device is
// allocated in units compiled as CUDA.
template <class T, int R, device Device>
class Tensor {
  static_assert(
      element<T>,
      "situ: the element type must be bool, an integer of 8 to 64 bits, float16, bfloat16, "
      "float or double");

 public:
  using value_type = T;
  using device_type = Device;
  static constexpr int rank = R;

  // No elements; with rank 0, whose size is always 1, a zero. What was moved from is like this too,
  // but with rank 0 it can only be assigned or destroyed.
  Tensor()
    requires(R > 0)
  = default;
  Tensor()
    requires(R == 0)
      : Tensor(Shape<0>{}) {}
  // Elements are zero.
  explicit Tensor(const Shape<R>& shape) : Tensor(shape, uninitialized) {
    if constexpr (detail::has_memory<Device>) {
      if (size() > 0) memory<Device>::clear(data_, bytes());
    }
  }
  Tensor(const Shape<R>& shape, uninitialized_t) : shape_(shape) {
    static_assert(detail::has_memory<Device>,
                  "situ: allocating on a CUDA device needs a file compiled as CUDA (nvcc)");
    check_shape(shape);
    if (size() > std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(T))) {
      throw shape_error("situ: a tensor of shape " + to_string(shape) +
                        " does not fit in memory; make it smaller");
    }
    if constexpr (detail::has_memory<Device>) {
      if (size() > 0) {
        data_ = static_cast<T*>(memory<Device>::allocate(bytes()));
        release_ = &memory<Device>::release;
      }
    }
  }
  // Owns shape.size() row-major elements at `data` from now on; `release` gives them back. data may
  // be null when there are none.
  Tensor(adopt_t, T* data, const Shape<R>& shape, void (*release)(void*) noexcept)
      : data_(View<T, R, Device>(data, shape).data()), shape_(shape), release_(release) {}
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
  // The elements of a vector or other sized range of exactly T.
  template <class Range>
    requires(R == 1 && std::is_same_v<Device, Host> && !placed<Range> &&
             detail::sized_range_of<Range, T>)
  explicit Tensor(const Range& range)
      : Tensor(Shape<1>{{static_cast<std::int64_t>(std::size(range))}}, uninitialized) {
    std::copy(std::begin(range), std::end(range), data_);
  }

  // The values of an expression in one pass: Tensor<float, 1, Host> t = a * b + c. Views and other tensors are
  // copied when that is said: Tensor<float, 1, Host> t(view). The element type must hold the expression's
  // without loss. What evaluates them is in engine/evaluate.hpp, a part of situ.hpp.
  template <detail::source_on<T, R, Device> E>
    requires detail::fits<E, T, R>
  explicit(detail::is_view<E> || detail::is_tensor<E>) Tensor(const E& e);
  template <detail::source_on<T, R, Device> E,
            class Cure = match_the_rank_and_convert_the_elements_with_situ_cast>
    requires(!detail::fits<E, T, R>)
  Tensor(const E&) SITU_REFUSE(
      "situ: the source has another number of axes, or elements that this tensor cannot hold without loss; "
      "use situ::cast<T>(expression)");
  // The same for a tensor that exists: into its memory if the shape is the same, else into new memory. The
  // expression may mention the tensor.
  template <detail::source_on<T, R, Device> E>
    requires detail::fits<E, T, R>
  Tensor& operator=(const E& e);

  template <placed X, class Cure = move_one_operand_with_situ_to_Device>
    requires(!placed_on<Device, X>)
  Tensor(const X&) SITU_REFUSE(
      "situ: the source is on another device; copy it explicitly with situ::to<Device>(x)");
  template <placed X, class Cure = move_one_operand_with_situ_to_Device>
    requires(!placed_on<Device, X>)
  Tensor& operator=(const X&) SITU_REFUSE(
      "situ: the source is on another device; copy it explicitly with situ::to<Device>(x)");

  Tensor(const Tensor& other) : Tensor(other.shape_, uninitialized) {
    if constexpr (detail::has_memory<Device>) {
      if (other.data_ != nullptr) memory<Device>::copy(data_, other.data_, bytes());
    }
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
  void slice(int, std::int64_t, std::int64_t, std::int64_t = 1) && = delete;  // as view()
  auto select(int axis, std::int64_t index) & { return view().select(axis, index); }
  auto select(int axis, std::int64_t index) const& { return view().select(axis, index); }
  void select(int, std::int64_t) && = delete;
  auto row(std::int64_t index) & { return view().row(index); }
  auto row(std::int64_t index) const& { return view().row(index); }
  void row(std::int64_t) && = delete;
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

// Tensor t = x + y has the expression's element type, rank and device.
template <expression E>
  requires placed<E>
Tensor(const E&) -> Tensor<std::remove_const_t<typename E::value_type>, E::rank, device_of<E>>;

// What reshape.hpp does to views, for tensors that have a name. X is Tensor or const Tensor.
template <detail::any_tensor X>
[[nodiscard]] auto flatten(X& tensor) {
  return flatten(tensor.view());
}
template <detail::any_tensor X>
[[nodiscard]] auto transpose(X& tensor) {
  return transpose(tensor.view());
}
template <detail::any_tensor X>
[[nodiscard]] auto squeeze(X& tensor, int axis) {
  return squeeze(tensor.view(), axis);
}
template <detail::any_tensor X>
[[nodiscard]] auto expand_dims(X& tensor, int axis) {
  return expand_dims(tensor.view(), axis);
}
template <detail::any_tensor X>
[[nodiscard]] auto permute(X& tensor, const int (&order)[detail::axes<X::rank>]) {
  return permute(tensor.view(), order);
}
template <int S, detail::any_tensor X>
[[nodiscard]] auto reshape(X& tensor, const Shape<S>& shape) {
  return reshape(tensor.view(), shape);
}
template <int S, detail::any_tensor X>
[[nodiscard]] auto broadcast_to(X& tensor, const Shape<S>& shape) {
  return broadcast_to(tensor.view(), shape);
}

// Views of a temporary would dangle.
#define SITU_REFUSE_TEMPORARY(name)                                                           \
  template <detail::any_tensor X, class... As, class Cure = give_the_temporary_tensor_a_name> \
  void name(X&&, const As&...)                                                                \
      SITU_REFUSE("situ: the view of a temporary tensor would dangle; give the tensor a name");
SITU_REFUSE_TEMPORARY(flatten)
SITU_REFUSE_TEMPORARY(transpose)
SITU_REFUSE_TEMPORARY(squeeze)
SITU_REFUSE_TEMPORARY(expand_dims)
#undef SITU_REFUSE_TEMPORARY
template <detail::any_tensor X, class Cure = give_the_temporary_tensor_a_name>
void permute(X&&, const int (&)[detail::axes<X::rank>])
    SITU_REFUSE("situ: the view of a temporary tensor would dangle; give the tensor a name");
template <int S, detail::any_tensor X, class Cure = give_the_temporary_tensor_a_name>
void reshape(X&&, const Shape<S>&)
    SITU_REFUSE("situ: the view of a temporary tensor would dangle; give the tensor a name");
template <int S, detail::any_tensor X, class Cure = give_the_temporary_tensor_a_name>
void broadcast_to(X&&, const Shape<S>&)
    SITU_REFUSE("situ: the view of a temporary tensor would dangle; give the tensor a name");

}  // namespace situ
