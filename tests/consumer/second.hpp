// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <situ/tensor.hpp>
#include <vector>

double mean_squared_error_in_second(const std::vector<float>& y_true,
                                    const std::vector<float>& y_pred);
situ::Tensor<float, 1, situ::Host> made_in_second();

// Defined in kernel.cu.
double mean_squared_error_by_nvcc(const std::vector<float>& y_true,
                                  const std::vector<float>& y_pred);
situ::Tensor<float, 1, situ::Host> made_by_nvcc();
std::size_t size_of_tensor_by_nvcc();
std::size_t size_of_view_by_nvcc();
