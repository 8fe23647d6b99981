// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <situ/situ.hpp>
#include <type_traits>

#include "second.hpp"

// A program somebody else might write: their own buffers, one built-in and one custom metric.

struct Hits {
  double tolerance = 0.25;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return situ::states(situ::sum(weight * (situ::abs(y_pred - y_true) <= 0.25f)),
                        situ::sum(weight));
  }
  double result(double hits, double count) const { return count == 0.0 ? 0.0 : hits / count; }
};

int main() {
  const std::vector<float> y_true{1, 2, 3, 4};
  const std::vector<float> y_pred{1, 2, 3, 6};

  situ::Metric<situ::MeanSquaredError, situ::Host> error;
  error.update_state(situ::View<const float, 1, situ::Host>(y_true),
                     situ::View<const float, 1, situ::Host>(y_pred));
  const double here = error.result();

  // The other unit includes everything too, and must mean the same types by the same names.
  const double there = mean_squared_error_in_second(y_true, y_pred);
  bool good = here == 1.0 && there == 1.0;

  situ::Tensor<float, 1, situ::Host> made = made_in_second();
  good = good && made.size() == 3 && made(2) == 3.0f;

  situ::Metric<Hits, situ::Host> hits;
  hits.update_state(situ::View<const float, 1, situ::Host>(y_true),
                    situ::View<const float, 1, situ::Host>(y_pred));
  good = good && hits.result() == 0.75;

  // Places can be named and asked about without a CUDA toolkit.
  using OnDevice = situ::View<const float, 1, situ::Cuda<0>>;
  static_assert(situ::placed_on<situ::Cuda<0>, OnDevice>);
  static_assert(!situ::same_device<OnDevice, situ::Tensor<float, 1, situ::Host>>);

#ifdef CONSUMER_HAS_CUDA
  const double by_nvcc = mean_squared_error_by_nvcc(y_true, y_pred);
  situ::Tensor<float, 1, situ::Host> made_there = made_by_nvcc();
  good = good && by_nvcc == 1.0 && made_there.size() == 3 && made_there(0) == 1.0f;
  good = good && size_of_tensor_by_nvcc() == sizeof(situ::Tensor<float, 2, situ::Cuda<0>>) &&
         size_of_view_by_nvcc() == sizeof(situ::View<float, 2, situ::Cuda<0>>);
#endif

  std::puts(good ? "consumer: as expected" : "consumer: WRONG");
  return good ? 0 : 1;
}
