// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "situ/error.hpp"
#include "situ/expression/node.hpp"
#include "situ/shape.hpp"
#include "situ/tensor.hpp"
#include "situ/view.hpp"

// How tensors, views and plain numbers become the leaves of an expression, and what shape results.
namespace situ {
namespace detail {

template <class T, int R, class D>
inline constexpr bool is_node<View<T, R, D>> = true;
template <class T, int R, class D>
inline constexpr bool is_node<Tensor<T, R, D>> = true;

// The node that an operand becomes beside another. A tensor that has a name is viewed, a temporary
// one moves into the expression, so an expression kept in `auto` never dangles.
template <class X, class Beside = X>
struct node_beside {
  using type = std::remove_cvref_t<X>;
  using value_type = std::remove_const_t<typename type::value_type>;
};
template <class T, int R, class D, class Beside>
struct node_beside<Tensor<T, R, D>&, Beside> {
  using type = View<const T, R, D>;
  using value_type = T;
};
template <class T, int R, class D, class Beside>
struct node_beside<const Tensor<T, R, D>&, Beside> {
  using type = View<const T, R, D>;
  using value_type = T;
};
template <class T, int R, class D, class Beside>
struct node_beside<const Tensor<T, R, D>, Beside> : node_beside<const Tensor<T, R, D>&, Beside> {};
template <class X, class Beside>
  requires(element<std::remove_cvref_t<X>> && expression<Beside>)
struct node_beside<X, Beside> {
  using value_type = promote_scalar_t<typename node_beside<Beside>::value_type,
                                      std::remove_cvref_t<X>>;
  using type = Constant<value_type>;
};

// An option is as weak as a plain number: beside float scores a double threshold becomes a float.
template <class S, class Tag, class Beside>
struct constant_beside {
  using value_type = S;
  using type = Constant<S, Tag>;
};
template <class S, class Tag, class Beside>
  requires(std::remove_cvref_t<Beside>::rank > 0)
struct constant_beside<S, Tag, Beside> {
  using value_type = promote_scalar_t<typename node_beside<Beside>::value_type, S>;
  using type = Constant<value_type, Tag>;
};
template <class X>
inline constexpr bool is_constant = false;
template <class T, class Tag>
inline constexpr bool is_constant<Constant<T, Tag>> = true;
template <class X>
struct constant_parts;
template <class S, class Tag_>
struct constant_parts<Constant<S, Tag_>> {
  using T = S;
  using Tag = Tag_;
};
template <class X, class Beside>
  requires(is_constant<std::remove_cvref_t<X>> && expression<Beside> &&
           !std::is_same_v<std::remove_cvref_t<X>, std::remove_cvref_t<Beside>>)
struct node_beside<X, Beside>
    : constant_beside<typename constant_parts<std::remove_cvref_t<X>>::T,
                      typename constant_parts<std::remove_cvref_t<X>>::Tag, Beside> {};

template <int V, class Beside>
struct integral_constant_beside {
  using value_type = promote_scalar_t<typename node_beside<Beside>::value_type, int>;
  using type = Fixed<value_type, V>;
};
template <class X, class Beside>
  requires(is_integral_constant<std::remove_cvref_t<X>> && expression<Beside>)
struct node_beside<X, Beside> : integral_constant_beside<std::remove_cvref_t<X>::value, Beside> {};

template <class Beside, class X>
constexpr auto make_node(X&& x) {
  using Node = typename node_beside<X, Beside>::type;
  if constexpr (is_integral_constant<std::remove_cvref_t<X>>) {
    return Node{};
  } else if constexpr (scalar<X>) {
    return Node{cast_value<typename Node::value_type>(x)};
  } else if constexpr (is_constant<std::remove_cvref_t<X>>) {
    return Node{cast_value<typename Node::value_type>(x.value)};
  } else {
    return Node(std::forward<X>(x));
  }
}

// ---- shapes ----------------------------------------------------------------------------------

template <class E>
struct ShapeOf {  // constants and everything symbolic
  static Shape<0> get(const E&) { return {}; }
};
template <class T, int R, class D>
struct ShapeOf<View<T, R, D>> {
  static Shape<R> get(const View<T, R, D>& v) { return v.shape(); }
};
template <class T, int R, class D>
struct ShapeOf<Tensor<T, R, D>> {
  static Shape<R> get(const Tensor<T, R, D>& t) { return t.shape(); }
};
template <class Op, class A>
struct ShapeOf<Map<Op, A>> {
  static auto get(const Map<Op, A>& m) { return ShapeOf<A>::get(situ::get<0>(m.args)); }
};
template <class Op, class A, class B>
struct ShapeOf<Map<Op, A, B>> {
  static auto get(const Map<Op, A, B>& m) {
    return broadcast_shapes(ShapeOf<A>::get(situ::get<0>(m.args)),
                            ShapeOf<B>::get(situ::get<1>(m.args)));
  }
};
template <class Op, class A, class B, class C>
struct ShapeOf<Map<Op, A, B, C>> {
  static auto get(const Map<Op, A, B, C>& m) {
    return broadcast_shapes(broadcast_shapes(ShapeOf<A>::get(situ::get<0>(m.args)),
                                             ShapeOf<B>::get(situ::get<1>(m.args))),
                            ShapeOf<C>::get(situ::get<2>(m.args)));
  }
};
template <class Fn, class A, class... Rest>
struct ShapeOf<Composite<Fn, A, Rest...>> {
  static auto get(const Composite<Fn, A, Rest...>& c) {
    const auto full = ShapeOf<A>::get(situ::get<0>(c.args));
    if constexpr (Composite<Fn, A, Rest...>::rank == A::rank) {
      return full;
    } else {
      Shape<A::rank - 1> rows{};
      for (int i = 0; i < A::rank - 1; ++i) rows[i] = full[i];
      return rows;
    }
  }
};

// Throws shape_error, naming both shapes, where the expression is written. Symbolic operands have no
// shape yet: an update checks its arguments instead.
template <class... Nodes>
constexpr void check_broadcast(const Nodes&... nodes) {
  if constexpr ((!symbolic<Nodes> && ...)) {
    if constexpr (sizeof...(Nodes) == 2) {
      (void)broadcast_shapes(ShapeOf<Nodes>::get(nodes)...);
    } else if constexpr (sizeof...(Nodes) == 3) {
      auto all = [](const auto& a, const auto& b, const auto& c) {
        (void)broadcast_shapes(broadcast_shapes(a, b), c);
      };
      all(ShapeOf<Nodes>::get(nodes)...);
    }
  }
}

}  // namespace detail

// The shape of any expression over tensors.
template <expression E>
auto shape_of(const E& e) {
  return detail::ShapeOf<E>::get(e);
}

}  // namespace situ
