// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/expression/bind.hpp"
#include "situ/expression/eval.hpp"
#include "situ/reduce/histogram.hpp"

// The plan of a fused pass, made at compile time from the types of what is asked for: which row
// reductions there are, each once however many metrics mention it, and in which order.
//
// Row reductions are grouped into levels: those whose operands need no other row reduction are level 1,
// and so on. One walk over a row computes a whole level. Gathers and checks look at one element per
// row, so they cost no walk; they are done between levels, as soon as what they mention is known.
namespace situ::detail {

template <class E>
inline constexpr bool is_row_reduce = false;
template <class Op, class A>
inline constexpr bool is_row_reduce<RowReduce<Op, A>> = true;
template <class E>
inline constexpr bool is_gather = false;
template <class T, class X, class L>
inline constexpr bool is_gather<Gather<T, X, L>> = true;
template <class E>
inline constexpr bool is_checked = false;
template <class R, class V, class L>
inline constexpr bool is_checked<Checked<R, V, L>> = true;

// What a check computes: one verdict per row.
template <class N>
struct verdict_of;
template <class R, class V, class L>
struct verdict_of<Checked<R, V, L>> {
  using each = Map<op::Holds<R>, V, L>;
  using type = std::conditional_t<V::rank == 2, RowReduce<op::RowAll, each>, each>;
};
template <class N>
using verdict = typename verdict_of<N>::type;

// ---- unique nodes, operands before their users -----------------------------------------------------

template <class List, class T>
struct add_unique;
template <class... Ts, class T>
struct add_unique<Types<Ts...>, T> {
  using type =
      std::conditional_t<(position<T, Ts...>() >= 0), Types<Ts...>, Types<Ts..., T>>;
};

template <class List, class... Es>
struct collect_nodes {
  using type = List;
};
template <class List, class N>
struct collect_operands;
template <class List, template <class, class...> class N, class Op, class... As>
struct collect_operands<List, N<Op, As...>> : collect_nodes<List, As...> {};
template <class List, class R, class V, class L>
struct collect_operands<List, Checked<R, V, L>>
    : collect_nodes<List, verdict<Checked<R, V, L>>> {};
template <class List, class E, class... Rest>
struct collect_nodes<List, E, Rest...> : collect_nodes<List, Rest...> {};
template <class List, template <class, class...> class N, class Op, class... As, class... Rest>
struct collect_nodes<List, N<Op, As...>, Rest...> {
  using Node = N<Op, As...>;
  using inner = typename collect_operands<List, Node>::type;
  static constexpr bool keep = is_row_reduce<Node> || is_gather<Node> || is_checked<Node>;
  using with = typename std::conditional_t<keep, add_unique<inner, Node>,
                                           std::type_identity<inner>>::type;
  using type = typename collect_nodes<with, Rest...>::type;
};

// ---- inputs that are read --------------------------------------------------------------------------

template <class List, class... Es>
struct collect_inputs {
  using type = List;
};
template <class List, class E, class... Rest>
struct collect_inputs<List, E, Rest...> : collect_inputs<List, Rest...> {};
template <class List, int K, class T, int R, class... Rest>
struct collect_inputs<List, Input<K, T, R>, Rest...>
    : collect_inputs<typename add_unique<List, Input<K, T, R>>::type, Rest...> {};
template <class List, template <class, class...> class N, class Op, class... As, class... Rest>
struct collect_inputs<List, N<Op, As...>, Rest...>
    : collect_inputs<typename collect_inputs<List, As...>::type, Rest...> {};

// ---- levels ----------------------------------------------------------------------------------------

// Level at which the value of E is known: 0 when it needs no row reduction.
template <class E>
struct Level {
  static constexpr int value = 0;
};
template <class E>
inline constexpr int level_of = Level<E>::value;
template <class Op, class... As>
struct Level<Map<Op, As...>> {
  static constexpr int value = largest<level_of<As>...>;
};
template <class T, class O, class A, class B>
struct Level<Choose<T, O, A, B>> {
  static constexpr int value = largest<level_of<A>, level_of<B>>;
};
template <class Op, class A>
struct Level<RowReduce<Op, A>> {
  static constexpr int value = level_of<A> + 1;
};
template <class T, class X, class L>
struct Level<Gather<T, X, L>> {
  static constexpr int value = largest<level_of<X>, level_of<L>>;
};
template <class R, class V, class L>
struct Level<Checked<R, V, L>> {
  // The verdict on a rank-2 value may come later than its first use: nothing is accessed by it.
  static constexpr int value = level_of<V>;
};
// Level after which the node can be processed.
template <class N>
inline constexpr int ready_at = level_of<N>;
template <class R, class V, class L>
inline constexpr int ready_at<Checked<R, V, L>> = level_of<verdict<Checked<R, V, L>>>;

// ---- the plan --------------------------------------------------------------------------------------

template <class N, int Lanes>
struct slot {  // what is remembered of a node while a row is processed
  using type = op::lanes<compute_t<typename N::value_type>, Lanes>;
};
struct Nothing {};
template <class R, class V, class L, int Lanes>
struct slot<Checked<R, V, L>, Lanes> {
  using type = Nothing;
};

template <class Nodes, class Inputs, class Wanted>
struct Plan;
// Wanted are the reductions to accumulate, or the expressions to store.
template <class... Ns, class... Is, class... Ws>
struct Plan<Types<Ns...>, Types<Is...>, Types<Ws...>> {
  using nodes = Types<Ns...>;
  using inputs = Types<Is...>;
  using wanted = Types<Ws...>;
  static constexpr int node_count = static_cast<int>(sizeof...(Ns));
  static constexpr int wanted_count = static_cast<int>(sizeof...(Ws));
  static constexpr int levels = largest<0, ready_at<Ns>...>;
  static constexpr bool reads_rows = ((Is::rank == 2) || ...);  // any rank-2 input
  template <int Lanes>
  using Env = Tuple<typename slot<Ns, Lanes>::type...>;
  template <class N>
  static constexpr int index = position<N, Ns...>();
  // Row reductions to compute in the walk for a level.
  static constexpr int walks(int level) {
    constexpr bool reduces[] = {is_row_reduce<Ns>..., false};
    constexpr int at[] = {ready_at<Ns>..., 0};
    int n = 0;
    for (int i = 0; i < node_count; ++i) n += reduces[i] && at[i] == level;
    return n;
  }
};

template <class... Ws>
using plan_for = Plan<typename collect_nodes<Types<>, Ws...>::type,
                      typename collect_inputs<Types<>, Ws...>::type, Types<Ws...>>;

template <class List>
struct plan_of;
template <class... Rs>
struct plan_of<Types<Rs...>> {
  using type = plan_for<Rs...>;
};

// The plan of reductions of which some are equal: each is wanted once.
template <class List, class... Rs>
struct unique_types {
  using type = List;
};
template <class List, class R, class... Rs>
struct unique_types<List, R, Rs...> : unique_types<typename add_unique<List, R>::type, Rs...> {};
template <class List>
struct shared_plan_of;
template <class... Rs>
struct shared_plan_of<Types<Rs...>> {
  using type = typename plan_of<typename unique_types<Types<>, Rs...>::type>::type;
};

// The first promise that a batch breaks.
struct Violation {
  std::int64_t row;   // rows of the batch, or `none`
  std::int32_t node;  // which node of the plan
  double value;
  double limit;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
};

template <class N>
struct reason_of {
  static std::string sentence(const Violation&) { return {}; }
};
template <class R, class V, class L>
struct reason_of<Checked<R, V, L>> {
  static std::string sentence(const Violation& v) { return R::sentence(v.row, v.value, v.limit); }
};

template <class... Ns, class I, class W>
[[noreturn]] void throw_violation(Plan<Types<Ns...>, I, W>, const Violation& v) {
  using sentence = std::string (*)(const Violation&);
  constexpr sentence table[] = {&reason_of<Ns>::sentence..., nullptr};
  throw value_error(table[v.node](v), v.row, v.value);
}

}  // namespace situ::detail
