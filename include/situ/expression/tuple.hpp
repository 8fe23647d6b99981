// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "situ/config.hpp"

namespace situ {

// A tuple for kernels: a plain aggregate with the same layout in g++, clang and nvcc units, on the
// host and on the device. std::tuple promises none of that.
template <class... Ts>
struct Tuple;
template <>
struct Tuple<> {};
template <class T, class... Ts>
struct Tuple<T, Ts...> {
  T head;
  Tuple<Ts...> tail;
};

template <int I, class T, class... Ts>
SITU_HD SITU_INLINE constexpr auto& get(Tuple<T, Ts...>& t) {
  if constexpr (I == 0) {
    return t.head;
  } else {
    return get<I - 1>(t.tail);
  }
}
template <int I, class T, class... Ts>
SITU_HD SITU_INLINE constexpr const auto& get(const Tuple<T, Ts...>& t) {
  if constexpr (I == 0) {
    return t.head;
  } else {
    return get<I - 1>(t.tail);
  }
}

constexpr Tuple<> make_tuple() { return {}; }
template <class T, class... Ts>
constexpr Tuple<T, Ts...> make_tuple(T head, Ts... tail) {
  return {std::move(head), make_tuple(std::move(tail)...)};
}

namespace detail {
constexpr Tuple<> concat() { return {}; }
template <class... Ts>
constexpr Tuple<Ts...> concat(Tuple<Ts...> only) {
  return only;
}
template <class... Us>
constexpr Tuple<Us...> join(Tuple<>, Tuple<Us...> b) {
  return b;
}
template <class T, class... Ts, class... Us>
constexpr Tuple<T, Ts..., Us...> join(Tuple<T, Ts...> a, Tuple<Us...> b) {
  return {std::move(a.head), detail::join(std::move(a.tail), std::move(b))};
}
template <class A, class B, class... Rest>
constexpr auto concat(A a, B b, Rest... rest) {
  return detail::concat(detail::join(std::move(a), std::move(b)), std::move(rest)...);
}
}  // namespace detail

// A list of types; never an object.
template <class... Ts>
struct Types {
  static constexpr int size = static_cast<int>(sizeof...(Ts));
};

namespace detail {

// Position of T in Ts, or -1. A function with an array: nvcc cannot expand a pack inside a lambda of
// a static member, and this costs one instantiation however long the list is.
template <class T, class... Ts>
constexpr int position() {
  constexpr bool same[] = {std::is_same_v<T, Ts>..., false};
  for (int i = 0; i < static_cast<int>(sizeof...(Ts)); ++i) {
    if (same[i]) return i;
  }
  return -1;
}

template <class T, class List>
inline constexpr int position_in = -1;
template <class T, class... Ts>
inline constexpr int position_in<T, Types<Ts...>> = position<T, Ts...>();

template <int I, class List>
struct type_at;
template <class T, class... Ts>
struct type_at<0, Types<T, Ts...>> {
  using type = T;
};
template <int I, class T, class... Ts>
struct type_at<I, Types<T, Ts...>> : type_at<I - 1, Types<Ts...>> {};
template <int I, class List>
using type_at_t = typename type_at<I, List>::type;

// Calls f.operator()<0>() ... f.operator()<N-1>(), inlined.
template <int N, class F>
SITU_INLINE constexpr void for_each_index(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f.template operator()<I>(), ...);
  }(std::make_integer_sequence<int, N>{});
}

}  // namespace detail
}  // namespace situ
