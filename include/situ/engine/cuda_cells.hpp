// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cells.hpp"
#include "situ/engine/cuda_row.hpp"

// How a block accumulates one chunk of rows. Every wanted reduction has a Part, of one of four
// forms:
//   one cell               in registers, joined by a fixed tree
//   bins of counts         integers, so the order does not matter: atomics in shared memory, or in
//   the
//                          memory of the pass when there are too many bins
//   bins of weights        the warps take turns, and equal bins in a warp are summed in the order
//   of
//                          the rows: no atomics on floating-point numbers
//   one cell per column    threads share out the columns, and the rows in a fixed number of strands
//   rows                   stored at their place
namespace situ::detail::gpu {

// Memory of a pass that one reduction uses.
//   single   partial[chunk]
//   counts   partial[bin], zero between the passes
//   weights  partial[chunk * count + bin]
//   columns  partial[chunk * count + column]
template <class Cell>
struct PartMemory {
  Cell* partial;
  std::int32_t count;
  std::int32_t shared_offset;  // of bins in shared memory, or -1
};

template <class W>
inline constexpr bool small_weight = false;
template <class Bin, class W, class Bins>
inline constexpr bool small_weight<Reduce<HistogramOf, Bin, W, Bins>> =
    std::is_same_v<typename W::value_type, bool>;

template <class W>
struct part_traits;
template <class Kind, class... As>
struct part_traits<Reduce<Kind, As...>> {
  using W = Reduce<Kind, As...>;
  using Cell = typename W::cell;
  // One cell per column of what has one value per row is one cell.
  static constexpr bool single =
      Kind::layout == Layout::single || (Kind::layout == Layout::columns && !per_element<W>);
  static constexpr bool bins = Kind::layout == Layout::bins;
  static constexpr bool columns = Kind::layout == Layout::columns && per_element<W>;
  static constexpr int column_bytes = columns ? static_cast<int>(sizeof(Cell)) : 0;
  static constexpr bool rows = Kind::layout == Layout::rows;
  static constexpr bool counts = bins && std::is_same_v<Cell, std::int64_t>;
  static constexpr bool weights = bins && !counts;
  // Counts of a chunk fit in 32 bits when every row counts once.
  static constexpr bool may_be_shared = weights || (counts && small_weight<W>);
  static constexpr int shared_bytes = weights ? 8 : 4;  // of one bin
};

// What another block has written, past this multiprocessor's cache.
template <class T>
__device__ __forceinline__ T load_fresh(const T* p) {
  T x;
  if constexpr (sizeof(T) % 8 == 0) {
    unsigned long long w[sizeof(T) / 8];
    for (int i = 0; i < static_cast<int>(sizeof(T) / 8); ++i) {
      w[i] = __ldcg(reinterpret_cast<const unsigned long long*>(p) + i);
    }
    __builtin_memcpy(&x, w, sizeof(T));
  } else if constexpr (sizeof(T) % 4 == 0) {
    unsigned w[sizeof(T) / 4];
    for (int i = 0; i < static_cast<int>(sizeof(T) / 4); ++i) {
      w[i] = __ldcg(reinterpret_cast<const unsigned*>(p) + i);
    }
    __builtin_memcpy(&x, w, sizeof(T));
  } else {
    unsigned char w[sizeof(T)];
    for (int i = 0; i < static_cast<int>(sizeof(T)); ++i) {
      w[i] = __ldcg(reinterpret_cast<const unsigned char*>(p) + i);
    }
    __builtin_memcpy(&x, w, sizeof(T));
  }
  return x;
}

// Strands of rows that a block sums separately for every column: enough to keep its threads busy.
__host__ __device__ inline int strands_for(std::int64_t columns) {
  int strands = 1;
  while (strands < 64 && strands * 2 * columns <= block_threads) strands *= 2;
  return strands;
}

// ---- one cell
// ----------------------------------------------------------------------------------------

template <class W>
struct AddSingle;
template <class Kind, class... Es>
struct AddSingle<Reduce<Kind, Es...>> {
  template <class Cell, class Here>
  __device__ __forceinline__ static void add(Cell& cell, const Here& here) {
    Kind::template add<typename Es::value_type...>(cell, Eval<Es>::at(here)...);
  }
};
template <>
struct AddSingle<Reduce<SumOf, One>> {
  template <class Here>
  __device__ __forceinline__ static void add(std::int64_t& rows, const Here&) {
    ++rows;
  }
};

// ---- bins
// --------------------------------------------------------------------------------------------

// What a reduction over bins needs of a row: its bin and its weight.
template <class W>
struct BinOf;
template <class Bin, class W, class Bins>
struct BinOf<Reduce<HistogramOf, Bin, W, Bins>> {
  template <class Here>
  __device__ __forceinline__ static std::int32_t bin(const Here& here) {
    return Eval<Bin>::at(here);
  }
  template <class Here>
  __device__ __forceinline__ static auto weight(const Here& here) {
    return static_cast<sum_t<typename W::value_type>>(Eval<W>::at(here));
  }
};

// Counts of a chunk are below 2^32 and kept so in shared memory.
__device__ __forceinline__ void count_shared(unsigned* bins, std::int32_t bin, std::int64_t n) {
  atomicAdd(&bins[bin], static_cast<unsigned>(n));
}
__device__ __forceinline__ void count_global(std::int64_t* bins, std::int32_t bin, std::int64_t n) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&bins[bin]), static_cast<unsigned long long>(n));
}

// Adds the weights of a warp's active threads to their bins. Threads of one bin are summed in the
// order of their numbers and the first of them adds the sum. Called by one warp at a time.
__device__ __forceinline__ void add_weights_of_warp(double* bins, std::int32_t bin, double weight,
                                                    bool active) {
  const unsigned lane = threadIdx.x % warp_threads;
  const unsigned same = __match_any_sync(0xffffffffu, active ? bin : -1);
  const int first = __ffs(static_cast<int>(same)) - 1;
  double sum = 0;
  for (int l = 0; l < warp_threads; ++l) {
    const double w = __shfl_sync(0xffffffffu, weight, l);
    if ((same >> l) & 1u) sum += w;
  }
  if (active && static_cast<int>(lane) == first) bins[bin] += sum;
}

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
