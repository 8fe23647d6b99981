// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <situ/dtype.hpp>
#include <string>
#include <type_traits>

namespace {

using namespace situ;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// What is an element.
static_assert(element<bool> && element<i8> && element<u64> && element<float16> && element<double>);
static_assert(element<long> && element<long long> && element<unsigned long long>);
static_assert(!element<const float> && !element<float&> && !element<long double> &&
              !element<char32_t>);
static_assert(!element<void> && !element<int*> && !element<std::string>);
static_assert(integer_element<i8> && !integer_element<bool> && !integer_element<float>);
static_assert(floating_element<bfloat16> && floating_element<float> && !floating_element<i32>);

// What it is computed in.
template <class T, class C>
inline constexpr bool computes_in = std::is_same_v<compute_t<T>, C>;
static_assert(computes_in<float16, float> && computes_in<bfloat16, float> &&
              computes_in<float, float>);
static_assert(computes_in<i8, i32> && computes_in<u8, i32> && computes_in<i16, i32> &&
              computes_in<u16, i32>);
static_assert(computes_in<i32, i32> && computes_in<u32, u32> && computes_in<i64, i64> &&
              computes_in<u64, u64>);
static_assert(computes_in<bool, bool> && computes_in<double, double>);
static_assert(computes_in<long long, i64> && computes_in<unsigned long long, u64>);

// The whole table, row by row, for {bool, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32,
// f64}.
template <class... Ts>
struct Row {};
using All = Row<bool, i8, u8, i16, u16, i32, u32, i64, u64, float16, bfloat16, float, double>;
template <class A, class... Bs, class... Results>
constexpr bool row(Row<Bs...>, Row<Results...>) {
  return (std::is_same_v<promote_t<A, Bs>, Results> && ...) &&
         (std::is_same_v<promote_t<Bs, A>, Results> && ...) &&
         ((promotable<A, Bs> == !std::is_void_v<Results>)&&...);
}
using f32 = float;
using f64 = double;
static_assert(row<bool>(All{},
                        Row<i32, i32, i32, i32, i32, i32, u32, i64, u64, f32, f32, f32, f64>{}));
static_assert(row<i8>(All{},
                      Row<i32, i32, i32, i32, i32, i32, i64, i64, void, f32, f32, f32, f64>{}));
static_assert(row<u8>(All{},
                      Row<i32, i32, i32, i32, i32, i32, i64, i64, u64, f32, f32, f32, f64>{}));
static_assert(row<i16>(All{},
                       Row<i32, i32, i32, i32, i32, i32, i64, i64, void, f32, f32, f32, f64>{}));
static_assert(row<u16>(All{},
                       Row<i32, i32, i32, i32, i32, i32, i64, i64, u64, f32, f32, f32, f64>{}));
static_assert(row<i32>(All{},
                       Row<i32, i32, i32, i32, i32, i32, i64, i64, void, f64, f64, f64, f64>{}));
static_assert(row<u32>(All{},
                       Row<u32, i64, i64, i64, i64, i64, u32, i64, u64, f64, f64, f64, f64>{}));
static_assert(
    row<i64>(All{}, Row<i64, i64, i64, i64, i64, i64, i64, i64, void, void, void, void, void>{}));
static_assert(row<u64>(
    All{}, Row<u64, void, u64, void, u64, void, u64, void, u64, void, void, void, void>{}));
static_assert(
    row<float16>(All{}, Row<f32, f32, f32, f32, f32, f64, f64, void, void, f32, f32, f32, f64>{}));
static_assert(
    row<bfloat16>(All{}, Row<f32, f32, f32, f32, f32, f64, f64, void, void, f32, f32, f32, f64>{}));
static_assert(row<float>(All{},
                         Row<f32, f32, f32, f32, f32, f64, f64, void, void, f32, f32, f32, f64>{}));
static_assert(
    row<double>(All{}, Row<f64, f64, f64, f64, f64, f64, f64, void, void, f64, f64, f64, f64>{}));
static_assert(std::is_same_v<promote_t<long, long long>, i64>);

// Plain numbers beside a tensor.
template <class T, class S, class E>
inline constexpr bool beside = std::is_same_v<promote_scalar_t<T, S>, E>;
static_assert(beside<float, double, float> && beside<float16, double, float> &&
              beside<float, i64, float>);
static_assert(beside<double, int, double> && beside<u8, int, i32> && beside<i32, unsigned, i32>);
static_assert(beside<i32, i64, i64> && beside<u64, int, u64> && beside<u64, i64, u64>);
static_assert(beside<u8, float, float> && beside<bool, double, double> && beside<bool, int, i32>);
static_assert(beside<i32, float, double> && beside<u32, double, double>);
static_assert(beside<i64, float, void> && beside<u64, double, void>);

}  // namespace

TEST_CASE("element types have NumPy's names") {
  CHECK(std::string(dtype_name<bool>()) == "bool");
  CHECK(std::string(dtype_name<i8>()) == "int8");
  CHECK(std::string(dtype_name<u8>()) == "uint8");
  CHECK(std::string(dtype_name<i16>()) == "int16");
  CHECK(std::string(dtype_name<u16>()) == "uint16");
  CHECK(std::string(dtype_name<i32>()) == "int32");
  CHECK(std::string(dtype_name<u32>()) == "uint32");
  CHECK(std::string(dtype_name<i64>()) == "int64");
  CHECK(std::string(dtype_name<long long>()) == "int64");
  CHECK(std::string(dtype_name<u64>()) == "uint64");
  CHECK(std::string(dtype_name<float16>()) == "float16");
  CHECK(std::string(dtype_name<bfloat16>()) == "bfloat16");
  CHECK(std::string(dtype_name<float>()) == "float32");
  CHECK(std::string(dtype_name<double>()) == "float64");
}

TEST_CASE("casting a floating value to an integer drops the fraction and saturates") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  CHECK(cast_value<i32>(2.9) == 2);
  CHECK(cast_value<i32>(-2.9) == -2);
  CHECK(cast_value<i32>(nan) == 0);
  CHECK(cast_value<i32>(inf) == std::numeric_limits<i32>::max());
  CHECK(cast_value<i32>(-inf) == std::numeric_limits<i32>::min());
  CHECK(cast_value<i32>(2147483647.0) == 2147483647);
  CHECK(cast_value<i32>(2147483647.5) == 2147483647);
  CHECK(cast_value<i32>(2147483648.0f) == 2147483647);
  CHECK(cast_value<i32>(-2147483648.9) == std::numeric_limits<i32>::min());
  CHECK(cast_value<u8>(255.9f) == 255);
  CHECK(cast_value<u8>(256.0f) == 255);
  CHECK(cast_value<u8>(-0.5f) == 0);
  CHECK(cast_value<u8>(-300.0f) == 0);
  CHECK(cast_value<i64>(9.3e18) == std::numeric_limits<i64>::max());
  CHECK(cast_value<i64>(-9.3e18f) == std::numeric_limits<i64>::min());
  CHECK(cast_value<i64>(std::nextafter(0x1p63, 0.0)) == 9223372036854774784);
  CHECK(cast_value<u64>(0x1p64) == std::numeric_limits<u64>::max());
  CHECK(cast_value<u64>(0x1p63) == u64{1} << 63);
  CHECK(cast_value<i8>(float16(-1000.0f)) == -128);
}

TEST_CASE("casting an integer to another saturates") {
  CHECK(cast_value<u8>(-1) == 0);
  CHECK(cast_value<u8>(256) == 255);
  CHECK(cast_value<i8>(i64{-129}) == -128);
  CHECK(cast_value<i8>(u8{200}) == 127);
  CHECK(cast_value<i64>(std::numeric_limits<u64>::max()) == std::numeric_limits<i64>::max());
  CHECK(cast_value<u64>(i64{-1}) == 0);
  CHECK(cast_value<i32>(std::numeric_limits<u32>::max()) == std::numeric_limits<i32>::max());
  CHECK(cast_value<u32>(std::numeric_limits<i64>::min()) == 0);
  CHECK(cast_value<i64>(i8{-5}) == -5);
}

TEST_CASE("casting to and from bool") {
  CHECK(cast_value<bool>(0.5f));
  CHECK_FALSE(cast_value<bool>(-0.0));
  CHECK(cast_value<bool>(std::numeric_limits<float>::quiet_NaN()));
  CHECK(cast_value<bool>(256));
  CHECK(cast_value<bool>(float16(6e-8f)));
  CHECK(cast_value<i64>(true) == 1);
  CHECK(static_cast<float>(cast_value<bfloat16>(true)) == 1.0f);
  CHECK(static_cast<float>(cast_value<bfloat16>(float16(0.5f))) == 0.5f);
}
