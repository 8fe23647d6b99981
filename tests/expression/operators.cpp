// SPDX-License-Identifier: Apache-2.0
// Operators and functions of two operands over pairs of element types, against double.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "situ/situ.hpp"

using namespace situ;

namespace {

// Small numbers, all pairs of which occur together in 43 elements; exact in every type.
template <class T>
Tensor<T, 1, Host> values(std::int64_t seed) {
  std::vector<double> xs{0, 1, 2, 3, 5, 1, 7};
  if constexpr (std::is_signed_v<compute_t<T>> && !std::is_same_v<T, bool> &&
                !std::is_unsigned_v<T>)
    for (const double x : {-1, -2, -4}) xs.push_back(x);
  if constexpr (floating_element<T>)
    for (const double x : {0.5, -1.5, std::nan(""), static_cast<double>(INFINITY)}) xs.push_back(x);
  auto result = zeros<T, 1>({{43}});
  for (std::int64_t i = 0; i < 43; ++i)
    result(i) = cast_value<T>(xs[static_cast<std::size_t>(i * seed + i / 7) % xs.size()]);
  return result;
}

template <class R>
bool same(R got, double want) {
  if constexpr (std::is_floating_point_v<R>) {
    return std::isnan(want) ? std::isnan(got) : got == static_cast<R>(want);
  } else {
    return static_cast<double>(got) == want;
  }
}

template <class A, class B, class F, class G>
void compare(const std::string& name, F f, G reference) {
  const auto a = values<A>(1);
  const auto b = values<B>(3);
  const auto y = evaluate_now(f(a, b));
  CAPTURE(name);
  CAPTURE(std::string(dtype_name<A>()));
  CAPTURE(std::string(dtype_name<B>()));
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double p = static_cast<double>(a(i));
    const double q = static_cast<double>(b(i));
    CAPTURE(p);
    CAPTURE(q);
    CHECK(same(y(i), static_cast<double>(reference(p, q))));
  }
}

template <class A, class B>
struct Pair {
  using First = A;
  using Second = B;
};

double either(double p, double q, double chosen) {
  return std::isnan(p) ? p : std::isnan(q) ? q : chosen;
}

}  // namespace

#define COMPARE(expression, reference)                                      \
  compare<typename T::First, typename T::Second>(                           \
      #expression, [](const auto& a, const auto& b) { return expression; }, \
      [](double p, double q) { return reference; })

TEST_CASE_TEMPLATE("operators of two operands", T, Pair<float, float>, Pair<bool, bool>,
                   Pair<float16, bfloat16>, Pair<double, std::uint32_t>, Pair<float, std::int8_t>,
                   Pair<bool, double>, Pair<std::int64_t, std::uint32_t>,
                   Pair<std::uint8_t, std::int16_t>, Pair<std::uint64_t, std::uint8_t>) {
  COMPARE(a + b, p + q);
  COMPARE(a * b, p * q);
  COMPARE(a / b, p / q);
  COMPARE(a == b, p == q);
  COMPARE(a != b, p != q);
  COMPARE(a < b, p < q);
  COMPARE(a <= b, p <= q);
  COMPARE(a > b, p > q);
  COMPARE(a >= b, p >= q);
  COMPARE(minimum(a, b), either(p, q, std::min(p, q)));
  COMPARE(maximum(a, b), either(p, q, std::max(p, q)));
  COMPARE(where(a, a, b), p != 0 ? p : q);
  COMPARE(logical_and(a, b), p != 0 && q != 0);
  COMPARE(logical_or(a, b), p != 0 || q != 0);
  COMPARE(logical_xor(a, b), (p != 0) != (q != 0));
}
