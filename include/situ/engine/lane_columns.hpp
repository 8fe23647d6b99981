// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/lane_rows.hpp"

// Packs along a row: lane l holds column j + l. Serves long rows. 32 logical lanes per row reduction
// and a fixed tree, so the bits do not depend on the register width.
namespace situ::detail {

// `count` lanes hold an element. Partial: memory must not be read beyond them. Stretched: a column stride may
// be 0; asking that for every pack would keep values in memory.
template <class Plan, class Args, int N, bool Stretched, bool Partial>
struct ColumnsContext {
  static constexpr int lanes = N;
  using Env = typename Plan::template Env<0>;
  const Args& args;
  const Env& env;
  std::int64_t row;
  std::int32_t column;  // of lane 0
  int count;

  template <int K, class T, int R>
  SITU_INLINE auto input() const {
    const auto& in = get<K>(args.inputs);
    if constexpr (R == 2) {
      const T* p = in.data + row * in.row_stride;
      if constexpr (Stretched) {
        if (in.column_stride == 0) return simd::broadcast<N>(simd::convert<compute_t<T>>(*p));
      }
      p += column;
      if constexpr (Partial) {
        return simd::load_partial<N>(p, count);
      } else {
        return simd::load<N>(p);
      }
    } else {
      return simd::convert<compute_t<T>>(in.data[row * in.row_stride]);
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
  SITU_INLINE auto column_index() const { return simd::iota<N>(column); }
  SITU_INLINE std::int32_t column_count() const { return args.columns; }
};

// Joins the states of 32 logical lanes: lane l with l + 16, then + 8, + 4, + 2, + 1.
template <class Op, class V, int N, int Distance>
SITU_INLINE auto join_pack(const typename Op::template State<V, N>& s) {
  if constexpr (Distance == 0) {
    return Op::template value<V, 0>(Op::template first_lane<V, N>(s));
  } else {
    const auto other = Op::template lanes_down<V, N, Distance>(s);
    return join_pack<Op, V, N, Distance / 2>(Op::template merge<V, N>(s, other));
  }
}
template <class Op, class V, int N>
SITU_INLINE auto join_lanes(typename Op::template State<V, N> (&s)[pack_count<N>]) {
  for (int half = logical_lanes / N / 2; half > 0; half /= 2) {
    for (int u = 0; u < half; ++u) s[u] = Op::template merge<V, N>(s[u], s[u + half]);
  }
  return join_pack<Op, V, N, N / 2>(s[0]);
}

// All nodes of the plan for one row.
template <class Plan, class Args, int N, bool Stretched>
struct ColumnsWalk {
  template <bool Partial>
  using Context = ColumnsContext<Plan, Args, N, Stretched, Partial>;
  static constexpr int registers = logical_lanes / N;
  using RowContext = ScalarContext<Plan, Args>;
  const Args& args;
  typename Plan::template Env<0> env;
  std::int64_t row;
  bool overread;  // the last pack of this row may read past its end

  SITU_INLINE RowContext here() const { return {args, env, row, 0}; }

  template <class... Ns>
  SITU_INLINE bool run(Types<Ns...> nodes) {
    bool good = true;
    for_each_index<Plan::levels + 1>([&]<int Lv>() __attribute__((always_inline)) {
      if constexpr (Plan::walks(Lv) > 0) walk<Lv>(nodes);
      good = good && (point<Lv>(static_cast<Ns*>(nullptr)) && ...);
    });
    return good;
  }

  // f(context, first column, how many) for the whole row, pack by pack.
  template <class F>
  SITU_INLINE void each_pack(F&& f) const {
    std::int32_t j = 0;
    for (; j + N <= args.columns; j += N) {
      f(Context<false>{args, env, row, j, N}, j, N);
    }
    if (const int left = args.columns - j; left > 0) {
      if (overread) {
        f(Context<false>{args, env, row, j, left}, j, left);
      } else {
        f(Context<true>{args, env, row, j, left}, j, left);
      }
    }
  }

 private:
  // Asks for what lies a page ahead, usually in a later row: the element at a row's label is needed before the
  // row itself, and waiting for it leaves nothing else to do (bench/rows.cpp).
  template <class... Is>
  SITU_INLINE void prefetch(Types<Is...>, std::int32_t j) const {
    (prefetch_one(static_cast<Is*>(nullptr), j), ...);
  }
  template <int K, class T>
  SITU_INLINE void prefetch_one(Input<K, T, 2>*, std::int32_t j) const {
    const auto& in = get<K>(args.inputs);
    const auto address = reinterpret_cast<std::uintptr_t>(in.data + row * in.row_stride + j) + 4096;
    for (std::size_t line = 0; line < logical_lanes * sizeof(T); line += 64) {
      __builtin_prefetch(reinterpret_cast<const void*>(address + line));
    }
  }
  template <int K, class T>
  SITU_INLINE void prefetch_one(Input<K, T, 1>*, std::int32_t) const {}

  template <int Lv, class N_>
  static constexpr bool walked = is_row_reduce<N_> && ready_at<N_> == Lv;

  template <class N_>
  struct states_of {
    using type = Nothing;
  };
  template <class Op, class A>
  struct states_of<RowReduce<Op, A>> {
    struct type {
      typename Op::template State<typename A::value_type, N> lanes[pack_count<N>];
    };
  };

  template <int Lv, class... Ns>
  SITU_INLINE void walk(Types<Ns...>) {
    Tuple<typename std::conditional_t<walked<Lv, Ns>, states_of<Ns>, states_of<void>>::type...> states;
    (begin<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
    const std::int32_t columns = args.columns;
    std::int32_t j = 0;
    for (; j + logical_lanes <= columns; j += logical_lanes) {
      if constexpr (Lv == 1) prefetch(typename Plan::inputs{}, j);
      for_each_index<registers>([&]<int U>() __attribute__((always_inline)) {
        const Context<false> at{args, env, row, j + U * N, N};
        (step<Lv, Ns, false>(get<Plan::template index<Ns>>(states), U, at), ...);
      });
    }
    for (int u = 0; u < registers && j < columns; ++u, j += N) {
      const int left = columns - j;
      if (left >= N || overread) {
        const Context<false> at{args, env, row, j, left < N ? left : N};
        (step<Lv, Ns, true>(get<Plan::template index<Ns>>(states), u, at), ...);
      } else {
        const Context<true> at{args, env, row, j, left};
        (step<Lv, Ns, true>(get<Plan::template index<Ns>>(states), u, at), ...);
      }
    }
    (end<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
  }
  template <int Lv, class N_, class S>
  SITU_INLINE void begin(S& s) {
    if constexpr (walked<Lv, N_>) begin_one(static_cast<N_*>(nullptr), s);
  }
  template <int Lv, class N_, bool Masked, class S, class Ctx>
  SITU_INLINE void step(S& s, int u, const Ctx& at) {
    if constexpr (walked<Lv, N_>) step_one<Masked>(static_cast<N_*>(nullptr), s, u, at);
  }
  template <int Lv, class N_, class S>
  SITU_INLINE void end(S& s) {
    if constexpr (walked<Lv, N_>) end_one(static_cast<N_*>(nullptr), s);
  }
  template <class Op, class A, class S>
  SITU_INLINE void begin_one(RowReduce<Op, A>*, S& s) {
    for (auto& l : s.lanes) l = Op::template empty<typename A::value_type, N>();
  }
  template <bool Masked, class Op, class A, class S, class Ctx>
  SITU_INLINE void step_one(RowReduce<Op, A>*, S& s, int u, const Ctx& at) {
    using V = typename A::value_type;
    auto x = as_pack<compute_t<V>, N>(Eval<A>::at(at));
    if constexpr (Masked) {
      const auto active = simd::iota<N>(0) < simd::broadcast<N>(at.count);
      x = Op::template neutral<V, N>(x, active);
    }
    Op::template add<V, N>(s.lanes[u], x, at.column_index());
  }
  template <class Op, class A, class S>
  SITU_INLINE void end_one(RowReduce<Op, A>*, S& s) {
    get<Plan::template index<RowReduce<Op, A>>>(env) =
        join_lanes<Op, typename A::value_type, N>(s.lanes);
  }

  template <int Lv, class N_>
  SITU_INLINE bool point(N_*) {
    return true;
  }
  template <int Lv, class T, class X, class L>
  SITU_INLINE bool point(Gather<T, X, L>*) {
    using Node = Gather<T, X, L>;
    if constexpr (ready_at<Node> == Lv) {
      const RowContext there{args, env, row, Eval<L>::at(here())};
      get<Plan::template index<Node>>(env) = Eval<X>::at(there);
    }
    return true;
  }
  template <int Lv, class R, class V, class L>
  SITU_INLINE bool point(Checked<R, V, L>*) {
    if constexpr (ready_at<Checked<R, V, L>> == Lv) {
      return Eval<verdict<Checked<R, V, L>>>::at(here());
    }
    return true;
  }
};

}  // namespace situ::detail
