// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda_cells.hpp"

// What the fused kernel gets from the host, and how its threads read their inputs.
namespace situ::detail::gpu {

// Of all passes of one owner: in device memory, left by every pass as it was found.
struct SharedState {
  std::int64_t first_bad;  // first row of the batch that breaks a promise, or Violation::none
  unsigned ticket;         // blocks that have finished
};
// The first rejected batch since the last check.
struct Report {
  Violation violation;
  std::int32_t plan;  // whose nodes the violation speaks of
  std::int32_t recorded;
};

// Where the shape of a pass and its use of shared memory are written down: chosen on the host.
struct Geometry {
  std::int64_t rows_per_chunk;
  std::int64_t chunks;
  std::int32_t lanes;        // threads per row
  std::int32_t staged;       // rank-2 inputs go through shared memory
  std::int32_t vectorised;   // rank-1 inputs are contiguous and aligned
  std::int32_t rows_offset;  // in shared memory: the nodes' values of the tile's rows
  std::int32_t shared_bytes;
};

template <class P, class Args, class Targets>
struct Parameters;
template <class Ns, class Is, class... Ws, class Args, class... Ts>
struct Parameters<Plan<Ns, Is, Types<Ws...>>, Args, Tuple<Ts...>> {
  Args args;
  Tuple<PartMemory<typename Ws::cell>...> parts;
  Tuple<Ts...> targets;
  SharedState* shared;
  Report* report;
  std::int32_t plan_id;
  Geometry g;
  std::int64_t chunks;
};

// Shared memory that one staged input takes.
__host__ __device__ inline unsigned staged_bytes(std::int32_t columns, int tile_rows,
                                                 std::int64_t element) {
  const std::int64_t bytes = (static_cast<std::int64_t>(columns) + 1) * tile_rows * element;
  return static_cast<unsigned>((bytes + 15) / 16 * 16);
}

// Rows of a plan that only has one value per row are read four at a time.
inline constexpr int flat_rows = 4;

template <class T>
__device__ __forceinline__ void load_four(const T* p, T (&to)[flat_rows]) {
  constexpr int bytes = flat_rows * static_cast<int>(sizeof(T));
  if constexpr (bytes == 4) {
    const unsigned w = *reinterpret_cast<const unsigned*>(p);
    __builtin_memcpy(to, &w, bytes);
  } else if constexpr (bytes == 8) {
    const uint2 w = *reinterpret_cast<const uint2*>(p);
    __builtin_memcpy(to, &w, bytes);
  } else {
#pragma unroll
    for (int i = 0; i < bytes / 16; ++i) {
      const uint4 w = reinterpret_cast<const uint4*>(p)[i];
      __builtin_memcpy(reinterpret_cast<char*>(to) + 16 * i, &w, 16);
    }
  }
}

// Four rows of every input in registers.
template <class Columns>
struct Loaded;
template <class... Ts>
struct Loaded<Tuple<Column<Ts>...>> {
  template <class T>
  struct Four {
    T v[flat_rows];
  };
  Tuple<Four<Ts>...> inputs;
  template <class Args>
  __device__ __forceinline__ void load(const Args& args, std::int64_t row, int n, bool vectorised) {
    each<static_cast<int>(sizeof...(Ts))>([&]<int K>() {
      const auto& in = get<K>(args.inputs);
      auto& to = get<K>(inputs).v;
      if (vectorised && n == flat_rows) {
        load_four(in.data + row, to);
      } else {
#pragma unroll
        for (int k = 0; k < flat_rows; ++k) {
          to[k] = in.data[(row + (k < n ? k : 0)) * in.row_stride];
        }
      }
    });
  }
};
template <class Columns>
struct LoadedRow {
  const Loaded<Columns>& loaded;
  int k;
  template <int K, class T, int R>
  __device__ __forceinline__ T get_input(std::int32_t) const {
    return get<K>(loaded.inputs).v[k];
  }
};

// One value of every input, of which those of rank 1 are set.
template <class Columns>
struct row_values;
template <class... Ts>
struct row_values<Tuple<Column<Ts>...>> {
  using type = Tuple<Ts...>;
};
// A row of a tile whose rank-1 values are in shared memory.
template <class Args, class Values>
struct TileRow {
  const Values& values;
  const Args& tile;
  std::int64_t tile_row;
  template <int K, class T, int R>
  __device__ __forceinline__ T get_input(std::int32_t column) const {
    if constexpr (R == 2) {
      const auto& in = get<K>(tile.inputs);
      return in.data[tile_row * in.row_stride + column * in.column_stride];
    } else {
      return get<K>(values);
    }
  }
};

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
