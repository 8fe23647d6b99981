// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/accumulate.hpp"

// Accumulators with many cells. Elements are added in the order of the rows, so the bits are the same
// for every instruction set.
namespace situ::detail {

// ---- histograms --------------------------------------------------------------------------------------

// Bins are written to a block first and counted from there: taken from registers one by one they are slow,
// and a block can be counted in four tables in turn, because an increment that waits for the last one on the
// same bin is slow too (bench/elementwise.cpp).
template <class Bin, class W, class Bins, int N>
struct Accumulator<Reduce<HistogramOf, Bin, W, Bins>, N> {
  using V = typename W::value_type;
  using Cell = sum_t<V>;
  static constexpr bool counts = std::is_same_v<W, One>;
  static constexpr int block = 512;
  static constexpr int tables = 4;
  static constexpr std::int64_t most_bins = counts ? 1024 : 0;  // of the tables: 16 KiB
  std::int32_t bin[block];
  Cell weight[counts ? 1 : block];
  std::uint32_t table[static_cast<std::size_t>(counts ? tables * most_bins : 1)];
  int filled;
  Cell* cells;
  std::int64_t bins;

  template <class Args>
  SITU_INLINE void start(Cell* first, std::int64_t count, const Args&) {
    filled = 0;
    cells = first;
    bins = count;
    if (bins <= most_bins) std::fill_n(table, tables * bins, 0u);
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int, const M& active) {
    put<Masked>(as_pack<std::int32_t, N>(Eval<Bin>::at(c)), as_pack<compute_t<V>, N>(Eval<W>::at(c)),
                active);
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
    drain();
    if (bins > most_bins) return;
    for (std::int64_t b = 0; b < bins; ++b) {
      for (int t = 0; t < tables; ++t) cells[b] += static_cast<Cell>(table[t * bins + b]);
    }
  }

 private:
  template <bool Masked, class B, class X, class M>
  SITU_INLINE void put(const B& b, const X& w, const M& active) {
    if constexpr (Masked) {
      for (int l = 0; l < N; ++l) {
        if (!lane_of(active, l)) continue;
        bin[filled] = lane_of(b, l);
        if constexpr (!counts) weight[filled] = static_cast<Cell>(lane_of(w, l));
        ++filled;
      }
    } else {
      simd::store(bin + filled, b);
      if constexpr (!counts) simd::store(weight + filled, simd::convert<Cell>(w));
      filled += N;
    }
    if (filled > block - N) drain();
  }
  SITU_INLINE void drain() {
    const int n = filled;
    if constexpr (counts) {
      if (bins <= most_bins) {
        std::uint32_t* t[tables];
        for (int k = 0; k < tables; ++k) t[k] = table + k * bins;
        int i = 0;
        for (; i + tables <= n; i += tables) {
          ++t[0][bin[i]];
          ++t[1][bin[i + 1]];
          ++t[2][bin[i + 2]];
          ++t[3][bin[i + 3]];
        }
        for (; i < n; ++i) ++t[0][bin[i]];
      } else {
        for (int i = 0; i < n; ++i) ++cells[bin[i]];
      }
    } else {
      for (int i = 0; i < n; ++i) cells[bin[i]] += weight[i];
    }
    filled = 0;
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
