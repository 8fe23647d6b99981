// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda_stage.hpp"
#include "situ/engine/scalar_row.hpp"

// What a block does with one chunk of rows.
namespace situ::detail::gpu {

template <class P, class Args, class Targets>
class BlockChunk;
template <class... Ns, class... Is, class... Ws, class Args, class... Ts>
class BlockChunk<Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>, Args, Tuple<Ts...>> {
  using P = Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>;
  using Params = Parameters<P, Args, Tuple<Ts...>>;
  using Env = typename P::template Env<0>;
  static constexpr int wanted = P::wanted_count;
  template <int I>
  using W = type_at_t<I, Types<Ws...>>;
  template <int I>
  using Traits = part_traits<W<I>>;
  template <class X>
  using cell_if_single = std::conditional_t<part_traits<X>::single, typename X::cell, Nothing>;
  template <class X>
  using cell_if_column = std::conditional_t<part_traits<X>::columns, typename X::cell, Nothing>;
  using Cells = Tuple<cell_if_single<Ws>...>;
  // This thread's strand of its column, while there are no more of them than threads.
  using ColumnCells = Tuple<cell_if_column<Ws>...>;
  static constexpr bool has_rows = P::reads_rows || P::levels > 0 || (per_element<Ws> || ...);
  static constexpr bool has_columns = (part_traits<Ws>::columns || ...);
  static constexpr bool has_cells = (part_traits<Ws>::single || ...);
  // What the column phase knows of a row: its nodes' values and its own values of rank-1 inputs.
  using Values = typename row_values<decltype(Args::inputs)>::type;
  struct RowInTile {
    Env env;
    Values values;
    bool good;
  };

 public:
  static constexpr std::int32_t row_in_tile_bytes =
      has_columns ? static_cast<std::int32_t>(sizeof(RowInTile)) : 0;
  // Shared memory in which the strands of one reduction meet.
  static constexpr std::int64_t strand_bytes =
      block_threads * largest<0, part_traits<Ws>::column_bytes...>;
  // One value of every warp: the cells, or the state of a row reduction.
  struct Exchange {
    static constexpr std::size_t most = sizeof(Cells) > 64 ? sizeof(Cells) : 64;
    alignas(16) unsigned char bytes[most * (block_threads / warp_threads)];
  };

  __device__ __forceinline__ BlockChunk(const Params& p, unsigned char* dynamic, void* exchange,
                                        std::int64_t chunk)
      : p_(p), dynamic_(dynamic), exchange_(exchange), chunk_(chunk) {}

  // Accumulates the chunk and leaves its partial results in memory. `bad`: the first row that broke
  // a promise, as far as this thread knows.
  __device__ __forceinline__ void run(std::int64_t& bad) {
    const std::int64_t first = chunk_ * p_.g.rows_per_chunk;
    const std::int64_t end = first + p_.g.rows_per_chunk;
    const std::int64_t last = end < p_.args.rows ? end : p_.args.rows;
    Cells cells;
    each<wanted>([&]<int I>() {
      if constexpr (Traits<I>::single) get<I>(cells) = cell_traits<W<I>>::empty();
      if constexpr (Traits<I>::bins) clear_bins<I>();
    });
    __syncthreads();
    ColumnCells mine;
    each<wanted>([&]<int I>() {
      if constexpr (Traits<I>::columns) get<I>(mine) = cell_traits<W<I>>::empty();
    });
    if constexpr (has_rows) {
      rows(first, last, cells, mine, bad);
    } else {
      flat(first, last, cells, bad);
    }
    const Group block{block_threads, static_cast<int>(threadIdx.x), 0xffffffffu, exchange_};
    if constexpr (has_cells) {
      cells = combine(block, cells, [](const Cells& a, const Cells& b) { return merged(a, b); });
    }
    each<wanted>([&]<int I>() {
      if constexpr (Traits<I>::single) {
        if (threadIdx.x == 0) get<I>(p_.parts).partial[chunk_] = get<I>(cells);
      }
      if constexpr (Traits<I>::bins) leave_bins<I>();
      if constexpr (Traits<I>::columns) leave_columns<I>(get<I>(mine));
    });
    __syncthreads();  // shared memory is free for the next chunk
  }

 private:
  __device__ static __forceinline__ Cells merged(Cells a, const Cells& b) {
    each<wanted>([&]<int I>() {
      if constexpr (Traits<I>::single) cell_traits<W<I>>::merge(get<I>(a), get<I>(b));
    });
    return a;
  }

  // ---- one value per row
  // -------------------------------------------------------------------------------

  __device__ __forceinline__ void flat(std::int64_t first, std::int64_t last, Cells& cells,
                                       std::int64_t& bad) {
    using Columns = decltype(Args::inputs);
    const Group alone{1, 0, 0xffffffffu, exchange_};
    // All threads make the same number of turns: those of one warp ask one another for bins.
    for (std::int64_t base = first; base < last; base += flat_rows * block_threads) {
      const std::int64_t row = base + flat_rows * static_cast<std::int64_t>(threadIdx.x);
      const std::int64_t left = last - row;
      const int n = left >= flat_rows ? flat_rows : (left > 0 ? static_cast<int>(left) : 0);
      Loaded<Columns> loaded;
      loaded.load(p_.args, n > 0 ? row : first, n, p_.g.vectorised != 0);
#pragma unroll
      for (int k = 0; k < flat_rows; ++k) {
        const LoadedRow<Columns> source{loaded, k};
        RowWalk<P, Args, LoadedRow<Columns>> walk{p_.args, source, alone, {}, true};
        walk.run(Types<Ns...>{});
        note(bad, walk.good, k < n, row + k);
        add_row(cells, walk, k < n && walk.good, true, row + k);
      }
    }
  }

  // ---- rows of columns
  // ---------------------------------------------------------------------------------

  __device__ __forceinline__ void rows(std::int64_t first, std::int64_t last, Cells& cells,
                                       ColumnCells& mine, std::int64_t& bad) {
    const int lanes = p_.g.lanes;
    const int tile_rows = block_threads / lanes;
    const int thread = static_cast<int>(threadIdx.x);
    const int local = thread / lanes;
    const Group group = group_of(lanes, exchange_);
    Args tile = p_.args;
    const Stage<Types<Is...>> stage{dynamic_, p_.args.columns, tile_rows};
    if (p_.g.staged) stage.point(tile);
    for (std::int64_t t = first; t < last; t += tile_rows) {
      const int n = static_cast<int>(last - t < tile_rows ? last - t : tile_rows);
      if (p_.g.staged) stage.fill(p_.args, t, n);
      const bool active = local < n;
      const std::int64_t row = t + (active ? local : 0);
      Values values;
      load_values(values, row, group);
      const TileRow<Args, Values> source{values, tile, p_.g.staged ? row - t : row};
      RowWalk<P, Args, TileRow<Args, Values>> walk{p_.args, source, group, {}, true};
      walk.run(Types<Ns...>{});
      note(bad, walk.good, active, row);
      add_row(cells, walk, active && walk.good, group.lane == 0, row);
      if constexpr (has_columns) {
        auto* of_tile = reinterpret_cast<RowInTile*>(dynamic_ + p_.g.rows_offset);
        if (active && group.lane == 0) of_tile[local] = {walk.env, values, walk.good};
        __syncthreads();
        each<wanted>([&]<int I>() {
          if constexpr (Traits<I>::columns) {
            add_columns<I>(get<I>(mine), of_tile, tile, t, n, t == first);
          }
        });
        __syncthreads();
      }
    }
  }

  // ---- accumulating one row
  // ----------------------------------------------------------------------------

  __device__ static __forceinline__ void note(std::int64_t& bad, bool good, bool active,
                                              std::int64_t row) {
    if (active && !good && row < bad) bad = row;
  }

  // `leader`: the one thread of a row that adds its values.
  template <class Walk>
  __device__ __forceinline__ void add_row(Cells& cells, const Walk& walk, bool good, bool leader,
                                          std::int64_t row) {
    each<wanted>([&]<int I>() {
      using R = W<I>;
      if constexpr (Traits<I>::single) {
        if (good && leader) AddSingle<R>::add(get<I>(cells), walk.at(0));
      } else if constexpr (Traits<I>::bins && per_element<R>) {
        for (std::int32_t j = 0; j < p_.args.columns; j += walk.group.lanes) {
          const std::int32_t column = j + walk.group.lane;
          const bool inside = column < p_.args.columns;
          add_bin<I>(walk.at(inside ? column : 0), good && inside);
        }
      } else if constexpr (Traits<I>::bins) {
        add_bin<I>(walk.at(0), good && leader);
      } else if constexpr (Traits<I>::rows) {
        if (good && leader) store_record<I>(static_cast<R*>(nullptr), walk.at(0), row);
      }
    });
  }
  template <int I, class... Es, class Here>
  __device__ __forceinline__ void store_record(Reduce<ColumnsOf, Es...>*, const Here& here,
                                               std::int64_t row) {
    get<I>(p_.targets)
        .store(row, typename W<I>::cell(record(
                        static_cast<compute_t<typename Es::value_type>>(Eval<Es>::at(here))...)));
  }
  __device__ static __forceinline__ Tuple<> record() { return {}; }
  template <class X, class... Xs>
  __device__ static __forceinline__ Tuple<X, Xs...> record(X x, Xs... xs) {
    return {x, record(xs...)};
  }

  // The tile's rows of one column, in `strands` strands. Cells are in registers when every thread
  // has at most one, else in the memory of the pass.
  template <int I, class Cell>
  __device__ __forceinline__ void add_columns(Cell& mine, const RowInTile* of_tile,
                                              const Args& tile, std::int64_t first, int n,
                                              bool fresh) {
    const std::int32_t columns = p_.args.columns;
    const int strands = strands_for(columns);
    if (columns <= block_threads) {
      const int k = static_cast<int>(threadIdx.x);
      if (k < strands * columns) {
        add_strand<I>(mine, of_tile, tile, first, n, k / columns, strands, k % columns);
      }
      return;
    }
    Cell* partial = get<I>(p_.parts).partial + chunk_ * columns;
    for (auto k = static_cast<std::int32_t>(threadIdx.x); k < columns; k += block_threads) {
      Cell cell = fresh ? cell_traits<W<I>>::empty() : partial[k];
      add_strand<I>(cell, of_tile, tile, first, n, 0, 1, k);
      partial[k] = cell;
    }
  }
  // Joins the strands of every column in order.
  template <int I, class Cell>
  __device__ __forceinline__ void leave_columns(const Cell& mine) {
    const std::int32_t columns = p_.args.columns;
    if (columns > block_threads) return;
    const int strands = strands_for(columns);
    const int k = static_cast<int>(threadIdx.x);
    auto* cells = reinterpret_cast<Cell*>(dynamic_);
    __syncthreads();
    if (k < strands * columns) cells[k] = mine;
    __syncthreads();
    if (k >= columns) return;
    Cell cell = cells[k];
    for (int s = 1; s < strands; ++s) cell_traits<W<I>>::merge(cell, cells[s * columns + k]);
    get<I>(p_.parts).partial[chunk_ * columns + k] = cell;
  }
  template <int I, class Cell>
  __device__ __forceinline__ void add_strand(Cell& cell, const RowInTile* of_tile, const Args& tile,
                                             std::int64_t first, int n, int strand, int strands,
                                             std::int32_t column) {
    for (int r = strand; r < n; r += strands) {
      if (!of_tile[r].good) continue;
      const TileRow<Args, Values> source{of_tile[r].values, tile, p_.g.staged ? r : first + r};
      const Context<P, Args, TileRow<Args, Values>> here{p_.args, source, of_tile[r].env, column};
      add_cell(static_cast<W<I>*>(nullptr), cell, here);
    }
  }
  template <class Kind, class... Es, class Cell, class Here>
  __device__ static __forceinline__ void add_cell(Reduce<PerColumnOf<Kind>, Es...>*, Cell& cell,
                                                  const Here& here) {
    Kind::template add<typename Es::value_type...>(cell, Eval<Es>::at(here)...);
  }
  // Rank-1 inputs of a row are read by one thread of its group in a warp.
  __device__ __forceinline__ void load_values(Values& values, std::int64_t row,
                                              const Group& group) const {
    (load_value(static_cast<Is*>(nullptr), values, row, group), ...);
  }
  template <int K, class T>
  __device__ __forceinline__ void load_value(Input<K, T, 1>*, Values& values, std::int64_t row,
                                             const Group& group) const {
    const auto& in = get<K>(p_.args.inputs);
    const int lane = group.lane % warp_threads;
    T x{};
    if (lane == 0) x = in.data[row * in.row_stride];
    get<K>(values) =
        group.lanes == 1
            ? x
            : shuffle_from(x, static_cast<int>(threadIdx.x) % warp_threads - lane, group.mask);
  }
  template <int K, class T>
  __device__ __forceinline__ void load_value(Input<K, T, 2>*, Values&, std::int64_t,
                                             const Group&) const {}

  // ---- bins
  // --------------------------------------------------------------------------------------------

  template <int I>
  __device__ __forceinline__ bool bins_are_shared() const {
    return Traits<I>::may_be_shared && get<I>(p_.parts).shared_offset >= 0;
  }
  template <int I>
  __device__ __forceinline__ unsigned char* shared_bins() const {
    return dynamic_ + get<I>(p_.parts).shared_offset;
  }

  template <int I>
  __device__ __forceinline__ void clear_bins() {
    const std::int64_t n = get<I>(p_.parts).count;
    if constexpr (Traits<I>::counts) {
      if (!bins_are_shared<I>()) return;
      auto* bins = reinterpret_cast<unsigned*>(shared_bins<I>());
      for (std::int64_t b = threadIdx.x; b < n; b += block_threads) bins[b] = 0;
    } else {
      double* bins = weight_bins<I>();
      for (std::int64_t b = threadIdx.x; b < n; b += block_threads) bins[b] = 0;
    }
  }
  template <int I>
  __device__ __forceinline__ double* weight_bins() {
    if (bins_are_shared<I>()) return reinterpret_cast<double*>(shared_bins<I>());
    return get<I>(p_.parts).partial + chunk_ * get<I>(p_.parts).count;
  }
  template <int I, class Here>
  __device__ __forceinline__ void add_bin(const Here& here, bool active) {
    using B = BinOf<W<I>>;
    if constexpr (Traits<I>::counts) {
      if (!active) return;
      const std::int32_t bin = B::bin(here);
      const std::int64_t n = B::weight(here);
      if (bins_are_shared<I>()) {
        count_shared(reinterpret_cast<unsigned*>(shared_bins<I>()), bin, n);
      } else {
        count_global(get<I>(p_.parts).partial, bin, n);
      }
    } else {
      const std::int32_t bin = active ? B::bin(here) : -1;
      const double weight = active ? B::weight(here) : 0.0;
      double* bins = weight_bins<I>();
      for (unsigned w = 0; w < block_threads / warp_threads; ++w) {
        if (threadIdx.x / warp_threads == w) add_weights_of_warp(bins, bin, weight, active);
        __syncthreads();
      }
    }
  }
  template <int I>
  __device__ __forceinline__ void leave_bins() {
    if (!bins_are_shared<I>()) return;
    __syncthreads();
    const auto& part = get<I>(p_.parts);
    if constexpr (Traits<I>::counts) {
      const auto* bins = reinterpret_cast<const unsigned*>(shared_bins<I>());
      for (std::int64_t b = threadIdx.x; b < part.count; b += block_threads) {
        if (bins[b] != 0) count_global(part.partial, static_cast<std::int32_t>(b), bins[b]);
      }
    } else {
      const auto* bins = reinterpret_cast<const double*>(shared_bins<I>());
      for (std::int64_t b = threadIdx.x; b < part.count; b += block_threads) {
        part.partial[chunk_ * part.count + b] = bins[b];
      }
    }
  }

  const Params& p_;
  unsigned char* dynamic_;
  void* exchange_;
  std::int64_t chunk_;
};

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
