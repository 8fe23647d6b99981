// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "situ/runtime/cuda_memory.hpp"
#include "situ/view.hpp"

// Copies between strided layouts within one CUDA device: one launch.
#if defined(__CUDACC__)
namespace situ::detail {

// Two layouts of the same elements, neighbouring axes joined where both run on. Axis 0 is the
// fastest.
struct StridedLayout {
  static constexpr int most = 8;
  std::int64_t extent[most];
  std::int64_t to[most];
  std::int64_t from[most];
  std::int64_t size;
  int axes;
};

template <int R>
StridedLayout strided_layout(const Shape<R>& shape, const Strides<R>& to, const Strides<R>& from) {
  StridedLayout l{};
  l.size = shape.size();
  for (int a = R - 1; a >= 0; --a) {
    if (shape[a] == 1) continue;
    const int last = l.axes - 1;
    if (last >= 0 && to[a] == l.to[last] * l.extent[last] &&
        from[a] == l.from[last] * l.extent[last]) {
      l.extent[last] *= shape[a];
      continue;
    }
    if (l.axes == StridedLayout::most) {
      throw shape_error("situ: a strided view of shape " + to_string(shape) +
                        " has more than 8 axes that cannot be joined; copy parts of it");
    }
    l.extent[l.axes] = shape[a];
    l.to[l.axes] = to[a];
    l.from[l.axes] = from[a];
    ++l.axes;
  }
  return l;
}

// Element i in row-major order of the shape, from one place to the other. Word: an unsigned integer
// as wide as the element, so that all element types share four kernels.
template <class Word>
__global__ void strided_copy_kernel(Word* to, const Word* from, StridedLayout l) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < l.size;
       i += step) {
    std::int64_t rest = i;
    std::int64_t t = 0;
    std::int64_t f = 0;
#pragma unroll
    for (int a = 0; a < StridedLayout::most; ++a) {
      if (a >= l.axes) break;
      // Divisions of 64 bits take several times as long as those of 32.
      std::int64_t next = 0;
      if (((rest | l.extent[a]) >> 32) == 0) {
        next = static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(l.extent[a]);
      } else {
        next = rest / l.extent[a];
      }
      const std::int64_t k = rest - next * l.extent[a];
      t += k * l.to[a];
      f += k * l.from[a];
      rest = next;
    }
    to[t] = from[f];
  }
}

template <std::size_t Bytes>
struct word_of;
template <>
struct word_of<1> {
  using type = std::uint8_t;
};
template <>
struct word_of<2> {
  using type = std::uint16_t;
};
template <>
struct word_of<4> {
  using type = std::uint32_t;
};
template <>
struct word_of<8> {
  using type = std::uint64_t;
};

// to = from, of equal shapes, both on Cuda<N>, in the order of `stream`.
template <class T, class S, int R, int N>
void copy_strided(const View<T, R, Cuda<N>>& to, const View<S, R, Cuda<N>>& from,
                  cudaStream_t stream) {
  static_assert(std::is_same_v<std::remove_const_t<S>, T>);
  if (to.size() == 0) return;
  using Word = typename word_of<sizeof(T)>::type;
  StridedLayout layout = strided_layout(to.shape(), to.strides(), from.strides());
  Word* target = reinterpret_cast<Word*>(to.data());
  const Word* source = reinterpret_cast<const Word*>(from.data());
  constexpr std::int64_t threads = 256;
  constexpr std::int64_t most_blocks = 4096;  // enough to fill any device; the rest loops
  const std::int64_t wanted = (layout.size + threads - 1) / threads;
  const std::int64_t blocks = wanted < most_blocks ? wanted : most_blocks;
  void* arguments[] = {&target, &source, &layout};
  const DeviceGuard guard(N);
  const std::int64_t bytes = layout.size * static_cast<std::int64_t>(sizeof(T));
  const auto traced = trace_launch("strided copy", N, bytes, bytes, stream);
  check_cuda(cudaLaunchKernel(reinterpret_cast<const void*>(&strided_copy_kernel<Word>),
                              dim3(static_cast<unsigned int>(blocks)),
                              dim3(static_cast<unsigned int>(threads)), arguments, 0, stream),
             "cudaLaunchKernel of a strided copy", N);
}

}  // namespace situ::detail
#endif
