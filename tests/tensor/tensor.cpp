// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <situ/tensor.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "throws.hpp"

using namespace situ;

namespace {

using Matrix = Tensor<float, 2, Host>;
using CudaMatrix = Tensor<float, 2, Cuda<0>>;

// Copies are deep and moves are cheap; both never change the device.
static_assert(std::is_copy_constructible_v<Matrix> && std::is_nothrow_move_constructible_v<Matrix>);
static_assert(std::is_nothrow_move_constructible_v<CudaMatrix>);
static_assert(!std::is_constructible_v<Matrix, CudaMatrix&>);
static_assert(!std::is_constructible_v<CudaMatrix, Matrix&>);
static_assert(!std::is_constructible_v<Matrix, View<const float, 2, Cuda<0>>>);
static_assert(!std::is_constructible_v<Tensor<float, 2, Cuda<1>>, CudaMatrix>);
static_assert(!std::is_assignable_v<Matrix&, CudaMatrix&>);
static_assert(!std::is_assignable_v<CudaMatrix&, View<float, 2, Host>>);

// Tensors become views; a const one only read-only ones.
static_assert(std::is_convertible_v<Matrix&, View<float, 2, Host>>);
static_assert(std::is_convertible_v<const Matrix&, View<const float, 2, Host>>);
static_assert(!std::is_convertible_v<const Matrix&, View<float, 2, Host>>);
static_assert(!std::is_convertible_v<Matrix, View<float, 2, Host>>);
static_assert(!std::is_convertible_v<Matrix&, View<float, 2, Cuda<0>>>);

// What is not of the same type is not taken over silently.
using Vector = Tensor<float, 1, Host>;
static_assert(std::is_constructible_v<Vector, std::vector<float>>);
static_assert(!std::is_constructible_v<Vector, std::vector<double>>);
static_assert(!std::is_convertible_v<std::vector<float>, Vector>);
static_assert(std::is_constructible_v<Tensor<bool, 1, Host>, std::vector<bool>>);
static_assert(!std::is_constructible_v<Tensor<float, 1, Cuda<0>>, std::vector<float>>);
static_assert(!std::is_constructible_v<Matrix, std::vector<float>>);

// Views of temporaries would dangle.
template <class X>
concept viewable = requires(X&& x) { std::forward<X>(x).view(); };
template <class X>
concept sliceable = requires(X&& x) { std::forward<X>(x).slice(0, 0, 1); };
template <class X>
concept selectable = requires(X&& x) {
  std::forward<X>(x).select(0, 0);
  std::forward<X>(x).row(0);
};
template <class X>
concept flattens = requires(X&& x) { flatten(std::forward<X>(x)); };
template <class X>
concept transposes = requires(X&& x) { transpose(std::forward<X>(x)); };
template <class X>
concept reshapes = requires(X&& x) { reshape<1>(std::forward<X>(x), {-1}); };
template <class X>
concept permutes = requires(X&& x) {
  permute(std::forward<X>(x), {1, 0});
};
template <class X>
inline constexpr bool all_views = viewable<X> && sliceable<X> && selectable<X> && flattens<X> &&
                                  transposes<X> && reshapes<X> && permutes<X>;
static_assert(all_views<Matrix&> && all_views<const Matrix&> && all_views<CudaMatrix&>);
static_assert(!viewable<Matrix> && !sliceable<Matrix> && !selectable<Matrix> && !flattens<Matrix>);
static_assert(!transposes<Matrix> && !reshapes<Matrix> && !permutes<Matrix>);

template <class X>
concept indexable = requires(X x) { x(0, 0); };
static_assert(indexable<Matrix&> && !indexable<CudaMatrix&>);
static_assert(std::is_same_v<decltype(std::declval<Matrix&>()(0, 0)), float&>);
static_assert(std::is_same_v<decltype(std::declval<const Matrix&>()(0, 0)), const float&>);
static_assert(
    std::is_same_v<decltype(std::declval<const Matrix&>().row(0)), View<const float, 1, Host>>);

}  // namespace

TEST_CASE("tensors are made from shapes, values and lists") {
  const Matrix zero(Shape<2>{2, 3});
  CHECK(zero(1, 2) == 0);
  const Matrix filled({2, 3}, 1.5f);
  CHECK(filled(0, 0) == 1.5f);
  CHECK(filled.shape() == Shape<2>{2, 3});
  const Matrix listed{{1, 2, 3}, {4, 5, 6}};
  CHECK(listed(1, 0) == 4);
  CHECK(listed.strides() == Strides<2>{3, 1});
  const Vector vector{1, 2, 3};
  CHECK(vector(2) == 3);
  CHECK(vector.extent(-1) == 3);
  CHECK_THROWS_AS((Matrix{{1, 2}, {3}}), shape_error);
  const Tensor<float, 0, Host> scalar;
  CHECK(scalar() == 0);
  CHECK(scalar.size() == 1);
}

TEST_CASE("tensors are made from vectors and arrays") {
  CHECK(Vector(std::vector<float>{1, 2})(1) == 2);
  CHECK(Tensor<int, 1, Host>(std::array<int, 3>{7, 8, 9})(2) == 9);
  const Tensor<bool, 1, Host> bits(std::vector<bool>{true, false, true});
  CHECK(bits(0));
  CHECK_FALSE(bits(1));
}

TEST_CASE("host memory is aligned to 64 bytes") {
  for (std::int64_t n = 1; n < 100; n += 7) {
    const Tensor<std::uint8_t, 1, Host> t(Shape<1>{{n}});
    CHECK(reinterpret_cast<std::uintptr_t>(t.data()) % 64 == 0);
  }
}

TEST_CASE("copies are deep, moves hand over the memory") {
  Matrix a{{1, 2}, {3, 4}};
  Matrix b = a;
  b(0, 0) = 10;
  CHECK(a(0, 0) == 1);
  const float* memory = b.data();
  Matrix c = std::move(b);
  CHECK(c.data() == memory);
  CHECK(b.size() == 0);  // NOLINT: what is left behind is empty
  b = c;
  CHECK(b(0, 0) == 10);
  CHECK(b.data() != c.data());
  b = std::move(c);
  CHECK(b.data() == memory);
  const Matrix& same = b;
  b = same;
  CHECK(b(1, 1) == 4);
  Tensor<int, 0, Host> scalar;
  scalar() = 3;
  Tensor<int, 0, Host> other = std::move(scalar);
  scalar = other;
  CHECK(scalar() == 3);
}

TEST_CASE("a tensor without elements is a tensor") {
  Matrix empty(Shape<2>{0, 5});
  CHECK(empty.size() == 0);
  CHECK(empty.view().is_contiguous());
  const Matrix copy = empty;
  CHECK(copy.extent(1) == 5);
  CHECK_THROWS_AS(empty(0, 0), shape_error);
  CHECK(Matrix{}.size() == 0);
  CHECK(Vector(std::vector<float>{}).size() == 0);
  CHECK(flatten(empty).extent(0) == 0);
}

TEST_CASE("impossible sizes are refused before any memory is asked for") {
  CHECK_THROWS_AS(Matrix(Shape<2>{-1, 2}), shape_error);
  CHECK_THROWS_AS(Matrix(Shape<2>{std::int64_t{1} << 40, std::int64_t{1} << 40}), shape_error);
  CHECK_THROWS_AS(Vector(Shape<1>{{std::int64_t{1} << 62}}), shape_error);
  CHECK(situ_test::well_formed(situ_test::message_of([] { Vector(Shape<1>{{-3}}); })));
}

TEST_CASE("views of a tensor write through, those of a const tensor do not compile to do so") {
  Matrix m{{1, 2, 3}, {4, 5, 6}};
  View<float, 2, Host> v = m;
  v(0, 1) = 20;
  CHECK(m(0, 1) == 20);
  transpose(m)(2, 1) = 60;
  CHECK(m(1, 2) == 60);
  m.slice(1, 0, 1)(1, 0) = 40;
  CHECK(m(1, 0) == 40);
  CHECK(squeeze(expand_dims(m, 0), 0)(1, 0) == 40);
  CHECK(broadcast_to<3>(m, {2, 2, 3})(1, 0, 1) == 20);
  m.fill(9);
  CHECK(v(1, 1) == 9);
}

TEST_CASE("a CUDA tensor without memory can be named, moved and destroyed in a plain unit") {
  CudaMatrix a;
  CudaMatrix b = std::move(a);
  std::swap(a, b);
  CHECK(b.size() == 0);
  CHECK(b.view().data() == nullptr);
}
