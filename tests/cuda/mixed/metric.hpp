// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <situ/situ.hpp>

// What a program shares between units of the C++ compiler and a unit of nvcc: types, and a metric
// whose functions for the device are instantiated in metric.cu.

using Device = situ::Cuda<0>;
using Labels = situ::Tensor<std::int32_t, 1, Device>;
using Scores = situ::Tensor<float, 2, Device>;
using Metrics = situ::Collection<Device, situ::SparseCategoricalAccuracy, situ::ConfusionMatrix>;

extern template class situ::Collection<Device, situ::SparseCategoricalAccuracy,
                                       situ::ConfusionMatrix>;

Labels labels_on_device(const situ::Tensor<std::int32_t, 1, situ::Host>& labels);
Scores scores_on_device(const situ::Tensor<float, 2, situ::Host>& scores);
void update(Metrics& metrics, const Labels& y_true, const Scores& y_pred);

// Size and alignment of types as nvcc sees them.
struct Layouts {
  std::size_t metrics, labels, view, half;
};
Layouts layouts_of_nvcc();
