// SPDX-License-Identifier: Apache-2.0
// A unit compiled by nvcc that is linked with units compiled by the C++ compiler. It computes on
// the host, so that the program also runs where there is no GPU.
#include <situ/situ.hpp>

#include "second.hpp"

double mean_squared_error_by_nvcc(const std::vector<float>& y_true,
                                  const std::vector<float>& y_pred) {
  situ::Metric<situ::MeanSquaredError, situ::Host> error;
  error.update_state(situ::View<const float, 1, situ::Host>(y_true),
                     situ::View<const float, 1, situ::Host>(y_pred));
  return error.result();
}

situ::Tensor<float, 1, situ::Host> made_by_nvcc() { return {1.0f, 2.0f, 3.0f}; }

std::size_t size_of_tensor_by_nvcc() { return sizeof(situ::Tensor<float, 2, situ::Cuda<0>>); }
std::size_t size_of_view_by_nvcc() { return sizeof(situ::View<float, 2, situ::Cuda<0>>); }
