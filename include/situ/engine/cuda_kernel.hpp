// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda_block.hpp"

// The fused kernel: every reduction of a plan over all rows, in one launch. Chunks of rows are a
// function of the problem's size only; each leaves its partial results in memory, and the block
// that finishes last joins them in the order of the chunks and commits them. So the bits depend
// neither on the grid nor on the order in which blocks run. No atomics on floating-point numbers,
// no second launch, no memset.
namespace situ::detail::gpu {

// Thread `t` of 256 joins its share of the chunks' cells in order; a tree joins the threads.
template <class W>
__device__ __forceinline__ typename W::cell join_chunks(const PartMemory<typename W::cell>& part,
                                                        std::int64_t chunks, void* exchange) {
  using T = cell_traits<W>;
  using Cell = typename W::cell;
  const std::int64_t share = (chunks + block_threads - 1) / block_threads;
  const std::int64_t first = threadIdx.x * share;
  Cell cell = T::empty();
  for (std::int64_t c = first; c < first + share && c < chunks; ++c) {
    T::merge(cell, load_fresh(&part.partial[c]));
  }
  const Group block{block_threads, static_cast<int>(threadIdx.x), 0xffffffffu, exchange};
  return combine(block, cell, [](Cell a, const Cell& b) {
    T::merge(a, b);
    return a;
  });
}

// What the last block does with one reduction: `good` batches are committed, and in any case memory
// is left as the next pass expects it.
template <class W, class Target>
__device__ __forceinline__ void finish_one(const PartMemory<typename W::cell>& part,
                                           const Target& target, std::int64_t chunks,
                                           std::int64_t rows, bool good, void* exchange) {
  using T = cell_traits<W>;
  using Traits = part_traits<W>;
  using Cell = typename W::cell;
  if constexpr (Traits::single) {
    const Cell cell = join_chunks<W>(part, chunks, exchange);
    if (good && threadIdx.x == 0) target.commit(0, cell);
  } else if constexpr (Traits::counts) {
    for (std::int64_t b = threadIdx.x; b < part.count; b += block_threads) {
      const Cell n = static_cast<Cell>(
          atomicExch(reinterpret_cast<unsigned long long*>(&part.partial[b]), 0ull));
      if (good) target.commit(b, n);
    }
  } else if constexpr (Traits::rows) {
    if (good && threadIdx.x == 0) target.advance(rows);
  } else if (good) {
    for (std::int64_t k = threadIdx.x; k < part.count; k += block_threads) {
      Cell cell = T::empty();
      for (std::int64_t c = 0; c < chunks; ++c) {
        T::merge(cell, load_fresh(&part.partial[c * part.count + k]));
      }
      target.commit(k, cell);
    }
  }
}

template <class P, class Args, class Targets>
struct Pass;
template <class... Ns, class... Is, class... Ws, class Args, class... Ts>
struct Pass<Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>, Args, Tuple<Ts...>> {
  using P = Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>;
  using Params = Parameters<P, Args, Tuple<Ts...>>;
  using Chunk = BlockChunk<P, Args, Tuple<Ts...>>;
  static constexpr int wanted = P::wanted_count;
  static constexpr bool checks = (is_checked<Ns> || ...);

  __device__ static __forceinline__ void run(const Params& p, unsigned char* dynamic,
                                             void* exchange) {
    std::int64_t bad = Violation::none;
    for (std::int64_t c = blockIdx.x; c < p.chunks; c += gridDim.x) {
      Chunk chunk(p, dynamic, exchange, c);
      chunk.run(bad);
    }
    if (checks && bad != Violation::none) {
      atomicMin(reinterpret_cast<long long*>(&p.shared->first_bad), static_cast<long long>(bad));
    }
    __threadfence();
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&p.shared->ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) finish(p, exchange);
  }

 private:
  __device__ static __forceinline__ void finish(const Params& p, void* exchange) {
    __threadfence();
    const std::int64_t bad = load_fresh(&p.shared->first_bad);
    const bool good = !checks || bad == Violation::none;
    each<wanted>([&]<int I>() {
      finish_one<type_at_t<I, Types<Ws...>>>(get<I>(p.parts), get<I>(p.targets), p.chunks,
                                             p.args.rows, good, exchange);
    });
    __syncthreads();
    if (threadIdx.x != 0) return;
    if constexpr (checks) {
      if (!good && !p.report->recorded) {
        ScalarRow<P, Args> scalar{p.args, bad, {}, {}};
        scalar.run(typename P::nodes{});
        p.report->violation = scalar.violation;
        p.report->plan = p.plan_id;
        p.report->recorded = true;
      }
    }
    p.shared->first_bad = Violation::none;
    p.shared->ticket = 0;
  }
};

template <class P, class Args, class Targets>
__global__ void __launch_bounds__(block_threads)
    fused_update(const __grid_constant__ Parameters<P, Args, Targets> p) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  using Exchange = typename BlockChunk<P, Args, Targets>::Exchange;
  __shared__ Exchange exchange;
  Pass<P, Args, Targets>::run(p, dynamic, &exchange);
}

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
