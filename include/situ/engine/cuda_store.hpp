// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda.hpp"

// Kernels that store the values of an expression: one launch for each assignment.
namespace situ::detail::gpu {

// ---- elementwise
// ---------------------------------------------------------------------------------------

// Where the elements of an operand or of the destination are, for any strides. Broadcast axes have
// stride 0.
template <int R>
struct Placement {
  std::int64_t strides[R > 0 ? R : 1];
  __device__ __forceinline__ std::int64_t offset(const std::int64_t (&index)[R > 0 ? R : 1]) const {
    std::int64_t at = 0;
#pragma unroll
    for (int a = 0; a < R; ++a) at += index[a] * strides[a];
    return at;
  }
};
template <class Args, class T, int R, int Inputs>
struct ElementsParameters {
  Args args;
  T* to;
  std::int64_t size;
  std::int64_t extents[R > 0 ? R : 1];
  Placement<R> of_inputs[Inputs > 0 ? Inputs : 1];
  Placement<R> of_result;
  bool flat;  // everything is contiguous and of one shape
};

template <class Args>
struct ElementContext {
  static constexpr int lanes = 0;
  const Args& args;
  const std::int64_t* offsets;
  template <int K, class T, int R>
  __device__ __forceinline__ auto input() const {
    return simd::convert<compute_t<T>>(get<K>(args.inputs).data[offsets[K]]);
  }
  template <class P>
  __device__ __forceinline__ auto param() const {
    return args.template number<P>();
  }
};

template <class E, class Args, class T, int R, int Inputs>
__global__ void __launch_bounds__(block_threads)
    store_elements(const __grid_constant__ ElementsParameters<Args, T, R, Inputs> p) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       i < p.size; i += step) {
    std::int64_t offsets[Inputs > 0 ? Inputs : 1];
    std::int64_t target = i;
    if (p.flat) {
#pragma unroll
      for (int k = 0; k < Inputs; ++k) offsets[k] = i;
    } else {
      std::int64_t index[R > 0 ? R : 1];
      std::int64_t rest = i;
#pragma unroll
      for (int a = R - 1; a >= 0; --a) {
        index[a] = rest % p.extents[a];
        rest /= p.extents[a];
      }
#pragma unroll
      for (int k = 0; k < Inputs; ++k) offsets[k] = p.of_inputs[k].offset(index);
      target = p.of_result.offset(index);
    }
    p.to[target] = cast_value<T>(Eval<E>::at(ElementContext<Args>{p.args, offsets}));
  }
}

// ---- row functions
// -------------------------------------------------------------------------------------

template <class Args, class T>
struct RowsParameters {
  Args args;
  T* to;
  std::int64_t row_stride;
  std::int32_t lanes;
  SharedState* shared;
};

// E of every row (rank 1) or element (rank 2). A row that breaks a promise stores nothing.
template <class P, class E, class Args, class T>
__global__ void __launch_bounds__(block_threads)
    store_rows(const __grid_constant__ RowsParameters<Args, T> p) {
  __shared__ alignas(16) unsigned char exchange[64 * block_threads / warp_threads];
  const int thread = static_cast<int>(threadIdx.x);
  const int tile_rows = block_threads / p.lanes;
  const Group group = group_of(p.lanes, exchange);
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile_rows; first < p.args.rows;
       first += static_cast<std::int64_t>(gridDim.x) * tile_rows) {
    const std::int64_t mine = first + thread / p.lanes;
    const bool active = mine < p.args.rows;
    const std::int64_t row = active ? mine : first;
    const DirectRow<Args> source{p.args, p.args, row, row};
    RowWalk<P, Args, DirectRow<Args>> walk{p.args, source, group, {}, true};
    walk.run(typename P::nodes{});
    if (!active) continue;
    if (!walk.good) {
      atomicMin(reinterpret_cast<long long*>(&p.shared->first_bad), static_cast<long long>(row));
      continue;
    }
    T* to = p.to + row * p.row_stride;
    if constexpr (E::rank == 1) {
      if (group.lane == 0) *to = cast_value<T>(Eval<E>::at(walk.at(0)));
    } else {
      for (std::int32_t j = group.lane; j < p.args.columns; j += p.lanes) {
        to[j] = cast_value<T>(Eval<E>::at(walk.at(j)));
      }
    }
  }
}
// What the first bad row had wrong, for the host to say.
template <class Args>
struct ExplainParameters {
  Args args;
  std::int64_t row;
  Violation* to;
};
template <class P, class Args>
__global__ void __launch_bounds__(block_threads)
    explain_row(const __grid_constant__ ExplainParameters<Args> p) {
  if (threadIdx.x != 0) return;
  ScalarRow<P, Args> scalar{p.args, p.row, {}, {}};
  scalar.run(typename P::nodes{});
  *p.to = scalar.violation;
}

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
