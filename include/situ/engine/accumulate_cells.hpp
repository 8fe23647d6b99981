// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/accumulate.hpp"

// Accumulators with many cells. Elements are added in the order of the rows, so the bits are the same
// for every instruction set.
namespace situ::detail {

// ---- histograms --------------------------------------------------------------------------------------

template <class Bin, class W, class Bins, int N>
struct Accumulator<Reduce<HistogramOf, Bin, W, Bins>, N> {
  using Cell = sum_t<typename W::value_type>;
  // Counts of small histograms go to four tables in turn: neighbouring rows often hit the same bin, and
  // an increment that waits for the last one is slow (bench/histogram.cpp).
  static constexpr bool counts = std::is_same_v<W, One>;
  static constexpr int tables = 4;
  static constexpr std::int64_t small = counts ? 1024 : 0;
  std::uint32_t table[static_cast<std::size_t>(tables * (counts ? small : 1))];
  Cell* cells;
  std::int64_t bins;

  template <class Args>
  void start(Cell* first, std::int64_t count, const Args&) {
    cells = first;
    bins = count;
    if (bins <= small) std::fill_n(table, tables * bins, 0u);
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int, const M& active) {
    alignas(64) std::int32_t bin[lane_count<N>];
    simd::store(bin, as_pack<std::int32_t, N>(Eval<Bin>::at(c)));
    if constexpr (counts) {
      if (bins <= small) {
        for (int l = 0; l < N; ++l) {
          if (Masked && !lane_of(active, l)) continue;
          ++table[(l % tables) * static_cast<int>(bins) + bin[l]];
        }
        return;
      }
    }
    add_weighted<Masked>(bin, Eval<W>::at(c), active);
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    cells[Eval<Bin>::at(c)] += static_cast<Cell>(Eval<W>::at(c));
  }
  template <class Ctx>
  SITU_INLINE void add_rows(const Ctx& c, std::int32_t, int n) {
    add<true>(c, 0, simd::iota<N>(0) < simd::broadcast<N>(n));
  }
  template <class Ctx>
  SITU_INLINE void add_columns(const Ctx& c, std::int32_t, int n) {
    add<true>(c, 0, simd::iota<N>(0) < simd::broadcast<N>(n));
  }
  SITU_INLINE void finish() {
    if (bins > small) return;
    for (std::int64_t b = 0; b < bins; ++b) {
      for (int t = 0; t < tables; ++t) cells[b] += static_cast<Cell>(table[t * bins + b]);
    }
  }

 private:
  template <bool Masked, class X, class M>
  SITU_INLINE void add_weighted(const std::int32_t (&bin)[lane_count<N>], const X& w, const M& active) {
    for (int l = 0; l < N; ++l) {
      if (Masked && !lane_of(active, l)) continue;
      cells[bin[l]] += static_cast<Cell>(lane_of(w, l));
    }
  }
};

// ---- one cell per column ------------------------------------------------------------------------------

template <class Kind, class... Es, int N>
struct Accumulator<Reduce<PerColumnOf<Kind>, Es...>, N> {
  using Cell = typename Reduce<PerColumnOf<Kind>, Es...>::cell;
  Cell* cells;
  template <class Args>
  SITU_INLINE void start(Cell* first, std::int64_t, const Args&) {
    cells = first;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int, const M& active) {  // operands with one value per row
    for (int l = 0; l < N; ++l) {
      if (Masked && !lane_of(active, l)) continue;
      put(cells[0], l, Eval<Es>::at(c)...);
    }
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    put(cells[0], 0, Eval<Es>::at(c)...);
  }
  template <class Ctx>
  SITU_INLINE void add_rows(const Ctx& c, std::int32_t j, int n) {
    put_rows(cells[j], n, Eval<Es>::at(c)...);
  }
  template <class Ctx>
  SITU_INLINE void add_columns(const Ctx& c, std::int32_t j, int n) {
    put_columns(cells + j, n, Eval<Es>::at(c)...);
  }
  SITU_INLINE void finish() {}

 private:
  template <class... Xs>
  SITU_INLINE void put(Cell& cell, int l, const Xs&... xs) {
    Kind::template add<typename Es::value_type...>(cell, lane_of(xs, l)...);
  }
  template <class... Xs>
  SITU_INLINE void put_rows(Cell& cell, int n, const Xs&... xs) {
    for (int l = 0; l < n; ++l) put(cell, l, xs...);
  }
  template <class... Xs>
  SITU_INLINE void put_columns(Cell* first, int n, const Xs&... xs) {
    for (int l = 0; l < n; ++l) put(first[l], l, xs...);
  }
};

// ---- stored rows --------------------------------------------------------------------------------------

template <class... Es, int N>
struct Accumulator<Reduce<ColumnsOf, Es...>, N> {
  using Cell = typename Reduce<ColumnsOf, Es...>::cell;
  Cell* next;
  template <class Args>
  SITU_INLINE void start(Cell* first, std::int64_t, const Args&) {
    next = first;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int, const M& active) {
    put<Masked>(active, Eval<Es>::at(c)...);
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    *next++ = make_tuple(static_cast<compute_t<typename Es::value_type>>(Eval<Es>::at(c))...);
  }
  SITU_INLINE void finish() {}

 private:
  template <bool Masked, class M, class... Xs>
  SITU_INLINE void put(const M& active, const Xs&... xs) {
    for (int l = 0; l < N; ++l) {
      if (Masked && !lane_of(active, l)) continue;
      *next++ = make_tuple(static_cast<compute_t<typename Es::value_type>>(lane_of(xs, l))...);
    }
  }
};

}  // namespace situ::detail
