// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/accumulate_cells.hpp"

// Packs across rows: lane l holds row l. Serves inputs with one element per row, and short rows, which
// are transposed into tiles in cache first, so that no horizontal reduction is needed.
namespace situ::detail {

// Rows up to this long are walked with one row per lane. Longer ones fill packs on their own, which costs a
// tree of joins and scalar mathematics per row; what needs several walks pays for them longer (bench/rows.cpp).
template <class Plan>
inline constexpr std::int32_t longest_short_row = Plan::levels > 1 ? 64 : 32;

// A tile of a rank-2 input: element (row, column) at v[column * logical_lanes + row].
template <class T, std::int32_t Columns>
struct Tile {
  alignas(64) compute_t<T> v[static_cast<std::size_t>(logical_lanes * Columns)];
};
template <class In, std::int32_t Columns>
struct tile_of {
  using type = Nothing;
};
template <int K, class T, std::int32_t Columns>
struct tile_of<Input<K, T, 2>, Columns> {
  using type = Tile<T, Columns>;
};
template <class Inputs, std::int32_t Columns>
struct tiles_for;
template <class... Is, std::int32_t Columns>
struct tiles_for<Types<Is...>, Columns> {
  using type = Tuple<typename tile_of<Is, Columns>::type...>;
};
template <class Plan>
using tiles_of = typename tiles_for<typename Plan::inputs, longest_short_row<Plan>>::type;

// Copies `rows` rows of `columns` elements into the tile; missing rows become zeros. Rows before `safe`
// may be read past their end, up to a whole pack.
template <int N, class T, std::int32_t Columns>
SITU_INLINE void fill_tile(Tile<T, Columns>& tile, const Column<T>& in, std::int64_t first, int rows,
                           std::int32_t columns, std::int64_t safe) {
  using C = compute_t<T>;
  for (int u = 0; u < logical_lanes; u += N) {
    for (std::int32_t j = 0; j < columns; j += N) {
      const int width = columns - j < N ? columns - j : N;
      simd::Pack<C, N> line[lane_count<N>];
      simd::Pack<C, N> column[lane_count<N>];
      if (first + u + N <= safe && u + N <= rows) {
        const T* p = in.data + (first + u) * in.row_stride + j;
        for (int r = 0; r < N; ++r) line[r] = simd::load<N>(p + r * in.row_stride);
      } else {
        for (int r = 0; r < N; ++r) {
          line[r] = simd::broadcast<N>(C(0));
          if (u + r < rows) {
            line[r] = simd::load_partial<N>(in.data + (first + u + r) * in.row_stride + j, width);
          }
        }
      }
      simd::transpose<N>(line, column);
      for (int k = 0; k < width; ++k) {
        simd::store(&tile.v[(j + k) * logical_lanes + u], column[k]);
      }
    }
  }
}
// A single column that is contiguous needs no transposing.
template <int N, class T, std::int32_t Columns>
SITU_INLINE void fill_column(Tile<T, Columns>& tile, const Column<T>& in, std::int64_t first, int rows) {
  for (int u = 0; u < rows; u += N) {
    const T* p = in.data + first + u;
    const auto x = rows - u >= N ? simd::load<N>(p) : simd::load_partial<N>(p, rows - u);
    simd::store(&tile.v[u], x);
  }
}

// How many leading rows may be read a whole pack past their last column: those for which the input has
// still later rows behind. Only rows without gaps qualify: a gap belongs to someone else.
template <int N, class T>
std::int64_t rows_safe_to_overread(const Column<T>& in, std::int64_t rows, std::int32_t columns) {
  const std::int64_t width = (columns + N - 1) / N * N;
  if (width == columns) return rows;
  if (in.row_stride != columns) return 0;
  const std::int64_t needed = (width - columns + in.row_stride - 1) / in.row_stride;
  return rows > needed ? rows - needed : 0;
}

template <class Plan, class Args, int N, bool Masked>
struct RowsContext {
  static constexpr int lanes = N;
  using plan = Plan;
  using Env = typename Plan::template Env<N>;
  const Args& args;
  const Env& env;
  const tiles_of<Plan>& tiles;
  std::int64_t row;  // of lane 0
  int in_tile;       // row - first row of the tile
  int active;        // lanes that hold a row
  std::int32_t column;

  template <int K, class T, int R>
  SITU_INLINE auto input() const {
    if constexpr (R == 2) {
      constexpr int t = position_in<Input<K, T, 2>, typename Plan::inputs>;
      return simd::load<N>(&get<t>(tiles).v[column * logical_lanes + in_tile]);
    } else {
      const T* p = get<K>(args.inputs).data + row;
      if constexpr (Masked) {
        return simd::load_partial<N>(p, active);
      } else {
        return simd::load<N>(p);
      }
    }
  }
  template <class P>
  SITU_INLINE auto param() const {
    return args.template number<P>();
  }
  template <class Node>
  SITU_INLINE auto row_value() const {
    return get<Plan::template index<Node>>(env);
  }
  SITU_INLINE std::int32_t column_index() const { return column; }
  SITU_INLINE std::int32_t column_count() const { return args.columns; }
  SITU_INLINE auto mask() const { return simd::iota<N>(0) < simd::broadcast<N>(active); }
};

// The elements of each row in the column that a label names.
template <class Rows, class Labels>
struct GatheredRows {
  static constexpr int lanes = Rows::lanes;
  const Rows& rows;
  const Labels& label;
  template <int K, class T, int R>
  SITU_INLINE auto input() const {
    if constexpr (R == 2) {
      constexpr int t = position_in<Input<K, T, 2>, typename Rows::plan::inputs>;
      simd::Pack<compute_t<T>, lanes> x;
      for (int l = 0; l < lanes; ++l) {
        simd::set_lane(x, l, get<t>(rows.tiles).v[label.v[l] * logical_lanes + rows.in_tile + l]);
      }
      return x;
    } else {
      return rows.template input<K, T, R>();
    }
  }
  template <class P>
  SITU_INLINE auto param() const {
    return rows.template param<P>();
  }
  template <class Node>
  SITU_INLINE auto row_value() const {
    return rows.template row_value<Node>();
  }
  SITU_INLINE auto column_index() const { return label; }
  SITU_INLINE std::int32_t column_count() const { return rows.column_count(); }
};

// All nodes of the plan for N rows at once.
template <class Plan, class Args, int N, bool Masked>
struct RowsWalk {
  using Context = RowsContext<Plan, Args, N, Masked>;
  const Args& args;
  const tiles_of<Plan>& tiles;
  typename Plan::template Env<N> env;
  std::int64_t row;
  int in_tile;
  int active;
  simd::Pack<bool, N>& verdicts;  // of all rows so far, on promises that guard no access

  SITU_INLINE Context at(std::int32_t column) const {
    return {args, env, tiles, row, in_tile, active, column};
  }
  // False when a promise is broken in one of the rows that guards an access; nothing may be accumulated then.
  template <class... Ns>
  SITU_INLINE bool run(Types<Ns...> nodes) {
    bool good = true;
    for_each_index<Plan::levels + 1>([&]<int Lv>() __attribute__((always_inline)) {
      if constexpr (Plan::walks(Lv) > 0) walk<Lv>(nodes);
      good = good && (point<Lv>(static_cast<Ns*>(nullptr)) && ...);
    });
    return good;
  }

 private:
  template <int Lv, class N_>
  static constexpr bool walked = is_row_reduce<N_> && ready_at<N_> == Lv;

  template <class N_>
  struct state_of {
    using type = Nothing;
  };
  template <class Op, class A>
  struct state_of<RowReduce<Op, A>> {
    using type = typename Op::template State<typename A::value_type, N>;
  };
  template <int Lv, class... Ns>
  SITU_INLINE void walk(Types<Ns...>) {
    Tuple<typename std::conditional_t<walked<Lv, Ns>, state_of<Ns>, state_of<void>>::type...> states;
    (begin<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
    for (std::int32_t j = 0; j < args.columns; ++j) {
      const Context here = at(j);
      (step<Lv, Ns>(get<Plan::template index<Ns>>(states), here), ...);
    }
    (end<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
  }
  template <int Lv, class N_, class S>
  SITU_INLINE void begin(S& s) {
    if constexpr (walked<Lv, N_>) begin_one(static_cast<N_*>(nullptr), s);
  }
  template <int Lv, class N_, class S>
  SITU_INLINE void step(S& s, const Context& here) {
    if constexpr (walked<Lv, N_>) step_one(static_cast<N_*>(nullptr), s, here);
  }
  template <int Lv, class N_, class S>
  SITU_INLINE void end(S& s) {
    if constexpr (walked<Lv, N_>) end_one(static_cast<N_*>(nullptr), s);
  }
  template <class Op, class A, class S>
  SITU_INLINE void begin_one(RowReduce<Op, A>*, S& s) {
    s = Op::template empty<typename A::value_type, N>();
  }
  template <class Op, class A, class S>
  SITU_INLINE void step_one(RowReduce<Op, A>*, S& s, const Context& here) {
    using V = typename A::value_type;
    Op::template add<V, N>(s, as_pack<compute_t<V>, N>(Eval<A>::at(here)), here.column);
  }
  template <class Op, class A, class S>
  SITU_INLINE void end_one(RowReduce<Op, A>*, S& s) {
    get<Plan::template index<RowReduce<Op, A>>>(env) =
        Op::template value<typename A::value_type, N>(s);
  }

  template <int Lv, class N_>
  SITU_INLINE bool point(N_*) {
    return true;
  }
  template <int Lv, class T, class X, class L>
  SITU_INLINE bool point(Gather<T, X, L>*) {
    using Node = Gather<T, X, L>;
    if constexpr (ready_at<Node> == Lv) {
      const Context here = at(0);
      auto label = as_pack<std::int32_t, N>(Eval<L>::at(here));
      // Only labels of real rows have been verified.
      if constexpr (Masked) label = simd::select(here.mask(), label, simd::broadcast<N>(0));
      using There = GatheredRows<Context, decltype(label)>;
      get<Plan::template index<Node>>(env) =
          as_pack<compute_t<typename X::value_type>, N>(Eval<X>::at(There{here, label}));
    }
    return true;
  }
  template <int Lv, class R, class V, class L>
  SITU_INLINE bool point(Checked<R, V, L>*) {
    if constexpr (ready_at<Checked<R, V, L>> == Lv) {
      const Context here = at(0);
      auto ok = as_pack<bool, N>(Eval<verdict<Checked<R, V, L>>>::at(here));
      if constexpr (Masked) ok = ok | !here.mask();
      if constexpr (R::guards_access) return simd::all(ok);
      verdicts = verdicts & ok;
    }
    return true;
  }
};

}  // namespace situ::detail
