// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/expression/node.hpp"
#include "situ/expression/ops.hpp"

// The value of a bound symbolic expression at the position of a context. Nothing here loops: the
// engine moves the context. A context has
//   lanes                    0 for scalars, else how many elements a pack holds
//   input<K, T, Rank>()      element(s) of argument K
//   param<P>()               the run-time number of a Param
//   row_value<Node>()        the value of a row reduction or gather, computed before
//   column_index(), column_count()
// and may answer with a scalar where all lanes agree.
namespace situ {

template <class E>
struct Eval;

template <int K, class T, int R>
struct Eval<Input<K, T, R>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return c.template input<K, T, R>();
  }
};
template <class K, class T>
struct Eval<Param<K, T>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return static_cast<compute_t<T>>(c.template param<Param<K, T>>());
  }
};
template <class T, int V>
struct Eval<Fixed<T, V>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx&) {
    return static_cast<compute_t<T>>(V);
  }
};
template <>
struct Eval<One> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE bool at(const Ctx&) {
    return true;
  }
};
template <>
struct Eval<ColumnIndex> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return c.column_index();
  }
};
template <>
struct Eval<ColumnCount> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE std::int32_t at(const Ctx& c) {
    return c.column_count();
  }
};
template <class Op, class A>
struct Eval<RowReduce<Op, A>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return c.template row_value<RowReduce<Op, A>>();
  }
};
template <class Tag, class X, class L>
struct Eval<Gather<Tag, X, L>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return c.template row_value<Gather<Tag, X, L>>();
  }
};
template <class R, class V, class L>
struct Eval<Checked<R, V, L>> {  // verified before it is read
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return Eval<V>::at(c);
  }
};

namespace detail {

// All operands of an operation are scalars, or all are packs.
SITU_EXEC_CHECK_OFF
template <int N, bool Spread, class X>
SITU_HD SITU_INLINE auto spread(const X& x) {
  if constexpr (Spread && element<X>) {
    return simd::broadcast<N>(x);
  } else {
    return x;
  }
}

template <class Op, class... Vs>
struct Apply {
  SITU_EXEC_CHECK_OFF
  template <int N, class... Xs>
  SITU_HD static SITU_INLINE auto lanes(const Xs&... xs) {
    constexpr bool any_pack = (!element<Xs> || ...);
    return Op::template apply<Vs...>(spread<N, any_pack>(xs)...);
  }
};

}  // namespace detail

template <class Op, class... As>
struct Eval<Map<Op, As...>> {
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    return detail::Apply<Op, typename As::value_type...>::template lanes<Ctx::lanes>(
        Eval<As>::at(c)...);
  }
};

template <class T, class O, class A, class B>
struct Eval<Choose<T, O, A, B>> {
  using C = compute_t<typename Choose<T, O, A, B>::value_type>;
  SITU_EXEC_CHECK_OFF
  template <class Ctx>
  SITU_HD static SITU_INLINE auto at(const Ctx& c) {
    constexpr bool any_pack =
        !element<decltype(Eval<A>::at(c))> || !element<decltype(Eval<B>::at(c))>;
    using X = decltype(detail::spread<Ctx::lanes, any_pack>(simd::convert<C>(Eval<A>::at(c))));
    X x;
    if (Eval<O>::at(c)) {
      x = detail::spread<Ctx::lanes, any_pack>(simd::convert<C>(Eval<A>::at(c)));
    } else {
      x = detail::spread<Ctx::lanes, any_pack>(simd::convert<C>(Eval<B>::at(c)));
    }
    return x;
  }
};

}  // namespace situ
