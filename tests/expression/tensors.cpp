// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "situ/situ.hpp"

using namespace situ;

namespace {

template <class... Ts>
struct List {};
using Elements = List<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                      std::int64_t, std::uint64_t, float16, bfloat16, float, double>;

// Whether a T keeps v, by trying. long double has the 64 bits of the widest integers.
template <class T, class V>
bool keeps(V v) {
  const auto wide = [](auto x) {
    using X = decltype(x);
    if constexpr (detail::is_half<X>) {
      return static_cast<long double>(static_cast<float>(x));
    } else {
      return static_cast<long double>(x);
    }
  };
  return wide(cast_value<T>(v)) == wide(v);
}
template <class T, class V>
bool keeps_edges() {
  if constexpr (std::is_same_v<V, bool>) {
    return keeps<T>(false) && keeps<T>(true);
  } else if constexpr (std::is_same_v<T, bool>) {
    return false;
  } else if constexpr (floating_element<V>) {
    // The largest number, a small one, and the one after 1, whose last bit is set.
    const double last = std::is_same_v<V, float16> ? 0x1p-10 : std::is_same_v<V, bfloat16> ? 0x1p-7
                        : std::is_same_v<V, float> ? 0x1p-23 : 0x1p-52;
    const double largest = std::is_same_v<V, float16> ? 65504.0 : std::is_same_v<V, double> ? 1e308 : 0x1p127;
    bool all = true;
    for (const double x : {largest, last, 1 + last, 0.5}) {
      all = all && keeps<T>(cast_value<V>(x));
    }
    return all;
  } else {
    constexpr V low = std::numeric_limits<V>::min();
    constexpr V high = std::numeric_limits<V>::max();
    return keeps<T>(low) && keeps<T>(high);
  }
}

template <class T, class... Vs>
void check_sources(List<Vs...>) {
  const auto one = []<class V>(std::type_identity<V>) {
    CAPTURE(dtype_name<T>());
    CAPTURE(dtype_name<V>());
    CHECK(std::is_constructible_v<Tensor<T, 1, Host>, Tensor<V, 1, Host>> == keeps_edges<T, V>());
    CHECK(std::is_assignable_v<Tensor<T, 1, Host>&, Tensor<V, 1, Host>> == keeps_edges<T, V>());
    if constexpr (std::is_constructible_v<Tensor<T, 1, Host>, Tensor<V, 1, Host>>) {
      Tensor<V, 1, Host> v(Shape<1>{{37}});
      for (std::int64_t i = 0; i < 37; ++i) v(i) = cast_value<V>(i % 5);
      const Tensor<T, 1, Host> t(v);
      for (std::int64_t i = 0; i < 37; ++i) CHECK(cast_value<double>(t(i)) == static_cast<double>(std::is_same_v<V, bool> ? i % 5 != 0 : i % 5));
    }
  };
  (one(std::type_identity<Vs>{}), ...);
}
template <class... Ts>
void check_all(List<Ts...> list) {
  (check_sources<Ts>(list), ...);
}

}  // namespace

TEST_CASE("a tensor takes the values of exactly those element types that it holds without loss") {
  check_all(Elements{});
}

TEST_CASE("a tensor is made from an expression and takes its type from it") {
  const Tensor<float, 1, Host> x{1, 2, 3};
  Tensor t = x * 2.0f + 1.0f;
  static_assert(std::is_same_v<decltype(t), Tensor<float, 1, Host>>);
  CHECK(t(2) == 7);
  const Tensor<double, 1, Host> wide = x + x;
  CHECK(wide(1) == 4);
  const Tensor mask = x > 1.5f;
  static_assert(std::is_same_v<decltype(mask), const Tensor<bool, 1, Host>>);
  CHECK_FALSE(mask(0));
  CHECK(mask(1));
  const Tensor rows = row_sum(Tensor<std::int32_t, 2, Host>{{1, 2}, {3, 4}});
  static_assert(std::is_same_v<decltype(rows), const Tensor<std::int64_t, 1, Host>>);
  CHECK(rows(1) == 7);
  const Tensor copy = t;
  static_assert(std::is_same_v<decltype(copy), const Tensor<float, 1, Host>>);
  CHECK(copy(0) == 3);
}

TEST_CASE("copying a view or a tensor of another type is written out, an expression converts") {
  using Vector = Tensor<float, 1, Host>;
  static_assert(std::is_constructible_v<Vector, View<const float, 1, Host>>);
  static_assert(!std::is_convertible_v<View<const float, 1, Host>, Vector>);
  static_assert(!std::is_convertible_v<Tensor<std::int8_t, 1, Host>, Vector>);
  static_assert(std::is_convertible_v<decltype(std::declval<Vector&>() + 1.0f), Vector>);
  static_assert(!std::is_constructible_v<Vector, Tensor<float, 2, Host>>);
  static_assert(!std::is_constructible_v<Vector, Tensor<float, 1, Cuda<0>>>);
  static_assert(!std::is_assignable_v<Vector&, Tensor<float, 1, Cuda<0>>>);
  const Tensor<float, 2, Host> m{{1, 2}, {3, 4}};
  const Vector column(m.select(1, 1));
  CHECK(column(0) == 2);
  CHECK(column(1) == 4);
}

TEST_CASE("assignment keeps the memory when the shape is the same and takes new memory otherwise") {
  Tensor<float, 1, Host> t{1, 2, 3};
  const float* where = t.data();
  t = t * t;
  CHECK(t.data() == where);
  CHECK(t(2) == 9);
  t = t.slice(0, 1, 3);
  CHECK(t.size() == 2);
  CHECK(t(0) == 4);
  CHECK(t(1) == 9);
  t = t.slice(0, 0, 0);
  CHECK(t.size() == 0);
}

TEST_CASE("an assignment may mention its destination at other indices") {
  Tensor<float, 2, Host> m{{1, 2}, {3, 4}};
  m = transpose(m) + 0.0f;
  CHECK(m(0, 1) == 3);
  m = transpose(m);
  CHECK(m(0, 1) == 2);
  Tensor<double, 2, Host> rows(Shape<2>{{3, 50}});
  for (std::int64_t j = 0; j < 50; ++j) rows(0, j) = rows(1, j) = rows(2, j) = static_cast<double>(j);
  rows = softmax(rows);
  double total = 0;
  for (std::int64_t j = 0; j < 50; ++j) total += rows(1, j);
  CHECK(total == doctest::Approx(1).epsilon(1e-14));
  CHECK(rows(0, 49) == rows(2, 49));
  Tensor<float, 1, Host> reversed{1, 2, 3, 4, 5};
  const View<float, 1, Host> backwards(reversed.data() + 4, {{5}}, {{-1}});
  reversed = backwards;
  CHECK(reversed(0) == 5);
  CHECK(reversed(1) == 4);
  CHECK(reversed(4) == 1);
}

TEST_CASE("an expression kept in auto owns what was temporary") {
  const auto doubled = [] {
    Tensor<float, 1, Host> local({{1000}}, 3.0f);
    return std::move(local) * 2.0f;
  }();
  const auto nested = sqrt(Tensor<float, 1, Host>({{1000}}, 16.0f)) + doubled;
  const Tensor t = nested;
  const Tensor again = nested;
  for (std::int64_t i = 0; i < t.size(); ++i) {
    CHECK(t(i) == 10);
    CHECK(again(i) == 10);
  }
}

TEST_CASE("an invalid label leaves a tensor that is being made behind and throws") {
  const Tensor<float, 2, Host> x{{1, 2}, {3, 4}};
  const Tensor<std::int32_t, 1, Host> labels{1, 2};
  const auto make = [&] { return Tensor<float, 1, Host>(gather(x, labels)); };
  CHECK_THROWS_AS(make(), value_error);
}

namespace {
template <class T>
void check_full_reductions() {
  const Tensor<T, 1, Host> t{T(1), T(0), T(1), T(1)};
  const View<const T, 1, Host> read = t.view();
  const auto [s, low, high, average, n] =
      evaluate(sum(read), min(read), max(read), mean(read), count(read != T(0)));
  CHECK(static_cast<double>(s) == 3);
  CHECK(static_cast<double>(low) == 0);
  CHECK(static_cast<double>(high) == 1);
  CHECK(average == 0.75);
  CHECK(n == 3);
}
}  // namespace

TEST_CASE("full reductions of const elements of every type") {
  check_full_reductions<bool>();
  check_full_reductions<std::int8_t>();
  check_full_reductions<std::uint8_t>();
  check_full_reductions<std::int16_t>();
  check_full_reductions<std::uint64_t>();
  check_full_reductions<float>();
  check_full_reductions<double>();
  // Sums of 16-bit floats are not cut to whole numbers.
  const Tensor<float16, 1, Host> halves{float16(0.25f), float16(0.5f), float16(-4.0f)};
  const Tensor<bfloat16, 1, Host> brains{bfloat16(0.25f), bfloat16(0.5f), bfloat16(-4.0f)};
  CHECK(evaluate(sum(halves), min(halves), max(halves)) == std::tuple{-3.25, -4.0f, 0.5f});
  CHECK(evaluate(sum(brains), min(brains), max(brains)) == std::tuple{-3.25, -4.0f, 0.5f});
}

TEST_CASE("a compound assignment keeps the memory, the shape and the element type") {
  Tensor<float, 2, Host> a{{1, 2}, {3, 4}};
  const float* memory = a.data();
  const Tensor<float, 1, Host> row{10, 20};
  a += row;
  a *= 2.0f;
  a -= a;
  a += 3;
  a /= row * 0.5f;
  CHECK(a.data() == memory);
  CHECK((a(0, 0) == 0.6f && a(1, 1) == 0.3f));
  const View<float, 1, Host> first = a.view().row(0);
  first += first;
  CHECK((a(0, 0) == 1.2f && a(1, 0) == 0.6f));
  Tensor<float, 1, Host> small{7};
  CHECK_THROWS_AS(small += row, shape_error);  // would be larger
  CHECK(small(0) == 7);
  Tensor<std::int32_t, 1, Host> whole{1, 2};
  whole += whole;
  CHECK(whole(1) == 4);
}
