// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "situ/engine/cells.hpp"
#include "situ/simd/load.hpp"

// How the host accumulates a reduction. 32 logical lanes, whatever the register width: element i of a
// part goes to lane i % 32 and a fixed tree joins the lanes at the end, so that the bits of a result
// depend neither on the instruction set nor on the number of threads.
namespace situ::detail {

inline constexpr int logical_lanes = simd::logical_lanes;
template <int N>
inline constexpr std::size_t lane_count = static_cast<std::size_t>(N);
template <int N>
inline constexpr std::size_t pack_count = static_cast<std::size_t>(logical_lanes / N);

// Lane l of a pack, or the scalar that stands for all lanes.
template <class X>
SITU_INLINE auto lane_of(const X& x, int) {
  return x;
}
template <class T, int N>
SITU_INLINE T lane_of(const simd::Pack<T, N>& x, int l) {
  return simd::lane(x, l);
}
template <class C, int N, class X>
SITU_INLINE simd::Pack<C, N> as_pack(const X& x) {
  return spread<N, true>(simd::convert<C>(x));
}

// Base of all: one cell that takes elements one at a time. Kinds for which that is fast enough, or
// which have a cell per column or row, need no more.
template <class R, int N>
struct Accumulator;

// An accumulator offers
//   start(cells, count, args)          before the first element; cells are empty
//   add<Masked>(ctx, u, active)        N rows at once, those in the mask
//   add_row(ctx)                       one row, from a scalar context
//   add_columns(ctx, j, count)         `count` columns from j on of one row   (rank-2 operands)
//   add_rows(ctx, j, count)            column j of `count` rows               (rank-2 operands)
//   finish()                           joins the lanes into the cells

// ---- sums ------------------------------------------------------------------------------------------

template <class E, int N>
struct Accumulator<Reduce<SumOf, E>, N> {
  using V = typename E::value_type;
  using Cell = sum_t<V>;
  using Lane = std::conditional_t<std::is_same_v<V, bool>, std::int32_t, Cell>;
  simd::Pack<Lane, N> lanes[pack_count<N>];
  Cell total;
  Cell* cell;

  template <class Args>
  SITU_INLINE void start(Cell* cells, std::int64_t, const Args&) {
    for (auto& l : lanes) l = simd::broadcast<N>(Lane{0});
    total = 0;
    cell = cells;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int u, const M& active) {
    auto x = as_pack<compute_t<V>, N>(Eval<E>::at(c));
    if constexpr (Masked) x = op::RowSum::neutral<V, N>(x, active);
    if constexpr (std::is_same_v<V, bool>) {
      simd::count_add(lanes[u], x);
    } else if constexpr (std::is_same_v<compute_t<V>, float>) {
      simd::widen_add(lanes[u], x);
    } else {
      lanes[u] = lanes[u] + simd::convert<Cell>(x);
    }
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    SumOf::add<V>(total, Eval<E>::at(c));
  }
  SITU_INLINE void finish() { *cell += total + static_cast<Cell>(simd::tree_sum(lanes)); }
};

// sum(weight) without a weight counts rows.
template <int N>
struct Accumulator<Reduce<SumOf, One>, N> {
  std::int64_t rows;
  std::int64_t* cell;

  template <class Args>
  SITU_INLINE void start(std::int64_t* cells, std::int64_t, const Args&) {
    rows = 0;
    cell = cells;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int, const M&) {
    rows += Masked ? c.active : N;
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx&) {
    ++rows;
  }
  SITU_INLINE void finish() { *cell += rows; }
};

// ---- one cell, lanes of cells ------------------------------------------------------------------------

// Kinds whose rule is worth packing say so here: Packed<Kind, N> has the cell's fields as packs.
template <class Kind, int N>
struct Packed;

template <int N>
struct Packed<MomentsOf, N> {
  simd::Pack<double, N> weight, mean, m2, mean_low;
  template <class X, class W>
  SITU_INLINE void add(const X& value, const W& w) {
    const auto zero = simd::broadcast<N>(0.0);
    const auto total = weight + w;
    const auto share = simd::select(w == zero, zero, w / total);
    const auto delta = simd::select(w == zero, zero, (value - mean) - mean_low);
    advance_mean(mean, mean_low, simd::multiply(delta, share));
    m2 = m2 + simd::multiply(delta, simd::multiply(delta, simd::multiply(weight, share)));
    weight = total;
  }
  Moments lane(int l) const { return {weight.v[l], mean.v[l], m2.v[l], mean_low.v[l]}; }
};
template <int N>
struct Packed<CoMomentsOf, N> {
  simd::Pack<double, N> weight, mean_x, mean_y, m2_x, m2_y, cxy, mean_x_low, mean_y_low;
  template <class X, class Y, class W>
  SITU_INLINE void add(const X& xs, const Y& ys, const W& w) {
    const auto zero = simd::broadcast<N>(0.0);
    const auto total = weight + w;
    const auto share = simd::select(w == zero, zero, w / total);
    const auto joint = simd::multiply(weight, share);
    const auto dx = simd::select(w == zero, zero, (xs - mean_x) - mean_x_low);
    const auto dy = simd::select(w == zero, zero, (ys - mean_y) - mean_y_low);
    advance_mean(mean_x, mean_x_low, simd::multiply(dx, share));
    advance_mean(mean_y, mean_y_low, simd::multiply(dy, share));
    m2_x = m2_x + simd::multiply(dx, simd::multiply(dx, joint));
    m2_y = m2_y + simd::multiply(dy, simd::multiply(dy, joint));
    cxy = cxy + simd::multiply(dx, simd::multiply(dy, joint));
    weight = total;
  }
  CoMoments lane(int l) const {
    return {weight.v[l], mean_x.v[l], mean_y.v[l],     m2_x.v[l],
            m2_y.v[l],   cxy.v[l],    mean_x_low.v[l], mean_y_low.v[l]};
  }
};

// The last operand is the weight.
template <class Kind, int N, class... Es>
struct WeightedAccumulator {
  using Cell = typename Reduce<Kind, Es...>::cell;
  Packed<Kind, N> lanes[pack_count<N>];
  Cell total;
  Cell* cell;
  template <class Args>
  SITU_INLINE void start(Cell* cells, std::int64_t, const Args&) {
    for (auto& l : lanes) l = {};
    total = Kind::template empty<typename Es::value_type...>();
    cell = cells;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int u, const M& active) {
    add_packs<Masked>(u, active, as_pack<double, N>(Eval<Es>::at(c))...);
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    Kind::template add<typename Es::value_type...>(total, Eval<Es>::at(c)...);
  }
  SITU_INLINE void finish() {
    Cell all[logical_lanes];
    for (int l = 0; l < logical_lanes; ++l) all[l] = lanes[l / N].lane(l % N);
    for (int h = logical_lanes / 2; h > 0; h /= 2) {
      for (int l = 0; l < h; ++l) Kind::merge(all[l], all[l + h]);
    }
    Kind::merge(*cell, all[0]);
    Kind::merge(*cell, total);
  }

 private:
  using Doubles = simd::Pack<double, N>;
  template <bool Masked, class M>
  SITU_INLINE void add_packs(int u, const M& active, const Doubles& x, Doubles w) {
    if constexpr (Masked) w = simd::select(active, w, simd::broadcast<N>(0.0));
    lanes[u].add(x, w);
  }
  template <bool Masked, class M>
  SITU_INLINE void add_packs(int u, const M& active, const Doubles& x, const Doubles& y,
                             Doubles w) {
    if constexpr (Masked) w = simd::select(active, w, simd::broadcast<N>(0.0));
    lanes[u].add(x, y, w);
  }
};
template <class X, class W, int N>
struct Accumulator<Reduce<MomentsOf, X, W>, N> : WeightedAccumulator<MomentsOf, N, X, W> {};
template <class X, class Y, class W, int N>
struct Accumulator<Reduce<CoMomentsOf, X, Y, W>, N> : WeightedAccumulator<CoMomentsOf, N, X, Y, W> {
};

// ---- any other kind with one cell: element by element ------------------------------------------------

template <class Kind, class... Es, int N>
  requires(Kind::layout == Layout::single)
struct Accumulator<Reduce<Kind, Es...>, N> {
  using Cell = typename Reduce<Kind, Es...>::cell;
  Cell* cell;
  Cell lanes[logical_lanes];
  template <class Args>
  SITU_INLINE void start(Cell* cells, std::int64_t, const Args&) {
    std::fill_n(lanes, logical_lanes, Kind::template empty<typename Es::value_type...>());
    cell = cells;
  }
  template <bool Masked, class Ctx, class M>
  SITU_INLINE void add(const Ctx& c, int u, const M& active) {
    add_lanes<Masked>(u, active, Eval<Es>::at(c)...);
  }
  template <class Ctx>
  SITU_INLINE void add_row(const Ctx& c) {
    Kind::template add<typename Es::value_type...>(lanes[0], Eval<Es>::at(c)...);
  }
  SITU_INLINE void finish() {
    for (int h = logical_lanes / 2; h > 0; h /= 2) {
      for (int l = 0; l < h; ++l) Kind::merge(lanes[l], lanes[l + h]);
    }
    Kind::merge(*cell, lanes[0]);
  }

 private:
  template <bool Masked, class M, class... Xs>
  SITU_INLINE void add_lanes(int u, const M& active, const Xs&... xs) {
    for (int l = 0; l < N; ++l) {
      if (Masked && !lane_of(active, l)) continue;
      Kind::template add<typename Es::value_type...>(lanes[u * N + l], lane_of(xs, l)...);
    }
  }
};

}  // namespace situ::detail
