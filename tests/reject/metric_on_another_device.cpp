// SPDX-License-Identifier: Apache-2.0
// A metric takes data of its own device only, and merges with metrics there only.
// expect-gcc: Host
// expect-nvcc: Host
// expect: Cuda<0>
// case: LABELS move_the_data_with_situ_to_Device
// case: SCORES move_the_data_with_situ_to_Device
// case: WEIGHTS move_the_data_with_situ_to_Device
// case: VALUES move_the_data_with_situ_to_Device
// case: COLLECTION move_the_data_with_situ_to_Device
// case: CUDA_METRIC move_the_data_with_situ_to_Device
// case: EXPRESSION move_the_data_with_situ_to_Device
// case: MERGE merge_on_one_device
#include <situ/situ.hpp>

using situ::Cuda, situ::Host;
using OnHost = const situ::View<const float, 1, Host>&;
using OnCuda = const situ::View<const float, 1, Cuda<0>>&;
using Error = situ::Metric<situ::MeanSquaredError, Host>;
using CudaError = situ::Metric<situ::MeanSquaredError, Cuda<0>>;

#ifdef CURED
void use(Error& metric, OnHost a) {
  metric.update_state(a, a);
  metric.update_state(a, a, a);
  metric.merge_state(metric);
}
#endif
#ifdef LABELS
void use(Error& metric, OnHost a, OnCuda b) { metric.update_state(b, a); }
#endif
#ifdef SCORES
void use(Error& metric, OnHost a, OnCuda b) { metric.update_state(a, b); }
#endif
#ifdef WEIGHTS
void use(Error& metric, OnHost a, OnCuda b) { metric.update_state(a, a, b); }
#endif
#ifdef VALUES
void use(situ::Metric<situ::Mean, Host>& metric, OnCuda b) { metric.update_state(b); }
#endif
#ifdef COLLECTION
void use(OnHost a, OnCuda b) {
  auto metrics = situ::collect<Host>(situ::MeanSquaredError{}, situ::BinaryAccuracy{});
  metrics.update_state(a, b);
}
#endif
#ifdef CUDA_METRIC
void use(CudaError& metric, OnHost a, OnCuda b) { metric.update_state(a, b); }
#endif
#ifdef EXPRESSION
void use(Error& metric, OnHost a, OnCuda b) { metric.update_state(a, b * 2.0f); }
#endif
#ifdef MERGE
void use(Error& metric, const CudaError& other) { metric.merge_state(other); }
#endif
