// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "situ/engine/cells.hpp"
#include "situ/engine/lane_columns.hpp"
#include "situ/engine/resource.hpp"

// The host's fused pass: all reductions of a plan over all rows, read once.
namespace situ::detail {

// Cells of a reduction during a pass. A single one needs no memory of its own: small updates are quick.
template <class Cell>
class CellArray {
 public:
  void assign(std::int64_t n, Cell empty) {
    size_ = n;
    if (n == 1) {
      one_ = empty;
    } else {
      many_.assign(static_cast<std::size_t>(n), empty);
    }
  }
  void truncate(std::int64_t n) {
    if (n == 1 && size_ != 1) one_ = many_[0];
    size_ = n;
  }
  Cell* data() { return size_ == 1 ? &one_ : many_.data(); }
  std::span<const Cell> cells() const {
    return {size_ == 1 ? &one_ : many_.data(), static_cast<std::size_t>(size_)};
  }

 private:
  Cell one_{};
  std::int64_t size_ = 0;
  std::vector<Cell> many_;
};

// Accumulated cells of each reduction of a plan.
template <class Wanted>
struct cells_for;
template <class... Ws>
struct cells_for<Types<Ws...>> {
  using type = Tuple<CellArray<typename Ws::cell>...>;
};
template <class Wanted>
using Cells = typename cells_for<Wanted>::type;

// Elements that one part of a pass covers (bench/elementwise.cpp): large enough that its start-up does not
// show, small enough to share out and for its lanes to stay exact in 32 bits.
inline constexpr std::int64_t part_elements = 1 << 16;
// Memory that the parts' separate results may take together: more costs more to clear and join than the parts
// save (confusion matrices in bench/rows.cpp).
inline constexpr std::int64_t most_part_bytes = std::int64_t{1} << 22;
// From this many parts on a pass is worth waking threads for (bench/small.cpp).
inline constexpr std::int64_t parallel_parts = 4;

// How a pass is cut: a function of the problem only, never of the threads.
struct Partition {
  std::int64_t rows_per_part;
  std::int64_t parts;
};
inline Partition partition(std::int64_t rows, std::int64_t columns, std::int64_t cell_bytes) {
  std::int64_t per_part = part_elements / std::max<std::int64_t>(columns, 1);
  const std::int64_t most = std::clamp<std::int64_t>(
      most_part_bytes / std::max<std::int64_t>(cell_bytes, 1), 4, 4096);
  per_part = std::max(per_part, (rows + most - 1) / most);
  per_part = (std::max<std::int64_t>(per_part, 1) + logical_lanes - 1) / logical_lanes * logical_lanes;
  return {per_part, std::max<std::int64_t>((rows + per_part - 1) / per_part, 1)};
}

template <class Plan, class Args, int N>
class HostPass;
template <class... Ns, class... Is, class... Ws, class Args, int N>
class HostPass<Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>, Args, N> {
  using P = Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>;
  static constexpr int wanted = static_cast<int>(sizeof...(Ws));
  using Accumulators = Tuple<Accumulator<Ws, N>...>;

 public:
  explicit HostPass(const Args& args) : args_(args) {
    counts_ = {cell_traits<Ws>::count(args)..., 0};
    safe_ = std::min({args.rows, overread_rows(static_cast<Is*>(nullptr))...});
  }

  // Accumulates everything into `cells`, which is overwritten. The result names the first broken promise,
  // if there is one; the cells are then of no use.
  Violation run(const AnyExecutor& executor, Cells<Types<Ws...>>& cells) {
    std::int64_t bytes = 0;
    for_each_index<wanted>([&]<int I>() {
      using T = cell_traits<type_at_t<I, Types<Ws...>>>;
      if (T::layout != Layout::rows) {
        bytes += counts_[I] * static_cast<std::int64_t>(sizeof(typename T::cell));
      }
    });
    cut_ = partition(args_.rows, args_.columns, bytes);
    for_each_index<wanted>([&]<int I>() {
      using T = cell_traits<type_at_t<I, Types<Ws...>>>;
      const std::int64_t n = T::layout == Layout::rows ? counts_[I] : counts_[I] * cut_.parts;
      get<I>(cells).assign(n, T::empty());
    });
    if (cut_.parts >= parallel_parts && executor.is_parallel()) {
      std::vector<Violation> found(static_cast<std::size_t>(cut_.parts));
      auto one = [&](std::int64_t p) { found[static_cast<std::size_t>(p)] = part(p, cells); };
      executor.run(cut_.parts, one);
      for (const Violation& v : found) {
        if (v.row != Violation::none) return v;
      }
    } else {
      for (std::int64_t p = 0; p < cut_.parts; ++p) {
        const Violation v = part(p, cells);
        if (v.row != Violation::none) return v;
      }
    }
    for_each_index<wanted>([&]<int I>() { join<I>(cells); });
    return {Violation::none, 0, 0, 0};
  }

 private:
  template <int K, class T>
  std::int64_t overread_rows(Input<K, T, 2>*) const {
    const auto& in = get<K>(args_.inputs);
    if (in.column_stride != 1) return 0;
    return std::min(rows_safe_to_overread<N>(in, args_.rows, args_.columns),
                    rows_safe_to_overread<logical_lanes>(in, args_.rows, args_.columns));
  }
  template <int K, class T>
  std::int64_t overread_rows(Input<K, T, 1>*) const {
    return args_.rows;
  }

  template <int I>
  void join(Cells<Types<Ws...>>& cells) {
    using T = cell_traits<type_at_t<I, Types<Ws...>>>;
    if constexpr (T::layout != Layout::rows) {
      auto* all = get<I>(cells).data();
      const std::int64_t n = counts_[I];
      for (std::int64_t p = 1; p < cut_.parts; ++p) {
        for (std::int64_t k = 0; k < n; ++k) T::merge(all[k], all[p * n + k]);
      }
      get<I>(cells).truncate(n);
    }
  }

  [[gnu::noinline]] Violation part(std::int64_t p, Cells<Types<Ws...>>& cells) const {
    const std::int64_t first = p * cut_.rows_per_part;
    const std::int64_t last = std::min(first + cut_.rows_per_part, args_.rows);
    bool good = true;
    if constexpr (P::reads_rows) {
      good = args_.columns <= longest_short_row<P> ? short_rows(p, first, last, cells)
                                                : long_rows(p, first, last, cells);
    } else {
      good = short_rows(p, first, last, cells);
    }
    if (!good) return find_violation<P>(args_, first, last);
    return {Violation::none, 0, 0, 0};
  }

  SITU_INLINE void start(Accumulators& acc, std::int64_t p, std::int64_t first,
                         Cells<Types<Ws...>>& cells) const {
    for_each_index<wanted>([&]<int I>() __attribute__((always_inline)) {
      using T = cell_traits<type_at_t<I, Types<Ws...>>>;
      const std::int64_t offset = T::layout == Layout::rows ? first : p * counts_[I];
      get<I>(acc).start(get<I>(cells).data() + offset, counts_[I], args_);
    });
  }
  SITU_INLINE void finish(Accumulators& acc) const {
    for_each_index<wanted>([&]<int I>() __attribute__((always_inline)) { get<I>(acc).finish(); });
  }

  // The accumulators live in the function with the loop and everything in it is inlined: else they would
  // live in memory instead of registers.
  bool short_rows(std::int64_t p, std::int64_t first, std::int64_t last,
                  Cells<Types<Ws...>>& cells) const {
    Accumulators acc;
    start(acc, p, first, cells);
    tiles_of<P> tiles;
    auto verdicts = simd::broadcast<N>(true);
    std::int64_t i = first;
    for (; i + logical_lanes <= last; i += logical_lanes) {
      fill_tiles(tiles, i, logical_lanes);
      if constexpr (P::reads_rows || logical_lanes / N > 2) {
        for (int u = 0; u < logical_lanes / N; ++u) {
          if (!step<false>(tiles, i, u, N, acc, verdicts)) return false;
        }
      } else {
        // Two packs of accumulators can stay in registers, more cannot, and copies of the code cost compile
        // time.
        bool good = true;
        for_each_index<logical_lanes / N>([&]<int U>() __attribute__((always_inline)) {
          good = good && step<false>(tiles, i, U, N, acc, verdicts);
        });
        if (!good) return false;
      }
    }
    finish(acc);
    return simd::all(verdicts) && (i == last || last_rows(p, i, last, cells));
  }

  // Fewer rows than a tile has. Apart from the loop, whose accumulators it would force into memory.
  [[gnu::noinline]] bool last_rows(std::int64_t p, std::int64_t first, std::int64_t last,
                                   Cells<Types<Ws...>>& cells) const {
    Accumulators acc;
    start(acc, p, first, cells);
    tiles_of<P> tiles;
    auto verdicts = simd::broadcast<N>(true);
    const int rows = static_cast<int>(last - first);
    fill_tiles(tiles, first, rows);
    for (int u = 0; u * N < rows; ++u) {
      if (!step<true>(tiles, first, u, std::min(N, rows - u * N), acc, verdicts)) return false;
    }
    finish(acc);
    return simd::all(verdicts);
  }

  template <bool Masked>
  SITU_INLINE bool step(const tiles_of<P>& tiles, std::int64_t tile_row, int u, int active,
                        Accumulators& acc, simd::Pack<bool, N>& verdicts) const {
    RowsWalk<P, Args, N, Masked> walk{args_, tiles, {}, tile_row + u * N, u * N, active, verdicts};
    if (!walk.run(Types<Ns...>{})) return false;
    const auto here = walk.at(0);
    for_each_index<wanted>([&]<int I>() __attribute__((always_inline)) {
      if constexpr (per_element<type_at_t<I, Types<Ws...>>>) {
        for (std::int32_t j = 0; j < args_.columns; ++j) {
          get<I>(acc).add_rows(walk.at(j), j, active);
        }
      } else {
        get<I>(acc).template add<Masked>(here, u, here.mask());
      }
    });
    return true;
  }

  void fill_tiles(tiles_of<P>& tiles, std::int64_t row, int rows) const {
    for_each_index<static_cast<int>(sizeof...(Is))>([&]<int I>() {
      fill_one(static_cast<type_at_t<I, Types<Is...>>*>(nullptr), get<I>(tiles), row, rows);
    });
  }
  template <int K, class T, std::int32_t Columns>
  void fill_one(Input<K, T, 2>*, Tile<T, Columns>& tile, std::int64_t row, int rows) const {
    const auto& in = get<K>(args_.inputs);
    if (args_.columns == 1 && in.row_stride == 1) {
      fill_column<N>(tile, in, row, rows);
    } else {
      fill_tile<N>(tile, in, row, rows, args_.columns, safe_);
    }
  }
  template <int K, class T>
  void fill_one(Input<K, T, 1>*, Nothing&, std::int64_t, int) const {}

  bool long_rows(std::int64_t p, std::int64_t first, std::int64_t last,
                 Cells<Types<Ws...>>& cells) const {
    Accumulators acc;
    start(acc, p, first, cells);
    for (std::int64_t i = first; i < last; ++i) {
      ColumnsWalk<P, Args, N, false> walk{args_, {}, i, i < safe_};
      if (!walk.run(Types<Ns...>{})) return false;
      const auto here = walk.here();
      for_each_index<wanted>([&]<int I>() __attribute__((always_inline)) {
        if constexpr (!per_element<type_at_t<I, Types<Ws...>>>) get<I>(acc).add_row(here);
      });
      if constexpr ((per_element<Ws> || ...)) {
        walk.each_pack([&](const auto& at, std::int32_t j, int n) __attribute__((always_inline)) {
          for_each_index<wanted>([&]<int I>() __attribute__((always_inline)) {
            if constexpr (per_element<type_at_t<I, Types<Ws...>>>) get<I>(acc).add_columns(at, j, n);
          });
        });
      }
    }
    finish(acc);
    return true;
  }

  const Args& args_;
  std::array<std::int64_t, sizeof...(Ws) + 1> counts_;
  std::int64_t safe_;
  Partition cut_{};
};

}  // namespace situ::detail
