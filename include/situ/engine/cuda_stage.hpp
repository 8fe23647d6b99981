// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda_parameters.hpp"

// Rows of rank-2 inputs on their way through shared memory: short rows are read from memory in one
// piece, so that no sector is requested twice, and then by one or a few threads each.
namespace situ::detail::gpu {

template <class Is>
struct Stage;
template <class... Is>
struct Stage<Types<Is...>> {
  unsigned char* memory;
  std::int32_t columns;
  int tile_rows;

  // Copies the tile's rows, sixteen bytes at a time where they are aligned. The element after each
  // row is a gap that keeps rows of an even length from meeting in one memory bank.
  template <class Args>
  __device__ __forceinline__ void fill(const Args& args, std::int64_t first, int n) const {
    __syncthreads();  // the tile before has been read
    unsigned offset = 0;
    (fill_one(static_cast<Is*>(nullptr), args, first, n, offset), ...);
    __syncthreads();
  }
  // Makes the rank-2 inputs of `tile` those in shared memory.
  template <class Args>
  __device__ __forceinline__ void point(Args& tile) const {
    unsigned offset = 0;
    (point_one(static_cast<Is*>(nullptr), tile, offset), ...);
  }

 private:
  __device__ __forceinline__ unsigned bytes(std::size_t element) const {
    return staged_bytes(columns, tile_rows, static_cast<std::int64_t>(element));
  }
  template <int K, class T, class Args>
  __device__ __forceinline__ void fill_one(Input<K, T, 1>*, const Args&, std::int64_t, int,
                                           unsigned&) const {}
  template <int K, class T, class Args>
  __device__ __forceinline__ void point_one(Input<K, T, 1>*, Args&, unsigned&) const {}
  template <int K, class T, class Args>
  __device__ __forceinline__ void point_one(Input<K, T, 2>*, Args& tile, unsigned& offset) const {
    auto& in = get<K>(tile.inputs);
    in.data = reinterpret_cast<const T*>(memory + offset);
    in.row_stride = columns + 1;
    offset += bytes(sizeof(T));
  }
  template <int K, class T, class Args>
  __device__ __forceinline__ void fill_one(Input<K, T, 2>*, const Args& args, std::int64_t first,
                                           int n, unsigned& offset) const {
    constexpr unsigned pack = 16 / sizeof(T);
    const auto width = static_cast<unsigned>(columns);
    const unsigned total = width * static_cast<unsigned>(n);
    const T* from = get<K>(args.inputs).data + first * columns;
    T* to = reinterpret_cast<T*>(memory + offset);
    offset += bytes(sizeof(T));
    // Elements before the first aligned address.
    const auto misaligned = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % 16u);
    const unsigned before = misaligned == 0 ? 0 : (16u - misaligned) / sizeof(T);
    const unsigned head = before < total ? before : total;
    const unsigned body = (total - head) / pack;
    for (unsigned i = threadIdx.x; i < body; i += block_threads) {
      const unsigned e = head + i * pack;
      const uint4 w = *reinterpret_cast<const uint4*>(from + e);
      T v[pack];
      __builtin_memcpy(v, &w, 16);
      unsigned r = e / width;
      unsigned c = e - r * width;
#pragma unroll
      for (unsigned k = 0; k < pack; ++k) {
        to[r * (width + 1) + c] = v[k];
        if (++c == width) {
          c = 0;
          ++r;
        }
      }
    }
    for (unsigned i = threadIdx.x; i < head; i += block_threads) copy(to, from, i, width);
    for (unsigned i = head + body * pack + threadIdx.x; i < total; i += block_threads) {
      copy(to, from, i, width);
    }
  }
  template <class T>
  __device__ static __forceinline__ void copy(T* to, const T* from, unsigned i, unsigned width) {
    const unsigned r = i / width;
    to[r * (width + 1) + (i - r * width)] = from[i];
  }
};

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
