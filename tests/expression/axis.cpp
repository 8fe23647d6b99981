// SPDX-License-Identifier: Apache-2.0
// Row functions along every axis of ranks 1 to 4, with and without keepdims, against plain loops.
#include "situ/engine/axis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "situ/factories.hpp"
#include "situ/random.hpp"

using namespace situ;

namespace {

// The elements along `axis`, for every position of the others in row-major order.
template <int R>
std::vector<std::vector<float>> lines(const Tensor<float, R, Host>& x, int axis) {
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  for (int a = 0; a < R; ++a) (a < axis ? outer : inner) *= a == axis ? 1 : x.extent(a);
  const std::int64_t n = x.extent(axis);
  std::vector<std::vector<float>> all;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < inner; ++i) {
      std::vector<float> line;
      for (std::int64_t k = 0; k < n; ++k) line.push_back(x.data()[(o * n + k) * inner + i]);
      all.push_back(line);
    }
  }
  return all;
}

template <class Found, class F>
void check_values(const Found& found, const std::vector<std::vector<float>>& all, F expected) {
  REQUIRE(found.size() == static_cast<std::int64_t>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double got = static_cast<double>(found.data()[i]);
    const double want = expected(all[i]);
    const bool same = got == want || (std::isnan(got) && std::isnan(want));
    CHECK((same || got == doctest::Approx(want).epsilon(1e-6)));
  }
}

double total(const std::vector<float>& v) {
  double s = 0;
  for (const float x : v) s += static_cast<double>(x);
  return s;
}
double place_of_largest(const std::vector<float>& v) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < v.size(); ++i) best = v[i] > v[best] ? i : best;
  return static_cast<double>(best);
}

template <int R>
void check_rank(const Shape<R>& shape) {
  const auto x = random_normal<float, R>(shape, 5);
  for (int axis = 0; axis < R; ++axis) {
    CAPTURE(R);
    CAPTURE(axis);
    const auto all = lines(x, axis);
    const auto count = static_cast<double>(shape[axis]);
    check_values(sum(x, axis), all, total);
    check_values(sum(x, axis - R), all, total);  // the same axis, counted from the end
    check_values(mean(x, axis), all, [&](const auto& v) { return total(v) / count; });
    check_values(logsumexp(x, axis), all, [](const auto& v) {
      double s = 0;
      for (const float e : v) s += std::exp(static_cast<double>(e));
      return std::log(s);
    });
    if (count == 0) {
      if (x.size() != 0 || sum(x, axis).size() != 0) {
        CHECK_THROWS_AS((void)max(x, axis), shape_error);
        CHECK_THROWS_AS((void)argmin(x, axis), shape_error);
      }
      continue;
    }
    check_values(argmax(x, axis), all, place_of_largest);
    check_values(max(x, axis), all, [](const auto& v) {
      return static_cast<double>(v[static_cast<std::size_t>(place_of_largest(v))]);
    });
    // An axis that stays has length 1, so that the result broadcasts against x.
    const auto least = min(x, axis, keepdims);
    REQUIRE(least.shape()[axis] == 1);
    const Tensor<float, R, Host> above(x - least);
    if (x.size() != 0) CHECK(evaluate(min(above)) == 0);
    CHECK(least.size() * shape[axis] == x.size());
    // Softmax keeps the shape; its sums along the axis are 1.
    const auto shares = softmax(x, axis);
    CHECK(shares.shape() == x.shape());
    check_values(sum(shares, axis), all, [](const auto&) { return 1.0; });
  }
  CHECK_THROWS_AS((void)sum(x, R), shape_error);
  CHECK_THROWS_AS((void)sum(x, -R - 1), shape_error);
}

}  // namespace

TEST_CASE("row functions along every axis of ranks 1 to 4") {
  check_rank<1>({{7}});
  check_rank<1>({{1}});
  check_rank<2>({{3, 5}});
  check_rank<2>({{1, 33}});
  check_rank<3>({{2, 3, 4}});
  check_rank<3>({{5, 1, 17}});
  check_rank<4>({{2, 3, 4, 5}});
  check_rank<4>({{1, 2, 1, 3}});
}

TEST_CASE("along an axis without elements there are sums but no largest element") {
  check_rank<1>({{0}});
  check_rank<2>({{3, 0}});
  check_rank<2>({{0, 3}});
  check_rank<3>({{2, 0, 3}});
}

TEST_CASE("any, all and norm along an axis, of expressions and of views that are not contiguous") {
  const Tensor<bool, 2, Host> b{{true, false, true}, {true, true, true}};
  CHECK(to_string(any(b, 0).shape()) == "[3]");
  const auto down = all(b, 0);
  CHECK((down(0) && !down(1) && down(2)));
  const auto across = all(b, 1);
  CHECK((!across(0) && across(1)));
  const Tensor<float, 2, Host> x{{3, 0}, {4, 5}};
  CHECK(norm(x, 0)(0) == 5);
  CHECK(norm(transpose(x), 1)(0) == 5);
  CHECK(sum(x * 2.0f, 0)(0) == 14);
  CHECK(sum(x.view().slice(1, 0, 1), 0)(0) == 7);
}

TEST_CASE("shapes that do not broadcast are named in the error") {
  const Tensor<float, 2, Host> a(Shape<2>{{2, 3}});
  const Tensor<float, 2, Host> b(Shape<2>{{3, 2}});
  const Tensor<float, 1, Host> c(Shape<1>{{2}});
  const auto says = [](auto f, const char* first, const char* second) {
    try {
      f();
      FAIL("nothing thrown");
    } catch (const shape_error& e) {
      const std::string text = e.what();
      CHECK(text.find(first) != std::string::npos);
      CHECK(text.find(second) != std::string::npos);
    }
  };
  says([&] { (void)evaluate_now(a + b); }, "[2, 3]", "[3, 2]");
  says([&] { (void)evaluate_now(a * c); }, "[2, 3]", "[2]");
  says([&] { (void)evaluate_now(where(a > 0.0f, b, a)); }, "[2, 3]", "[3, 2]");
  says([&] { (void)evaluate(sum(a - b)); }, "[2, 3]", "[3, 2]");
}
