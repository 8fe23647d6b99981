// SPDX-License-Identifier: Apache-2.0
// Updates on a CUDA device beside a device-to-device copy of the same bytes. bench/gpu.sh builds and runs it.
// With an argument, the largest number of elements; without one a thousand million.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <situ/situ.hpp>
#include <vector>

namespace {

using namespace situ;
using D = Cuda<0>;

// Median milliseconds of f() on the device, with the stream warm.
template <class F>
double median_ms(const Stream<D>& stream, F&& f) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  detail::check_cuda(cudaEventCreate(&start), "cudaEventCreate", 0);
  detail::check_cuda(cudaEventCreate(&stop), "cudaEventCreate", 0);
  f();
  f();
  std::vector<float> times;
  for (int i = 0; i < 9; ++i) {
    detail::check_cuda(cudaEventRecord(start, stream.get()), "cudaEventRecord", 0);
    f();
    detail::check_cuda(cudaEventRecord(stop, stream.get()), "cudaEventRecord", 0);
    stream.synchronize();
    float ms = 0;
    detail::check_cuda(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime", 0);
    times.push_back(ms);
  }
  detail::check_cuda(cudaEventDestroy(start), "cudaEventDestroy", 0);
  detail::check_cuda(cudaEventDestroy(stop), "cudaEventDestroy", 0);
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return static_cast<double>(times[4]);
}

void line(const char* what, std::int64_t rows, std::int64_t columns, double bytes, double ms,
          double copy_rate) {
  const double rate = bytes / ms / 1e6;
  std::printf("%-44s %12lld x %-7lld %10.2f us %9.1f GB/s %6.2f of a copy\n", what,
              static_cast<long long>(rows), static_cast<long long>(columns), ms * 1e3, rate,
              rate / copy_rate);
}

// GB/s, reading and writing counted, of a copy of n floats.
double copy_rate_of(const Stream<D>& stream, std::int64_t n) {
  Tensor<float, 1, D> from(Shape<1>{{n}});
  Tensor<float, 1, D> to(Shape<1>{{n}});
  const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
  const double ms = median_ms(stream, [&] {
    detail::check_cuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                       stream.get()),
                       "cudaMemcpyAsync", 0);
  });
  return 2 * static_cast<double>(bytes) / ms / 1e6;
}

void elementwise(const Stream<D>& stream, std::int64_t n, double copy_rate) {
  Tensor<float, 1, D> y(Shape<1>{{n}});
  Tensor<float, 1, D> p(Shape<1>{{n}});
  const double bytes = 8.0 * static_cast<double>(n);
  Metric<MeanSquaredError, D> mse;
  line("MeanSquaredError", n, 1, bytes,
       median_ms(stream, [&] { mse.update_state(on(stream), y, p); }), copy_rate);
  auto seven = collect<D>(BinaryAccuracy{}, TruePositives{}, FalsePositives{}, TrueNegatives{},
                          FalseNegatives{}, MeanSquaredError{}, MeanAbsoluteError{});
  line("seven elementwise metrics", n, 1, bytes,
       median_ms(stream, [&] { seven.update_state(on(stream), y, p); }), copy_rate);
  Metric<AUC, D> auc;
  line("AUC, 200 thresholds", n, 1, bytes,
       median_ms(stream, [&] { auc.update_state(on(stream), y, p); }), copy_rate);
}

void rows_of(const Stream<D>& stream, std::int64_t rows, std::int64_t columns, double copy_rate) {
  Tensor<float, 2, D> scores(Shape<2>{{rows, columns}});
  Tensor<std::int32_t, 1, D> labels(Shape<1>{{rows}});
  const double bytes = 4.0 * static_cast<double>(rows * (columns + 1));
  auto both = collect<D>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2});
  line("accuracy and top-2", rows, columns, bytes,
       median_ms(stream, [&] { both.update_state(on(stream), labels, scores); }), copy_rate);
  Metric<SparseCategoricalCrossentropy, D> loss{{.from_logits = true}};
  line("softmax cross-entropy", rows, columns, bytes,
       median_ms(stream, [&] { loss.update_state(on(stream), labels, scores); }), copy_rate);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t most = argc > 1 ? std::atoll(argv[1]) : 1000000000;
  std::printf("%s\n", to_string(list_devices()).c_str());
  const auto stream = Stream<D>::create();
  const double copy_rate = copy_rate_of(stream, std::min<std::int64_t>(most, 250000000));
  std::printf("copy: %.1f GB/s, reading and writing\n", copy_rate);
  for (std::int64_t n = 1000; n <= most; n *= 10) elementwise(stream, n, copy_rate);
  const std::int64_t elements = std::min<std::int64_t>(most, 134217728);
  for (const std::int64_t columns : {2, 3, 10, 32, 100, 128, 1000, 4096, 32768, 131072}) {
    if (columns <= elements) rows_of(stream, elements / columns, columns, copy_rate);
  }
}
