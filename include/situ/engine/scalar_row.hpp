// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/plan.hpp"

// One row, one element at a time: the reference that every faster way must agree with, the way to find
// what is wrong with a rejected batch, and the source for devices.
namespace situ::detail {

template <class Plan, class Args>
struct ScalarContext {
  static constexpr int lanes = 0;
  using Env = typename Plan::template Env<0>;
  const Args& args;
  const Env& env;
  std::int64_t row;
  std::int32_t column;

  template <int K, class T, int R>
  SITU_HD SITU_INLINE auto input() const {
    const auto& in = get<K>(args.inputs);
    std::int64_t i = row * in.row_stride;
    if constexpr (R == 2) i += column * in.column_stride;
    return simd::convert<compute_t<T>>(in.data[i]);
  }
  template <class P>
  SITU_HD SITU_INLINE auto param() const {
    return args.template number<P>();
  }
  template <class N>
  SITU_HD SITU_INLINE auto row_value() const {
    return get<Plan::template index<N>>(env);
  }
  SITU_HD SITU_INLINE std::int32_t column_index() const { return column; }
  SITU_HD SITU_INLINE std::int32_t column_count() const { return args.columns; }
};

// Context of what is the same for all rows: bin counts, limits.
template <class Args>
struct UniformContext {
  static constexpr int lanes = 0;
  const Args& args;
  template <class P>
  SITU_HD SITU_INLINE auto param() const {
    return args.template number<P>();
  }
  SITU_HD SITU_INLINE std::int32_t column_count() const { return args.columns; }
};
template <class E, class Args>
SITU_HD auto uniform_value(const Args& args) {
  return Eval<E>::at(UniformContext<Args>{args});
}

template <class Plan, class Args>
struct ScalarRow {
  using Env = typename Plan::template Env<0>;
  using Context = ScalarContext<Plan, Args>;
  const Args& args;
  std::int64_t row;
  Env env;
  Violation violation;

  SITU_EXEC_CHECK_OFF
  template <class N>
  SITU_HD bool process() {
    const Context here{args, env, row, 0};
    if constexpr (is_row_reduce<N>) {
      reduce(static_cast<N*>(nullptr));
    } else if constexpr (is_gather<N>) {
      gather(static_cast<N*>(nullptr), here);
    } else {
      return verify(static_cast<N*>(nullptr), here);
    }
    return true;
  }

  // All nodes in the order of the plan; false when a promise is broken, which `violation` then tells.
  SITU_EXEC_CHECK_OFF
  template <class... Ns>
  SITU_HD bool run(Types<Ns...>) {
    violation.row = Violation::none;
    return (process<Ns>() && ...);
  }

 private:
  SITU_EXEC_CHECK_OFF
  template <class Op, class A>
  SITU_HD void reduce(RowReduce<Op, A>*) {
    using V = typename A::value_type;
    auto state = Op::template empty<V, 0>();
    for (std::int32_t j = 0; j < args.columns; ++j) {
      Op::template add<V, 0>(state, Eval<A>::at(Context{args, env, row, j}), j);
    }
    get<Plan::template index<RowReduce<Op, A>>>(env) = Op::template value<V, 0>(state);
  }
  SITU_EXEC_CHECK_OFF
  template <class T, class X, class L>
  SITU_HD void gather(Gather<T, X, L>*, const Context& here) {
    const Context there{args, env, row, Eval<L>::at(here)};
    get<Plan::template index<Gather<T, X, L>>>(env) = Eval<X>::at(there);
  }
  SITU_EXEC_CHECK_OFF
  template <class R, class V, class L>
  SITU_HD bool verify(Checked<R, V, L>*, const Context& here) {
    using N = Checked<R, V, L>;
    if (Eval<verdict<N>>::at(here)) return true;
    violation.row = row;
    violation.node = Plan::template index<N>;
    violation.limit = static_cast<double>(uniform_value<L>(args));
    violation.value = static_cast<double>(Eval<V>::at(first_offender<N>(here)));
    return false;
  }
  // Of a rank-2 value the first column whose verdict is false.
  SITU_EXEC_CHECK_OFF
  template <class N>
  SITU_HD Context first_offender(const Context& here) const {
    if constexpr (N::rank == 2) {
      for (std::int32_t j = 0; j < args.columns; ++j) {
        const Context at{args, env, row, j};
        if (!Eval<typename verdict_of<N>::each>::at(at)) return at;
      }
    }
    return here;
  }
};

// Looks through rows [first, last) one by one for a broken promise.
template <class Plan, class Args>
[[gnu::cold, gnu::noinline]] Violation find_violation(const Args& args, std::int64_t first, std::int64_t last) {
  ScalarRow<Plan, Args> scalar{args, first, {}, {}};
  for (std::int64_t i = first; i < last; ++i) {
    scalar.row = i;
    if (!scalar.run(typename Plan::nodes{})) return scalar.violation;
  }
  return {Violation::none, 0, 0, 0};
}

}  // namespace situ::detail
