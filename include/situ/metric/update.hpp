// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/engine/host.hpp"
#include "situ/engine/sources.hpp"
#include "situ/metric/slot.hpp"

// From the arguments of update_state to a bound plan.
namespace situ::detail {

// ---- what result() takes
// -----------------------------------------------------------------------------

template <class F>
struct result_signature {
  static_assert(
      !std::is_member_pointer_v<F>,
      "situ: result() of a metric must be a const member function: `double result(double, ...) "
      "const`");
};
template <class M, class Ret, class... Ps>
struct result_signature<Ret (M::*)(Ps...) const> {
  using value = Ret;
  using slots = Tuple<Slot<std::remove_cvref_t<Ps>>...>;
  static constexpr int count = static_cast<int>(sizeof...(Ps));
};
template <class M, class Ret, class... Ps>
struct result_signature<Ret (M::*)(Ps...) const noexcept>
    : result_signature<Ret (M::*)(Ps...) const> {};

template <class M>
concept has_result = requires {
  &M::result;
};
template <class M>
struct metric_traits {
  static_assert(
      has_result<M>,
      "situ: a metric needs `double result(double, ...) const` that names the type of each "
      "accumulated value: not a template, not overloaded, one parameter for each reduction");
};
template <has_result M>
struct metric_traits<M> : result_signature<decltype(&M::result)> {};

// ---- which call of update() fits
// ------------------------------------------------------------------------

// update(inputs..., weight): called with n tensors, the last is the weight when update takes n
// parameters, and there is no weight when it takes n + 1.
template <class M, class... Es>
concept updates_with = requires(const M& m, Es... es) {
  m.update(es...);
};

template <class M, class... Es>
auto call_update(const M& m, Es... es) {
  if constexpr (updates_with<M, Es..., One>) {
    return m.update(es..., One{});
  } else {
    static_assert(
        updates_with<M, Es...>,
        "situ: the metric's update() does not take these tensors; an error above this one says "
        "why, and without one it takes another number of them: y_true, y_pred and optionally "
        "sample_weight (Mean and Sum: values and sample_weight; cluster scores: no weight)");
    return m.update(es...);
  }
}

template <class T>
inline constexpr bool is_states = false;
template <class... Rs>
inline constexpr bool is_states<States<Rs...>> = true;

template <class M, class... Rs>
constexpr void check_metric(const States<Rs...>&) {
  using Traits = metric_traits<M>;
  static_assert(Traits::count == static_cast<int>(sizeof...(Rs)),
                "situ: result() must take one parameter for each reduction that update() passes to "
                "states(), in the same order");
  if constexpr (Traits::count == static_cast<int>(sizeof...(Rs))) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      static_assert(
          (std::remove_cvref_t<decltype(get<I>(std::declval<typename Traits::slots&>()))>::
               template accepts<type_at_t<I, Types<Rs...>>> &&
           ...),
          "situ: a parameter of result() does not fit its reduction; take double for sum, mean, "
          "min "
          "and max, Moments for moments, std::span<const double> for histogram, confusion and "
          "column_sum");
    }
    (std::make_integer_sequence<int, Traits::count>{});
  }
}

template <class M, class... Es>
auto states_of(const M& m, Es... es) {
  auto s = call_update(m, es...);
  static_assert(is_states<decltype(s)>,
                "situ: update() of a metric must return states(...), the list of its reductions");
  check_metric<M>(s);
  return s.reductions;
}

// ---- arguments of an update
// -----------------------------------------------------------------------------

// Rows and columns of an update, agreed on by all its arguments.
struct Extent {
  std::int64_t rows = -1;
  std::int64_t columns = -1;
  int rows_from = 0;  // the argument that said so first
  int columns_from = 0;
};
inline const char* argument_name(int i, int n) {
  static constexpr const char* two[] = {"y_true", "y_pred", "sample_weight"};
  static constexpr const char* one[] = {"values", "sample_weight"};
  if (n == 1) return one[i];
  return i < 3 ? two[i] : "an argument";
}
// "y_true of shape [3]", for messages only.
template <class... Ns>
[[gnu::cold, gnu::noinline]] std::string describe(const Tuple<Ns...>& nodes, int index) {
  std::string text;
  for_each_index<static_cast<int>(sizeof...(Ns))>([&]<int K>() {
    if (K == index) {
      text = std::string(argument_name(K, static_cast<int>(sizeof...(Ns)))) + " of shape " +
             to_string(shape_of(get<K>(nodes)));
    }
  });
  return text;
}
template <int Highest, class... Ns>
Extent common_extent(const Tuple<Ns...>& nodes) {
  Extent e;
  for_each_index<static_cast<int>(sizeof...(Ns))>([&]<int K>() {
    using N = type_at_t<K, Types<Ns...>>;
    constexpr bool with_columns = symbolic_rank<N::rank, Highest, false> == 2;
    const auto shape = shape_of(get<K>(nodes));
    std::int64_t rows = 1;
    for (int a = 0; a < N::rank - (with_columns ? 1 : 0); ++a) rows *= shape[a];
    if (e.rows < 0) {
      e.rows = rows;
      e.rows_from = K;
    } else if (e.rows != rows) {
      throw shape_error("situ: " + describe(nodes, e.rows_from) + " has " + std::to_string(e.rows) +
                        " rows and " + describe(nodes, K) + " has " + std::to_string(rows) +
                        "; give one label, prediction and weight for each row");
    }
    if constexpr (with_columns) {
      const std::int64_t columns = shape[N::rank - 1];
      if (e.columns < 0) {
        e.columns = columns;
        e.columns_from = K;
      } else if (e.columns != columns) {
        throw shape_error("situ: " + describe(nodes, e.columns_from) + " and " +
                          describe(nodes, K) +
                          " have last axes of different lengths; make them equal, or drop the last "
                          "axis with situ::squeeze(x, axis) if it has length 1");
      }
    }
  });
  if (e.columns == 0 && e.rows > 0) {
    throw shape_error("situ: " + describe(nodes, e.columns_from) +
                      " has rows without elements; give at least one column");
  }
  if (e.columns < 0) e.columns = 1;
  return e;
}

// Reductions in symbolic form, with their numbers.
template <class List, class Numbers>
struct BoundStates {
  using types = List;
  Numbers numbers;
};
template <class A, class B>
struct append;
template <class... As, class... Bs>
struct append<Types<As...>, Types<Bs...>> {
  using type = Types<As..., Bs...>;
};
// Index of the next metric: its options are other numbers.
template <class Ix>
struct next_metric;
template <int I, int P, int M>
struct next_metric<Index<I, P, M>> {
  using type = Index<I, P, M + 1>;
};
// One metric's reductions, and what `rest` makes of the metrics after it.
template <class Ix, class... Rs, class Rest>
auto join_bound(const Tuple<Rs...>& reductions, Ix, Rest&& rest) {
  using List = SymbolList<Ix, 1, Rs...>;
  using Next = typename next_metric<advance<Ix, List>>::type;
  auto others = rest(Next{});
  auto numbers = concat(List::numbers(reductions), std::move(others.numbers));
  using types = typename append<typename List::types, typename decltype(others)::types>::type;
  return BoundStates<types, decltype(numbers)>{std::move(numbers)};
}

}  // namespace situ::detail
