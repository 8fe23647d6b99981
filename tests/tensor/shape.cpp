// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>
#include <situ/shape.hpp>
#include <string>
#include <type_traits>

#include "throws.hpp"

using situ::broadcast_shapes;
using situ::Shape;
using situ::shape_error;
using situ::Strides;
using situ_test::message_of;

static_assert(std::is_trivially_copyable_v<Shape<3>> && std::is_standard_layout_v<Shape<3>>);
static_assert(std::is_aggregate_v<Shape<0>> && std::is_aggregate_v<Strides<2>>);
static_assert(sizeof(Shape<4>) == 32 && Shape<4>::rank == 4);
static_assert(Shape<2>{{3, 4}} == Shape<2>{3, 4} && !(Shape<2>{3, 4} == Shape<2>{4, 3}));
static_assert(Shape<0>{}.size() == 1 && Shape<3>{2, 3, 4}.size() == 24 &&
              Shape<2>{0, 4}.size() == 0);
static_assert(Shape<0>{} == Shape<0>{{7}});  // the place holder of rank 0 says nothing
static_assert(situ::row_major(Shape<3>{2, 3, 4}) == Strides<3>{12, 4, 1});

TEST_CASE("shapes print like lists") {
  CHECK(situ::to_string(Shape<2>{3, 10}) == "[3, 10]");
  CHECK(situ::to_string(Shape<1>{5}) == "[5]");
  CHECK(situ::to_string(Shape<0>{}) == "[]");
}

TEST_CASE("broadcasting follows NumPy") {
  // Left to right: shapes as in numpy.broadcast_shapes(a, b).
  CHECK(broadcast_shapes(Shape<2>{3, 4}, Shape<1>{4}) == Shape<2>{3, 4});
  CHECK(broadcast_shapes(Shape<2>{3, 4}, Shape<2>{3, 1}) == Shape<2>{3, 4});
  CHECK(broadcast_shapes(Shape<2>{3, 1}, Shape<1>{4}) == Shape<2>{3, 4});
  CHECK(broadcast_shapes(Shape<3>{8, 1, 6}, Shape<3>{1, 7, 1}) == Shape<3>{8, 7, 6});
  CHECK(broadcast_shapes(Shape<3>{8, 1, 6}, Shape<2>{7, 1}) == Shape<3>{8, 7, 6});
  CHECK(broadcast_shapes(Shape<0>{}, Shape<2>{3, 4}) == Shape<2>{3, 4});
  CHECK(broadcast_shapes(Shape<0>{}, Shape<0>{}) == Shape<0>{});
  CHECK(broadcast_shapes(Shape<1>{1}, Shape<1>{0}) == Shape<1>{0});
  CHECK(broadcast_shapes(Shape<2>{0, 4}, Shape<2>{1, 1}) == Shape<2>{0, 4});
}

TEST_CASE("shapes that do not fit are refused by name") {
  CHECK_THROWS_AS((void)broadcast_shapes(Shape<1>{3}, Shape<1>{4}), shape_error);
  CHECK_THROWS_AS((void)broadcast_shapes(Shape<2>{2, 1}, Shape<3>{8, 4, 3}), shape_error);
  CHECK_THROWS_AS((void)broadcast_shapes(Shape<1>{0}, Shape<1>{2}), shape_error);
  const std::string message = message_of([] {
    (void)broadcast_shapes(Shape<2>{3, 4}, Shape<1>{3});
  });
  CHECK(message.find("[3, 4]") != std::string::npos);
  CHECK(message.find("[3]") != std::string::npos);
}

TEST_CASE("negative lengths and sizes beyond 64 bits are refused") {
  const std::int64_t big = std::int64_t{1} << 40;
  CHECK_THROWS_AS(situ::check_shape(Shape<1>{-1}), shape_error);
  CHECK_THROWS_AS(situ::check_shape(Shape<2>{0, -1}), shape_error);
  CHECK_THROWS_AS(situ::check_shape(Shape<2>{big, big}), shape_error);
  CHECK_THROWS_AS(situ::check_shape(Shape<3>{0, big, big}), shape_error);  // strides would overflow
  CHECK_THROWS_AS((void)broadcast_shapes(Shape<2>{big, 1}, Shape<2>{1, big}), shape_error);
  CHECK_NOTHROW(situ::check_shape(Shape<1>{std::numeric_limits<std::int64_t>::max()}));
  CHECK_NOTHROW(situ::check_shape(Shape<2>{0, big}));
}

TEST_CASE("contiguity ignores axes of length one and arrays without elements") {
  CHECK(situ::is_contiguous(Shape<2>{3, 4}, Strides<2>{4, 1}));
  CHECK_FALSE(situ::is_contiguous(Shape<2>{3, 4}, Strides<2>{5, 1}));
  CHECK_FALSE(situ::is_contiguous(Shape<2>{3, 4}, Strides<2>{1, 3}));
  CHECK(situ::is_contiguous(Shape<2>{1, 4}, Strides<2>{77, 1}));
  CHECK(situ::is_contiguous(Shape<2>{4, 1}, Strides<2>{1, 77}));
  CHECK(situ::is_contiguous(Shape<2>{0, 4}, Strides<2>{3, 9}));
  CHECK(situ::is_contiguous(Shape<0>{}, Strides<0>{}));
}
