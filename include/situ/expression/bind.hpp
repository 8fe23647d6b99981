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

// Everything a bound expression reads. Params are the types whose values `numbers` holds.
template <class Columns, class Params>
struct Arguments;
template <class... Ts, class... Ps>
struct Arguments<Tuple<Column<Ts>...>, Types<Ps...>> {
  Tuple<Column<Ts>...> inputs;
  Tuple<typename Ps::value_type...> numbers;
  std::int64_t rows;
  std::int32_t columns;

  template <class P>
  SITU_HD SITU_INLINE auto number() const {
    return get<detail::position_in<P, Types<Ps...>>>(numbers);
  }
};

// A run-time number together with the Param it stands for.
template <class P>
struct Number {
  typename P::value_type value;
};

namespace detail {

// Symbol<Ix, Rank, E>: E in symbolic form. Ix says how many arguments and numbers came before it, and of
// which metric E is.
//   type               the symbolic expression, an empty type
//   inputs, params     how many E adds
//   sources(e)         a view of each tensor that E mentions (or the tensor itself, where it had to
//                      be computed first), in the order of the inputs
//   numbers(e)         the values of its constants, a Number for each
template <int Inputs, int Params, int Metric>
struct Index {};

template <class Ix>
inline constexpr int first_input = 0;
template <int I, int P, int M>
inline constexpr int first_input<Index<I, P, M>> = I;
template <class Ix, class S>
struct advance_by;
template <int I, int P, int M, class S>
struct advance_by<Index<I, P, M>, S> {
  using type = Index<I + S::inputs, P + S::params, M>;
};
template <class Ix, class S>
using advance = typename advance_by<Ix, S>::type;

template <class Ix, int Rank, class E>
struct Symbol {  // symbolic already
  static_assert(symbolic<E>);
  using type = E;
  static constexpr int inputs = 0;
  static constexpr int params = 0;
  static Tuple<> sources(const E&) { return {}; }
  static Tuple<> numbers(const E&) { return {}; }
};
template <class Ix, class Tag>
struct key_of;
template <int I, int P, int M>
struct key_of<Index<I, P, M>, void> {
  using type = AnonymousKey<P>;
};
template <int I, int P, int M, class Tag>
struct key_of<Index<I, P, M>, Tag> {
  using type = OptionKey<M, Tag>;
};
template <class Ix, int Rank, class T, class Tag>
struct Symbol<Ix, Rank, Constant<T, Tag>> {
  using type = Param<typename key_of<Ix, Tag>::type, T>;
  static constexpr int inputs = 0;
  static constexpr int params = std::is_void_v<Tag> ? 1 : 0;
  static Tuple<> sources(const Constant<T, Tag>&) { return {}; }
  static Tuple<Number<type>> numbers(const Constant<T, Tag>& c) { return {{c.value}, {}}; }
};
template <class Ix, int Rank, class T, int R, class D>
struct Symbol<Ix, Rank, View<T, R, D>> {
  using type = Input<first_input<Ix>, std::remove_const_t<T>, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static Tuple<View<const T, R, D>> sources(const View<T, R, D>& v) { return {v, {}}; }
  static Tuple<> numbers(const View<T, R, D>&) { return {}; }
};
template <class Ix, int Rank, class T, int R, class D>
struct Symbol<Ix, Rank, Tensor<T, R, D>> {
  using type = Input<first_input<Ix>, T, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static Tuple<View<const T, R, D>> sources(const Tensor<T, R, D>& t) { return {t.view(), {}}; }
  static Tuple<> numbers(const Tensor<T, R, D>&) { return {}; }
};

template <class Ix, int Rank, class... Es>
struct SymbolList;
template <class Ix, int Rank>
struct SymbolList<Ix, Rank> {
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
template <class Ix, int Rank, class E, class... Es>
struct SymbolList<Ix, Rank, E, Es...> {
  using Head = Symbol<Ix, Rank, E>;
  using Tail = SymbolList<advance<Ix, Head>, Rank, Es...>;
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

// A number of an argument, bound before the metric that mentions the argument.
template <class Ix, int Rank, class K, class T>
struct Symbol<Ix, Rank, Param<K, T>> {
  using type = Param<K, T>;
  static constexpr int inputs = 0;
  static constexpr int params = 0;
  static Tuple<> sources(const Param<K, T>&) { return {}; }
  static Tuple<> numbers(const Param<K, T>&) { return {}; }
};

// Map, RowReduce, Gather, Checked and the reductions of a metric: all hold their operands in `args`.
template <class Ix, int Rank, template <class, class...> class N, class Op, class... As>
struct Symbol<Ix, Rank, N<Op, As...>> {
  using List = SymbolList<Ix, Rank, As...>;
  using type = typename rebuild<N, Op, typename List::types>::type;
  static constexpr int inputs = List::inputs;
  static constexpr int params = List::params;
  static auto sources(const N<Op, As...>& e) { return List::sources(e.args); }
  static auto numbers(const N<Op, As...>& e) { return List::numbers(e.args); }
};

// One number for each Param, the first of equals.
template <class List, class... Ps>
struct unique_params {
  using type = List;
};
template <class... Us, class P, class... Ps>
struct unique_params<Types<Us...>, P, Ps...>
    : unique_params<std::conditional_t<(position<P, Us...>() >= 0), Types<Us...>, Types<Us..., P>>,
                    Ps...> {};
template <class... Us, class... Ps>
Tuple<typename Us::value_type...> pick_numbers(Types<Us...>, const Tuple<Number<Ps>...>& all) {
  return make_tuple(get<position<Us, Ps...>()>(all).value...);
}

// A row function inside an elementwise expression is computed first, in a pass of its own, because
// its rows need not be the rows of what surrounds it.
template <class Ix, int Rank, class Fn, class... As>
struct Symbol<Ix, Rank, Composite<Fn, As...>> {
  using C = Composite<Fn, As...>;
  using type = Input<first_input<Ix>, typename C::value_type, Rank>;
  static constexpr int inputs = 1;
  static constexpr int params = 0;
  static auto sources(const C& c) { return make_tuple(evaluate_now(c)); }
  static Tuple<> numbers(const C&) { return {}; }
};

}  // namespace detail
}  // namespace situ
