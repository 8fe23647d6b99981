// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/expression/leaf.hpp"
#include "situ/expression/rows.hpp"

// Binding splits an expression into what is known at compile time and what is not: an empty symbolic
// type, and the run-time numbers and tensors it mentions. Kernels see only bare pointers, strides and
// scalars: device index, ownership and constness are gone, so they do not multiply.
namespace situ {

// Where the elements of one argument are: what is left of a view in a loop or kernel. Strides are in
// elements. A rank-1 argument has one element per row.
template <class T>
struct Column {
  using value_type = T;
  const T* data;
  std::int64_t row_stride;
  std::int64_t column_stride;
};

// Everything a bound expression reads.
template <class Columns, class Params>
struct Arguments;
template <class... Ts, class... Ps>
struct Arguments<Tuple<Column<Ts>...>, Tuple<Ps...>> {
  Tuple<Column<Ts>...> inputs;
  Tuple<Ps...> params;
  std::int64_t rows;
  std::int32_t columns;
};

namespace detail {

// Symbol<I, P, Rank, E>: E in symbolic form, when I arguments and P numbers came before it.
//   type               the symbolic expression, an empty type
//   inputs, params     how many E adds
//   sources(e)         a view of each tensor that E mentions (or the tensor itself, where it had to
//                      be computed first), in the order of the inputs
//   numbers(e)         the values of its constants
template <int I, int P, int Rank, class E>
struct Symbol {  // symbolic already
  static_assert(symbolic<E>);
  using type = E;
  static constexpr int inputs = 0;
  static constexpr int params = 0;
  static Tuple<> sources(const E&) { return {}; }
  static Tuple<> numbers(const E&) { return {}; }
};
template <int I, int P, int Rank, class T>
struct Symbol<I, P, Rank, Constant<T>> {
  using type = Param<P, T>;
  static constexpr int inputs = 0;
  static constexpr int params = 1;
  static Tuple<> sources(const Constant<T>&) { return {}; }
  static Tuple<T> numbers(const Constant<T>& c) { return {c.value, {}}; }
};
template <int I, int P, int Rank, class T, int R, class D>
struct Symbol<I, P, Rank, View<T, R, D>> {
  using type = Input<I, std::remove_const_t<T>, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static Tuple<View<const T, R, D>> sources(const View<T, R, D>& v) { return {v, {}}; }
  static Tuple<> numbers(const View<T, R, D>&) { return {}; }
};
template <int I, int P, int Rank, class T, int R, class D>
struct Symbol<I, P, Rank, Tensor<T, R, D>> {
  using type = Input<I, T, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static Tuple<View<const T, R, D>> sources(const Tensor<T, R, D>& t) { return {t.view(), {}}; }
  static Tuple<> numbers(const Tensor<T, R, D>&) { return {}; }
};

template <int I, int P, int Rank, class... Es>
struct SymbolList;
template <int I, int P, int Rank>
struct SymbolList<I, P, Rank> {
  using types = Types<>;
  static constexpr int inputs = 0;
  static constexpr int params = 0;
  static Tuple<> sources(const Tuple<>&) { return {}; }
  static Tuple<> numbers(const Tuple<>&) { return {}; }
};
template <class T, class List>
struct prepend;
template <class T, class... Ts>
struct prepend<T, Types<Ts...>> {
  using type = Types<T, Ts...>;
};
template <int I, int P, int Rank, class E, class... Es>
struct SymbolList<I, P, Rank, E, Es...> {
  using Head = Symbol<I, P, Rank, E>;
  using Tail = SymbolList<I + Head::inputs, P + Head::params, Rank, Es...>;
  using types = typename prepend<typename Head::type, typename Tail::types>::type;
  static constexpr int inputs = Head::inputs + Tail::inputs;
  static constexpr int params = Head::params + Tail::params;
  static auto sources(const Tuple<E, Es...>& t) {
    return concat(Head::sources(t.head), Tail::sources(t.tail));
  }
  static auto numbers(const Tuple<E, Es...>& t) {
    return concat(Head::numbers(t.head), Tail::numbers(t.tail));
  }
};

template <template <class, class...> class N, class Op, class List>
struct rebuild;
template <template <class, class...> class N, class Op, class... Ts>
struct rebuild<N, Op, Types<Ts...>> {
  using type = N<Op, Ts...>;
};

// Map, RowReduce, Gather, Checked and the reductions of a metric: all hold their operands in `args`.
template <int I, int P, int Rank, template <class, class...> class N, class Op, class... As>
struct Symbol<I, P, Rank, N<Op, As...>> {
  using List = SymbolList<I, P, Rank, As...>;
  using type = typename rebuild<N, Op, typename List::types>::type;
  static constexpr int inputs = List::inputs;
  static constexpr int params = List::params;
  static auto sources(const N<Op, As...>& e) { return List::sources(e.args); }
  static auto numbers(const N<Op, As...>& e) { return List::numbers(e.args); }
};

// A row function inside an elementwise expression is computed first, in a pass of its own, because
// its rows need not be the rows of what surrounds it.
template <int I, int P, int Rank, class Fn, class... As>
struct Symbol<I, P, Rank, Composite<Fn, As...>> {
  using C = Composite<Fn, As...>;
  using type = Input<I, typename C::value_type, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static auto sources(const C& c) { return make_tuple(evaluate_now(c)); }
  static Tuple<> numbers(const C&) { return {}; }
};

}  // namespace detail
}  // namespace situ
