// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <situ/error.hpp>

// Shows that the set-up works: a unit compiled by nvcc includes the library and launches a kernel.

namespace {

__global__ void add(const int* a, const int* b, int* sum) {
  const unsigned int i = threadIdx.x;
  sum[i] = a[i] + b[i];
}

TEST_CASE("a kernel runs on the device that is visible") {
  constexpr int n = 32;
  int host[3][n];
  for (int i = 0; i < n; ++i) {
    host[0][i] = i;
    host[1][i] = 100 * i;
    host[2][i] = 0;
  }
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof host) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  add<<<1, n>>>(device, device + n, device + 2 * n);
  REQUIRE(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < n; ++i) {
    CHECK(host[2][i] == 101 * i);
  }
  CHECK(cudaFree(device) == cudaSuccess);
}

}  // namespace
