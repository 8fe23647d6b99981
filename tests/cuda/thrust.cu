// SPDX-License-Identifier: Apache-2.0
// situ beside Thrust and CUB: their vectors as views, its expressions as iterators, and the same
// answers.
#include <doctest/doctest.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

#include <cub/device/device_reduce.cuh>
#include <situ/interop/thrust.hpp>

namespace {

using namespace situ;
using D = Cuda<0>;

TEST_CASE("a device_vector is a view, and reductions of it are Thrust's") {
  constexpr std::int64_t n = 10007;
  thrust::device_vector<float> v(static_cast<std::size_t>(n));
  thrust::sequence(v.begin(), v.end(), -5000.0f, 1.0f);
  const auto x = view_of<D>(v);
  static_assert(std::is_same_v<decltype(x), const View<float, 1, D>>);
  const auto [total, low, high] = evaluate(sum(x), min(x), max(x));
  CHECK(total == thrust::reduce(v.begin(), v.end(), 0.0));
  CHECK(low == thrust::reduce(v.begin(), v.end(), 1e9f, thrust::minimum<float>()));
  CHECK(high == thrust::reduce(v.begin(), v.end(), -1e9f, thrust::maximum<float>()));
  assign(x, x * 2.0f + 1.0f);
  CHECK(v[0] == -9999.0f);
  CHECK(v[5001] == 3.0f);
}

TEST_CASE("a range of device pointers is a view") {
  thrust::device_vector<std::int32_t> v(100);
  thrust::sequence(v.begin(), v.end());
  const auto x = view_of<D>(v.data() + 10, v.data() + 20);
  CHECK(x.size() == 10);
  CHECK(evaluate(sum(x)) == 145);
}

TEST_CASE("an expression is an iterator for Thrust and CUB, with broadcasting and strides") {
  constexpr std::int64_t n = 4099;
  Tensor<double, 1, Host> a(Shape<1>{{n}});
  Tensor<double, 1, Host> b(Shape<1>{{2 * n}});
  double want = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    a(i) = static_cast<double>(i % 17);
    b(2 * i) = static_cast<double>(i % 5);
    b(2 * i + 1) = -1e9;
    want += (a(i) - b(2 * i)) * (a(i) - b(2 * i));
  }
  const auto da = to<D>(a);
  const auto db = to<D>(b);
  const auto every_other = db.slice(0, 0, 2 * n, 2);
  const auto e = square(da - every_other);
  CHECK(thrust::reduce(thrust::device, begin_of(e), end_of(e), 0.0) == want);
  CHECK(evaluate(sum(e)) == want);
  double* out = nullptr;
  void* scratch = nullptr;
  std::size_t bytes = 0;
  REQUIRE(cudaMalloc(&out, sizeof(double)) == cudaSuccess);
  REQUIRE(cub::DeviceReduce::Sum(nullptr, bytes, begin_of(e), out, static_cast<int>(n)) ==
          cudaSuccess);
  REQUIRE(cudaMalloc(&scratch, bytes) == cudaSuccess);
  REQUIRE(cub::DeviceReduce::Sum(scratch, bytes, begin_of(e), out, static_cast<int>(n)) ==
          cudaSuccess);
  double got = 0;
  REQUIRE(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(got == want);
  CHECK(cudaFree(scratch) == cudaSuccess);
  CHECK(cudaFree(out) == cudaSuccess);
}

}  // namespace
