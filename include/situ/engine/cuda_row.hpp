// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/plan.hpp"

// One row, by a group of neighbouring threads. All threads of a group know the values of the row's
// nodes afterwards, whatever part of the row each has read.
namespace situ::detail::gpu {

inline constexpr int block_threads = 256;
inline constexpr int warp_threads = 32;

// f.operator()<0>() ... f.operator()<N-1>() in device code.
template <class F, int... I>
__device__ __forceinline__ void each_of(F&& f, std::integer_sequence<int, I...>) {
  (f.template operator()<I>(), ...);
}
template <int N, class F>
__device__ __forceinline__ void each(F&& f) {
  each_of(f, std::make_integer_sequence<int, N>{});
}

// A value of another thread of the warp, word by word.
template <class T, class Shuffle>
__device__ __forceinline__ T shuffle_words(const T& x, Shuffle&& shuffle) {
  constexpr int words = (static_cast<int>(sizeof(T)) + 3) / 4;
  unsigned w[words] = {};
  __builtin_memcpy(w, &x, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) w[i] = shuffle(w[i]);
  T y;
  __builtin_memcpy(&y, w, sizeof(T));
  return y;
}
template <class T>
__device__ __forceinline__ T shuffle_xor(const T& x, int distance, unsigned mask) {
  return shuffle_words(x, [&](unsigned w) { return __shfl_xor_sync(mask, w, distance); });
}
template <class T>
__device__ __forceinline__ T shuffle_from(const T& x, int lane, unsigned mask) {
  return shuffle_words(x, [&](unsigned w) { return __shfl_sync(mask, w, lane); });
}

// Threads of a block that share a row: a power of two, a whole warp at most, or the whole block.
struct Group {
  int lanes;       // threads that share the row
  int lane;        // which of them this is
  unsigned mask;   // its neighbours in the warp
  void* exchange;  // shared memory for groups of several warps
};

// The group of this thread when every row has `lanes` threads.
__device__ __forceinline__ Group group_of(int lanes, void* exchange) {
  const unsigned thread = threadIdx.x;
  const unsigned width = static_cast<unsigned>(lanes < warp_threads ? lanes : warp_threads);
  const unsigned all = 0xffffffffu;
  const unsigned mask =
      width == warp_threads ? all : ((1u << width) - 1u) << (thread % warp_threads / width * width);
  return {lanes, static_cast<int>(thread) % lanes, mask, exchange};
}

template <class T, class Merge>
__device__ __forceinline__ T combine_in_warp(const Group& g, T x, Merge&& merge) {
  const int within = g.lanes < warp_threads ? g.lanes : warp_threads;
  for (int distance = within / 2; distance > 0; distance /= 2) {
    x = merge(x, shuffle_xor(x, distance, g.mask));
  }
  return x;
}
// Joins the threads' partial values by a tree that depends on the group's size only.
template <class T, class Merge>
__device__ __forceinline__ T combine(const Group& g, T x, Merge&& merge) {
  x = combine_in_warp(g, x, merge);
  if (g.lanes > warp_threads) {
    T* all = static_cast<T*>(g.exchange);
    __syncthreads();  // what was exchanged before has been read
    if (g.lane % warp_threads == 0) all[g.lane / warp_threads] = x;
    __syncthreads();
    x = all[0];
    for (int w = 1; w < block_threads / warp_threads; ++w) x = merge(x, all[w]);
  }
  return x;
}

// Where a thread finds the inputs of its rows: rank-1 inputs by the row of the batch, rank-2 inputs
// likewise or, when they have been staged in shared memory, by the row of the tile.
template <class Args>
struct DirectRow {
  const Args& args;  // rank-1 inputs
  const Args& tile;  // rank-2 inputs
  std::int64_t row;
  std::int64_t tile_row;
  template <int K, class T, int R>
  __device__ __forceinline__ T get_input(std::int32_t column) const {
    if constexpr (R == 2) {
      const auto& in = get<K>(tile.inputs);
      return in.data[tile_row * in.row_stride + column * in.column_stride];
    } else {
      const auto& in = get<K>(args.inputs);
      return in.data[row * in.row_stride];
    }
  }
};

template <class Plan, class Args, class Source>
struct Context {
  static constexpr int lanes = 0;
  using Env = typename Plan::template Env<0>;
  const Args& args;
  const Source& source;
  const Env& env;
  std::int32_t column;

  template <int K, class T, int R>
  __device__ __forceinline__ auto input() const {
    return simd::convert<compute_t<T>>(source.template get_input<K, T, R>(column));
  }
  template <class P>
  __device__ __forceinline__ auto param() const {
    return args.template number<P>();
  }
  template <class N>
  __device__ __forceinline__ auto row_value() const {
    return get<Plan::template index<N>>(env);
  }
  __device__ __forceinline__ std::int32_t column_index() const { return column; }
  __device__ __forceinline__ std::int32_t column_count() const { return args.columns; }
};

// All nodes of the plan for one row. `good` turns false when the row breaks a promise: then nothing
// of it may be accumulated, and what its label would have named is taken from column 0 instead.
template <class Plan, class Args, class Source>
struct RowWalk {
  using Here = Context<Plan, Args, Source>;
  const Args& args;
  const Source& source;
  const Group& group;
  typename Plan::template Env<0> env;
  bool good;

  __device__ __forceinline__ Here at(std::int32_t column) const {
    return Here{args, source, env, column};
  }
  template <class... Ns>
  __device__ __forceinline__ void run(Types<Ns...> nodes) {
    each<Plan::levels + 1>([&]<int Lv>() {
      if constexpr (walks_now<Lv>) walk<Lv>(nodes);
      (point<Lv>(static_cast<Ns*>(nullptr)), ...);
    });
  }

 private:
  // A variable, because device code may not call host functions, not even at compile time.
  template <int Lv>
  static constexpr bool walks_now = Plan::walks(Lv) > 0;
  template <int Lv, class N>
  static constexpr bool walked = is_row_reduce<N>&& ready_at<N> == Lv;
  template <class N>
  struct state_of {
    using type = Nothing;
  };
  template <class Op, class A>
  struct state_of<RowReduce<Op, A>> {
    using type = typename Op::template State<typename A::value_type, 0>;
  };

  template <int Lv, class... Ns>
  __device__ __forceinline__ void walk(Types<Ns...>) {
    Tuple<typename std::conditional_t<walked<Lv, Ns>, state_of<Ns>, state_of<void>>::type...>
        states;
    (begin<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
#pragma unroll 4
    for (std::int32_t j = group.lane; j < args.columns; j += group.lanes) {
      const Here here = at(j);
      (step<Lv, Ns>(get<Plan::template index<Ns>>(states), here), ...);
    }
    (end<Lv, Ns>(get<Plan::template index<Ns>>(states)), ...);
  }
  template <int Lv, class N, class S>
  __device__ __forceinline__ void begin(S& s) {
    if constexpr (walked<Lv, N>) begin_one(static_cast<N*>(nullptr), s);
  }
  template <int Lv, class N, class S>
  __device__ __forceinline__ void step(S& s, const Here& here) {
    if constexpr (walked<Lv, N>) step_one(static_cast<N*>(nullptr), s, here);
  }
  template <int Lv, class N, class S>
  __device__ __forceinline__ void end(S& s) {
    if constexpr (walked<Lv, N>) end_one(static_cast<N*>(nullptr), s);
  }
  template <class Op, class A, class S>
  __device__ __forceinline__ void begin_one(RowReduce<Op, A>*, S& s) {
    s = Op::template empty<typename A::value_type, 0>();
  }
  template <class Op, class A, class S>
  __device__ __forceinline__ void step_one(RowReduce<Op, A>*, S& s, const Here& here) {
    using V = typename A::value_type;
    Op::template add<V, 0>(s, simd::convert<compute_t<V>>(Eval<A>::at(here)), here.column);
  }
  template <class Op, class A, class S>
  __device__ __forceinline__ void end_one(RowReduce<Op, A>*, S& s) {
    using V = typename A::value_type;
    static_assert(sizeof(S) <= 64, "situ: the state of a row reduction has at most 64 bytes");
    s = combine(group, s, [](const S& a, const S& b) { return Op::template merge<V, 0>(a, b); });
    get<Plan::template index<RowReduce<Op, A>>>(env) = Op::template value<V, 0>(s);
  }

  template <int Lv, class N>
  __device__ __forceinline__ void point(N*) {}
  template <int Lv, class T, class X, class L>
  __device__ __forceinline__ void point(Gather<T, X, L>*) {
    using Node = Gather<T, X, L>;
    if constexpr (ready_at<Node> == Lv) {
      const std::int32_t label = Eval<L>::at(at(0));
      get<Plan::template index<Node>>(env) =
          simd::convert<compute_t<typename X::value_type>>(Eval<X>::at(at(good ? label : 0)));
    }
  }
  template <int Lv, class R, class V, class L>
  __device__ __forceinline__ void point(Checked<R, V, L>*) {
    if constexpr (ready_at<Checked<R, V, L>> == Lv) {
      good = good && Eval<verdict<Checked<R, V, L>>>::at(at(0));
    }
  }
};

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
