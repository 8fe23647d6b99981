// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "situ/engine/host.hpp"
#include "situ/engine/sources.hpp"
#include "situ/metric/slot.hpp"

// From the arguments of update_state to a bound plan.
namespace situ::detail {

// ---- what result() takes -----------------------------------------------------------------------------

template <class F>
struct result_signature;
template <class M, class Ret, class... Ps>
struct result_signature<Ret (M::*)(Ps...) const> {
  using value = Ret;
  using slots = Tuple<Slot<std::remove_cvref_t<Ps>>...>;
  static constexpr int count = static_cast<int>(sizeof...(Ps));
};
template <class M, class Ret, class... Ps>
struct result_signature<Ret (M::*)(Ps...) const noexcept> : result_signature<Ret (M::*)(Ps...) const> {
};

template <class M>
concept has_result = requires { &M::result; };
template <class M>
struct metric_traits {
  static_assert(has_result<M>,
                "situ: a metric needs `double result(double, ...) const` that names the type of each "
                "accumulated value: not a template, not overloaded, one parameter for each reduction");
};
template <has_result M>
struct metric_traits<M> : result_signature<decltype(&M::result)> {};

// ---- which call of update() fits ------------------------------------------------------------------------

// update(inputs..., weight): called with n tensors, the last is the weight when update takes n
// parameters, and there is no weight when it takes n + 1.
template <class M, class... Es>
concept updates_with = requires(const M& m, Es... es) { m.update(es...); };

template <class M, class... Es>
auto call_update(const M& m, Es... es) {
  if constexpr (updates_with<M, Es..., One>) {
    return m.update(es..., One{});
  } else {
    static_assert(updates_with<M, Es...>,
                  "situ: update_state() got a number of tensors that the metric's update() does not "
                  "take; give y_true, y_pred and optionally sample_weight (Mean and Sum: values and "
                  "optionally sample_weight)");
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
          (std::remove_cvref_t<decltype(get<I>(std::declval<typename Traits::slots&>()))>::template
               accepts<type_at_t<I, Types<Rs...>>> && ...),
          "situ: a parameter of result() does not fit its reduction; take double for sum, mean, min "
          "and max, Moments for moments, std::span<const double> for histogram, confusion and "
          "column_sum");
    }(std::make_integer_sequence<int, Traits::count>{});
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

// ---- arguments of an update -----------------------------------------------------------------------------

// Rows and columns of an update, agreed on by all its arguments.
struct Extent {
  std::int64_t rows = -1;
  std::int64_t columns = -1;
  std::string rows_of;
  std::string columns_of;
};
inline const char* argument_name(int i, int n) {
  static constexpr const char* two[] = {"y_true", "y_pred", "sample_weight"};
  static constexpr const char* one[] = {"values", "sample_weight"};
  if (n == 1 || (n == 2 && i > 1)) return one[i];
  return i < 3 ? two[i] : "argument";
}
template <int Rank, int R>
void agree(Extent& e, const Shape<R>& shape, int index, int n) {
  std::int64_t rows = 1;
  const int leading = Rank == 2 ? R - 1 : R;
  for (int a = 0; a < leading; ++a) rows *= shape[a];
  const auto whole = [&] { return std::string(argument_name(index, n)) + " of shape " + to_string(shape); };
  if (e.rows < 0) {
    e.rows = rows;
    e.rows_of = whole();
  } else if (e.rows != rows) {
    throw shape_error("situ: " + e.rows_of + " has " + std::to_string(e.rows) + " rows and " + whole() +
                      " has " + std::to_string(rows) +
                      "; give one label, prediction and weight for each row");
  }
  if constexpr (Rank == 2) {
    if (e.columns < 0) {
      e.columns = shape[R - 1];
      e.columns_of = whole();
    } else if (e.columns != shape[R - 1]) {
      throw shape_error("situ: " + e.columns_of + " and " + whole() +
                        " have last axes of different lengths; make them equal, or drop the last axis "
                        "with situ::squeeze(x, axis) if it has length 1");
    }
  }
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
