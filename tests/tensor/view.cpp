// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <situ/tensor.hpp>
#include <span>
#include <type_traits>
#include <vector>

#include "throws.hpp"

using namespace situ;

namespace {

using HostView = View<float, 2, Host>;
using CudaView = View<float, 2, Cuda<0>>;

// What enters a kernel: plain bytes, the same on both sides.
static_assert(std::is_trivially_copyable_v<CudaView> && std::is_standard_layout_v<CudaView>);
static_assert(sizeof(View<const double, 3, Host>) == sizeof(void*) + 6 * sizeof(std::int64_t));

// Const may be added, never removed, and the element type and device never change.
static_assert(std::is_convertible_v<HostView, View<const float, 2, Host>>);
static_assert(!std::is_constructible_v<HostView, View<const float, 2, Host>>);
static_assert(!std::is_constructible_v<HostView, View<double, 2, Host>>);
static_assert(!std::is_constructible_v<HostView, View<float, 1, Host>>);
static_assert(!std::is_constructible_v<HostView, CudaView>);
static_assert(!std::is_constructible_v<CudaView, HostView>);
static_assert(!std::is_constructible_v<CudaView, View<float, 2, Cuda<1>>>);
static_assert(!std::is_assignable_v<HostView&, CudaView>);

// Host memory of the standard library becomes a view of rank 1 on Host, and nothing else.
template <class V, class... X>
inline constexpr bool made_from = std::is_constructible_v<V, X...>;
static_assert(made_from<View<float, 1, Host>, std::vector<float>&>);
static_assert(!made_from<View<float, 1, Host>, const std::vector<float>&>);
static_assert(made_from<View<const float, 1, Host>, const std::vector<float>&>);
static_assert(!made_from<View<const float, 1, Host>, std::vector<float>>);  // would dangle
static_assert(!made_from<View<float, 1, Host>, std::vector<double>&>);
static_assert(!made_from<View<float, 1, Cuda<0>>, std::vector<float>&>);
static_assert(!made_from<View<float, 2, Host>, std::vector<float>&>);
static_assert(!made_from<View<bool, 1, Host>, std::vector<bool>&>);
static_assert(made_from<View<const float, 1, Host>, std::span<float>>);
static_assert(!made_from<View<float, 1, Host>, std::span<const float>>);
static_assert(made_from<View<float, 1, Host>, float (&)[3]>);
static_assert(!made_from<View<float, 1, Cuda<0>>, float (&)[3]>);

// Element access: host only, as many indices as axes, integers.
template <class V, class... Is>
concept indexable = requires(V v, Is... is) { v(is...); };
static_assert(indexable<HostView, int, std::int64_t> && !indexable<HostView, int>);
static_assert(!indexable<HostView, int, double>);
static_assert(!indexable<CudaView, int, int>);
static_assert(std::is_same_v<decltype(View<const int, 1, Host>()(0)), const int&>);

// The device is kept by everything that makes another view.
static_assert(std::is_same_v<decltype(transpose(CudaView{})), CudaView>);
static_assert(std::is_same_v<decltype(CudaView{}.row(0)), View<float, 1, Cuda<0>>>);

// A stand-in for std::mdspan, which the standard library here does not have yet.
struct Columns {
  float* data;
  std::size_t rows;
  std::size_t columns;
  static constexpr std::size_t rank() { return 2; }
  float* data_handle() const { return data; }
  std::size_t extent(std::size_t axis) const { return axis == 0 ? rows : columns; }
  std::size_t stride(std::size_t axis) const { return axis == 0 ? 1 : rows; }
};

template <class V>
std::vector<int> values(const V& v) {
  std::vector<int> out;
  if constexpr (V::rank == 1) {
    for (std::int64_t i = 0; i < v.size(); ++i) out.push_back(static_cast<int>(v(i)));
  } else {
    for (std::int64_t i = 0; i < v.extent(0); ++i) {
      for (const int x : values(v.select(0, i))) out.push_back(x);
    }
  }
  return out;
}
using Ints = std::vector<int>;

}  // namespace

TEST_CASE("views are made from the standard library's memory") {
  std::vector<float> v{1, 2, 3};
  const std::vector<float> c{4, 5};
  std::span<const float> s(c);
  float a[] = {6, 7, 8, 9};
  View from_vector(v);
  View from_const(c);
  View from_span(s);
  View from_array(a);
  from_vector(1) = 20;
  CHECK(v[1] == 20);
  CHECK(from_const(1) == 5);
  CHECK(from_span.data() == c.data());
  CHECK(from_array.extent(0) == 4);
  static_assert(std::is_same_v<decltype(from_const), View<const float, 1, Host>>);
  static_assert(std::is_same_v<decltype(from_array), View<float, 1, Host>>);
  std::vector<float> none;
  CHECK(View(none).size() == 0);
}

TEST_CASE("a view is made from a pointer and a shape, also where the pointer cannot be followed") {
  float a[6] = {0, 1, 2, 3, 4, 5};
  View<const float, 2, Host> v{a, {2, 3}};
  CHECK(values(v) == Ints{0, 1, 2, 3, 4, 5});
  View<float, 2, Host> column_major{a, {2, 3}, {1, 2}};
  CHECK(values(column_major) == Ints{0, 2, 4, 1, 3, 5});
  View<float, 2, Cuda<0>> there{reinterpret_cast<float*>(std::uintptr_t{4096}), {2, 3}};
  CHECK(there.size() == 6);
  CHECK(there.row(1).data() == there.data() + 3);
}

TEST_CASE("a view is made from an mdspan") {
  float a[6] = {0, 1, 2, 3, 4, 5};
  View v(Columns{a, 2, 3});
  static_assert(std::is_same_v<decltype(v), View<float, 2, Host>>);
  CHECK(values(v) == Ints{0, 2, 4, 1, 3, 5});
}

TEST_CASE("a view refuses shapes that cannot be and a null pointer with elements") {
  float a[1] = {};
  CHECK_THROWS_AS((View<float, 1, Host>{a, {-1}}), shape_error);
  CHECK_THROWS_AS((View<float, 2, Host>{a, {std::int64_t{1} << 40, std::int64_t{1} << 40}}),
                  shape_error);
  CHECK_THROWS_AS((View<float, 1, Host>{nullptr, {3}}), argument_error);
  CHECK_NOTHROW((View<float, 1, Host>{nullptr, {0}}));
}

TEST_CASE("element access is checked") {
  int a[6] = {};
  View<int, 2, Host> v{a, {2, 3}};
  CHECK_THROWS_AS(v(2, 0), shape_error);
  CHECK_THROWS_AS(v(0, 3), shape_error);
  CHECK_THROWS_AS(v(-1, 0), shape_error);
  CHECK_THROWS_AS(v(0, std::numeric_limits<std::int64_t>::max()), shape_error);
  CHECK(situ_test::message_of([&] { v(0, 3); }) == "situ: index 3 on axis 1 is outside [0, 3)");
}

TEST_CASE("slices follow Python") {
  int a[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  View<int, 1, Host> v(a);
  CHECK(values(v.slice(0, 2, 5)) == Ints{2, 3, 4});             // v[2:5]
  CHECK(values(v.slice(0, -3, 10)) == Ints{7, 8, 9});           // v[-3:10]
  CHECK(values(v.slice(0, 0, -7)) == Ints{0, 1, 2});            // v[0:-7]
  CHECK(values(v.slice(0, 1, 9, 3)) == Ints{1, 4, 7});          // v[1:9:3]
  CHECK(values(v.slice(0, 0, 100, 4)) == Ints{0, 4, 8});        // v[0:100:4]
  CHECK(values(v.slice(0, -100, 3)) == Ints{0, 1, 2});          // v[-100:3]
  CHECK(values(v.slice(0, 8, 2, -2)) == Ints{8, 6, 4});         // v[8:2:-2]
  CHECK(values(v.slice(0, 100, -11, -3)) == Ints{9, 6, 3, 0});  // v[100:-11:-3]
  CHECK(values(v.slice(0, 5, 2)).empty());                      // v[5:2]
  CHECK(values(v.slice(0, 2, 5, -1)).empty());                  // v[2:5:-1]
  CHECK(values(v.slice(0, 20, 30)).empty());                    // v[20:30]
  CHECK(values(v.slice(0, 1, 9, 3).slice(0, 1, 3)) == Ints{4, 7});
  CHECK(values(v.slice(0, 9, -11, -1).slice(0, 2, 9, 3)) == Ints{7, 4, 1});
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  CHECK(values(v.slice(0, lowest, highest, highest)) == Ints{0});
  CHECK(values(v.slice(0, highest, lowest, lowest)) == Ints{9});
  CHECK_THROWS_AS(v.slice(0, 0, 1, 0), shape_error);
  CHECK_THROWS_AS(v.slice(1, 0, 1), shape_error);
  View<int, 1, Host> none{a, {0}};
  CHECK(none.slice(0, 0, 5, 2).size() == 0);
  CHECK(none.slice(0, 5, 0, -1).size() == 0);
}

TEST_CASE("slices and selections of matrices share the elements") {
  int a[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  View<int, 2, Host> v{a, {3, 4}};
  CHECK(values(v.slice(1, 1, 4, 2)) == Ints{1, 3, 5, 7, 9, 11});
  CHECK(values(v.slice(-1, 1, 2)) == Ints{1, 5, 9});
  CHECK(values(v.row(-1)) == Ints{8, 9, 10, 11});
  CHECK(values(v.select(1, 2)) == Ints{2, 6, 10});
  CHECK(values(v.slice(0, 0, 3, 2).select(1, -1)) == Ints{3, 11});
  CHECK_THROWS_AS(v.row(3), shape_error);
  CHECK_THROWS_AS(v.select(1, -5), shape_error);
  v.select(1, 0)(2) = 80;
  CHECK(a[8] == 80);
  CHECK(v.row(1).select(0, 2)() == 6);  // rank 0
}

TEST_CASE("reshaping and transposing do not copy") {
  int a[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  View<int, 2, Host> v{a, {3, 4}};
  CHECK(reshape<3>(v, {2, 3, 2}).shape() == Shape<3>{2, 3, 2});
  CHECK(reshape<2>(v, {-1, 6}).shape() == Shape<2>{2, 6});
  CHECK(reshape<1>(v, {-1}).data() == a);
  CHECK(flatten(v).extent(0) == 12);
  CHECK(values(transpose(v)) == Ints{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(transpose(transpose(v)).strides() == v.strides());
  const auto cube = reshape<3>(v, {2, 3, 2});
  CHECK(values(permute(cube, {2, 0, 1})) == Ints{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
  CHECK(permute(cube, {-1, 0, 1}).shape() == Shape<3>{2, 2, 3});
  CHECK_THROWS_AS((void)permute(cube, {0, 0, 1}), shape_error);
  CHECK_THROWS_AS((void)permute(cube, {0, 1, 3}), shape_error);
}

TEST_CASE("a reshape that would need a copy or another size is refused") {
  int a[12] = {};
  View<int, 2, Host> v{a, {3, 4}};
  CHECK_THROWS_AS((void)flatten(transpose(v)), shape_error);
  CHECK_THROWS_AS((void)reshape<2>(v, {5, -1}), shape_error);
  CHECK_THROWS_AS((void)reshape<2>(v, {-1, -1}), shape_error);
  CHECK_THROWS_AS((void)reshape<2>(v, {3, 5}), shape_error);
  CHECK_THROWS_AS((void)reshape<2>(v, {-3, -4}), shape_error);
  CHECK_THROWS_AS((void)reshape<2>(v, {std::int64_t{1} << 62, 12}), shape_error);
  View<int, 2, Host> none{a, {0, 3}};
  CHECK(reshape<2>(none, {-1, 3}).shape() == Shape<2>{0, 3});
  CHECK(reshape<3>(none, {7, 0, 5}).size() == 0);
  CHECK_THROWS_AS((void)reshape<2>(none, {0, -1}), shape_error);  // any length would do
}

TEST_CASE("axes of length one come and go") {
  int a[3] = {1, 2, 3};
  View<int, 1, Host> v(a);
  CHECK(expand_dims(v, 0).shape() == Shape<2>{1, 3});
  CHECK(expand_dims(v, -1).shape() == Shape<2>{3, 1});
  CHECK(expand_dims(v, 1).is_contiguous());
  CHECK(squeeze(expand_dims(v, 1), 1).shape() == Shape<1>{3});
  CHECK_THROWS_AS((void)squeeze(expand_dims(v, 1), 0), shape_error);
  CHECK_THROWS_AS((void)expand_dims(v, 2), shape_error);
}

TEST_CASE("broadcast views repeat elements without copying and are read only") {
  int a[3] = {1, 2, 3};
  View<int, 1, Host> v(a);
  const auto rows = broadcast_to<2>(v, {2, 3});
  static_assert(std::is_same_v<decltype(rows), const View<const int, 2, Host>>);
  CHECK(values(rows) == Ints{1, 2, 3, 1, 2, 3});
  CHECK(values(broadcast_to<2>(expand_dims(v, 1), {3, 2})) == Ints{1, 1, 2, 2, 3, 3});
  CHECK(values(broadcast_to<3>(v, {1, 2, 3})) == Ints{1, 2, 3, 1, 2, 3});
  CHECK(broadcast_to<2>(v, {0, 3}).size() == 0);
  CHECK_THROWS_AS((void)broadcast_to<1>(v, {4}), shape_error);
  CHECK_THROWS_AS((void)broadcast_to<2>(v, {3, 1}), shape_error);
  CHECK_FALSE(rows.is_contiguous());
}
