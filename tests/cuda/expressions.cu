// SPDX-License-Identifier: Apache-2.0
// Expressions, row functions and reductions on a CUDA device, beside the host.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <situ/situ.hpp>

namespace {

using namespace situ;
using D = Cuda<0>;

template <class T, int R>
double worst(const Tensor<T, R, Host>& a, const Tensor<T, R, Host>& b) {
  REQUIRE(a.shape() == b.shape());
  double w = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    w = std::max(w, std::abs(cast_value<double>(a.data()[i]) - cast_value<double>(b.data()[i])));
  }
  return w;
}

TEST_CASE("elementwise expressions with broadcasting, strides and overlap are the host's") {
  const Tensor<float, 2, Host> x = random_uniform<float>(Shape<2>{{37, 53}}, 3);
  const Tensor<float, 1, Host> row = random_uniform<float>(Shape<1>{{53}}, 4);
  auto dx = to<D>(x);
  const auto drow = to<D>(row);
  const auto same = [](const auto& on_device, const auto& on_host) {
    return worst(to<Host>(evaluate_now(on_device)), evaluate_now(on_host));
  };
  CHECK(same(dx * drow + 1.0f, x * row + 1.0f) <= 1e-6);
  CHECK(same(where(dx > 0.5f, dx, -dx), where(x > 0.5f, x, -x)) == 0);
  CHECK(same(exp(dx) - log1p(dx), exp(x) - log1p(x)) <= 1e-6);
  CHECK(same(transpose(dx) * 2.0f, transpose(x) * 2.0f) == 0);
  CHECK(same(dx.slice(1, 52, -54, -3) + 0.0f, x.slice(1, 52, -54, -3) + 0.0f) == 0);
  Tensor<float, 2, Host> here = x;
  assign(here.view(), square(here) + here);
  assign(dx.view(), square(dx) + dx);
  CHECK(worst(to<Host>(dx), here) <= 1e-6);
  // The source overlaps the destination at other indices.
  assign(here.slice(0, 1, 37), here.slice(0, 0, 36) + 0.0f);
  assign(dx.slice(0, 1, 37), dx.slice(0, 0, 36) + 0.0f);
  CHECK(worst(to<Host>(dx), here) <= 1e-6);
  CHECK_THROWS_AS(assign(dx.view(), dx.slice(0, 0, 5) + 0.0f), shape_error);
}

TEST_CASE("half precision is stored and computed as on the host") {
  const auto x = random_uniform<float>(Shape<1>{{1000}}, 9);
  const Tensor<float16, 1, Host> h = evaluate_now(cast<float16>(x));
  const Tensor<bfloat16, 1, Host> b = evaluate_now(cast<bfloat16>(x));
  const auto dx = to<D>(x);
  CHECK(worst(to<Host>(evaluate_now(cast<float16>(dx))), h) == 0);
  CHECK(worst(to<Host>(evaluate_now(cast<bfloat16>(dx))), b) == 0);
  CHECK(worst(to<Host>(evaluate_now(to<D>(h) * to<D>(h))), evaluate_now(h * h)) == 0);
}

TEST_CASE("row functions of any length are the host's, on a stream of their own too") {
  const auto stream = Stream<D>::create();
  for (const std::int64_t columns : {1, 3, 10, 100, 700, 3000}) {
    CAPTURE(columns);
    const auto x = random_uniform<float>(Shape<2>{{19, columns}}, 5);
    const auto labels = random_integers<std::int32_t>(Shape<1>{{19}}, 6, 0, columns);
    const auto dx = to<D>(x);
    const auto dl = to<D>(labels);
    CHECK(worst(to<Host>(evaluate_now(softmax(dx))), evaluate_now(softmax(x))) <= 1e-6);
    CHECK(worst(to<Host>(evaluate_now(argmax(dx))), evaluate_now(argmax(x))) == 0);
    CHECK(worst(to<Host>(evaluate_now(gather(dx, dl))), evaluate_now(gather(x, labels))) == 0);
    CHECK(worst(to<Host>(evaluate_now(row_sum(dx))), evaluate_now(row_sum(x))) <= 1e-9);
    Tensor<float, 2, D> to_fill(x.shape());
    assign(on(stream), to_fill.view(), log_softmax(dx * 2.0f));
    stream.synchronize();
    CHECK(worst(to<Host>(to_fill), evaluate_now(log_softmax(x * 2.0f))) <= 1e-5);
  }
}

TEST_CASE("a label out of range in an eager lookup throws what the host throws") {
  const auto x = random_uniform<float>(Shape<2>{{300, 7}}, 5);
  Tensor<std::int32_t, 1, Host> labels(Shape<1>{{300}});
  labels(200) = 9;
  labels(250) = -1;
  std::string here;
  std::string there;
  try {
    (void)evaluate_now(gather(x, labels));
  } catch (const value_error& e) {
    here = e.what();
  }
  try {
    (void)evaluate_now(gather(to<D>(x), to<D>(labels)));
  } catch (const value_error& e) {
    there = e.what();
    CHECK(e.index == 200);
    CHECK(e.value == 9);
  }
  CHECK(here == there);
  CHECK(!there.empty());
}

TEST_CASE("full reductions are the host's, several at once, of views and of nothing") {
  const auto x = random_uniform<double>(Shape<2>{{123, 45}}, 8);
  const auto dx = to<D>(x);
  const auto [s, lo, hi, m] = evaluate(sum(dx), min(dx), max(square(dx)), mean(dx));
  const auto [hs, hlo, hhi, hm] = evaluate(sum(x), min(x), max(square(x)), mean(x));
  CHECK(std::abs(s - hs) <= 1e-9);
  CHECK(lo == hlo);
  CHECK(std::abs(hi - hhi) <= 1e-15);
  CHECK(std::abs(m - hm) <= 1e-12);
  CHECK(std::abs(evaluate(sum(transpose(dx).slice(0, 0, 45, 2))) -
                 evaluate(sum(transpose(x).slice(0, 0, 45, 2)))) <= 1e-9);
  const Tensor<std::int64_t, 1, Host> large{9007199254740993, 5, -3};
  CHECK(evaluate(max(to<D>(large))) == 9007199254740993);
  CHECK(evaluate(sum(to<D>(large))) == 9007199254740995);
  const Tensor<float, 1, D> none(Shape<1>{{0}});
  CHECK(evaluate(sum(none)) == 0);
}

}  // namespace
