// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "situ/situ.hpp"

using namespace situ;

TEST_CASE("row functions of views of const elements agree with plain loops") {
  for (const std::int64_t columns : {1, 3, 31, 32, 33, 70}) {
    const std::int64_t rows = 5;
    std::vector<float> x(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37) % 11) - 5.0f;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(columns));
    const View<const float, 2, Host> v(x.data(), {{rows, columns}});
    const View<const std::int32_t, 1, Host> l(labels);
    const auto sums = evaluate_now(row_sum(v));
    const auto best = evaluate_now(argmax(v));
    const auto own = evaluate_now(gather(v, l));
    const auto rank = evaluate_now(label_rank(v, l));
    const auto shares = evaluate_now(softmax(v));
    const auto lse = evaluate_now(logsumexp(v));
    for (std::int64_t i = 0; i < rows; ++i) {
      double sum = 0;
      double exponentials = 0;
      std::int32_t first_best = 0;
      std::int64_t above = 0;
      const std::int32_t label = labels[static_cast<std::size_t>(i)];
      for (std::int64_t j = 0; j < columns; ++j) {
        const float value = v(i, j);
        sum += static_cast<double>(value);
        exponentials += std::exp(static_cast<double>(value));
        if (value > v(i, first_best)) first_best = static_cast<std::int32_t>(j);
        if (value > v(i, label) || (value == v(i, label) && j < label)) ++above;
      }
      CHECK(sums(i) == sum);
      CHECK(best(i) == first_best);
      CHECK(own(i) == v(i, label));
      CHECK(rank(i) == above);
      CHECK(lse(i) == doctest::Approx(std::log(exponentials)).epsilon(1e-6));
      CHECK(shares(i, 0) == doctest::Approx(std::exp(static_cast<double>(v(i, 0))) / exponentials).epsilon(1e-6));
    }
  }
}

TEST_CASE("an assignment may mention its destination, at the same or at other indices") {
  Tensor<float, 2, Host> a{{1, 2}, {3, 4}};
  assign(a.view(), a * 2.0f);
  CHECK(a(1, 0) == 6);
  assign(a.view(), transpose(a) + 0.0f);
  CHECK(a(0, 1) == 6);
  CHECK(a(1, 0) == 4);
  Tensor<float, 1, Host> b{1, 2, 3, 4};
  assign(b.slice(0, 1, 4), b.slice(0, 0, 3) + 10.0f);
  CHECK(b(1) == 11);
  CHECK(b(2) == 12);
  CHECK(b(3) == 13);
  CHECK_THROWS_AS(assign(b.view(), a.row(0) + 1.0f), shape_error);
}
