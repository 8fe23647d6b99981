// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "situ/expression/checks.hpp"
#include "situ/expression/functions.hpp"
#include "situ/expression/row_ops.hpp"

// Row functions: they read the last axis and give one value per row (or, like softmax, a new row).
//
// In a metric they take symbolic inputs. A rank-1 input is a row of one element, so row_mean of it is
// the element itself and one metric serves both ranks. On tensors of shape [..., C] they give an
// expression of shape [...] (softmax: [..., C]) that is evaluated in one fused pass.
namespace situ {

namespace detail {
template <class E>
concept symbolic_row = symbolic<E> && (std::remove_cvref_t<E>::rank == 2);
template <class E>
concept symbolic_value = symbolic<E> && (std::remove_cvref_t<E>::rank < 2);
template <class E>
concept tensor_row = expression<E> && (!symbolic<E>) && (std::remove_cvref_t<E>::rank >= 1);

template <class Op, class E>
constexpr auto reduce_row(E e) {
  return RowReduce<Op, E>{make_tuple(std::move(e))};
}
template <class Fn, class A>
constexpr auto compose(A&& a) {
  auto x = make_node<A>(std::forward<A>(a));
  return Composite<Fn, decltype(x)>{make_tuple(std::move(x))};
}
}  // namespace detail

// Name is the function, Fn its symbolic form as a type, `whole` what it is for a row of one element.
#define SITU_ROW_FUNCTION(name, Fn, x, formula, whole)                \
  template <detail::symbolic_row E>                                   \
  [[nodiscard]] constexpr auto name(E x) {                            \
    return formula;                                                   \
  }                                                                   \
  template <detail::symbolic_value E>                                 \
  [[nodiscard]] constexpr auto name(E x) {                            \
    return whole;                                                     \
  }                                                                   \
  namespace detail {                                                  \
  struct Fn {                                                         \
    template <class E>                                                \
    constexpr auto operator()(E e) const {                            \
      return situ::name(e);                                           \
    }                                                                 \
  };                                                                  \
  }                                                                   \
  template <detail::tensor_row A>                                     \
  [[nodiscard]] constexpr auto name(A&& a) {                          \
    return detail::compose<detail::Fn>(std::forward<A>(a));           \
  }

// Real numbers are summed in double, integers in int64; true counts as one.
SITU_ROW_FUNCTION(row_sum, RowSumFn, x, detail::reduce_row<op::RowSum>(x), x)
SITU_ROW_FUNCTION(row_mean, RowMeanFn, x, row_sum(x) / ColumnCount{}, x)
SITU_ROW_FUNCTION(row_max, RowMaxFn, x, detail::reduce_row<op::RowMax>(x), x)
SITU_ROW_FUNCTION(row_min, RowMinFn, x, detail::reduce_row<op::RowMin>(x), x)
// The first of equal elements; the first NaN, if there is one.
SITU_ROW_FUNCTION(argmax, ArgMaxFn, x, detail::reduce_row<op::RowArgMax>(x),
                  (cast<std::int32_t>(x != x)))
SITU_ROW_FUNCTION(argmin, ArgMinFn, x, detail::reduce_row<op::RowArgMin>(x),
                  (cast<std::int32_t>(x != x)))
SITU_ROW_FUNCTION(any, AnyFn, x, detail::reduce_row<op::RowAny>(x), cast<bool>(x))
SITU_ROW_FUNCTION(all, AllFn, x, detail::reduce_row<op::RowAll>(x), cast<bool>(x))
// The Euclidean length of the row.
SITU_ROW_FUNCTION(norm, NormFn, x, sqrt(row_sum(square(cast<double>(x)))), abs(x))

namespace detail {
// exp(x - this) cannot overflow; rows of infinities keep their infinities.
template <class E>
constexpr auto safe_shift(E x) {
  const auto m = row_max(x);
  return where(isfinite(m), m, constant<0>);
}
}  // namespace detail

// log(sum(exp(row))), exact for large and small elements; -inf for a row of -inf.
SITU_ROW_FUNCTION(logsumexp, LogSumExpFn, x,
                  detail::safe_shift(x) + log(row_sum(exp(x - detail::safe_shift(x)))), x)
// exp(row) / sum(exp(row)). Element type: that of the row, float for 16-bit floats.
SITU_ROW_FUNCTION(softmax, SoftmaxFn, x,
                  cast<typename decltype(exp(x))::value_type>(
                      exp(x - row_max(x)) / row_sum(exp(x - row_max(x)))),
                  exp(x - x))
SITU_ROW_FUNCTION(log_softmax, LogSoftmaxFn, x,
                  cast<typename decltype(exp(x))::value_type>(x - logsumexp(x)), x - x)
#undef SITU_ROW_FUNCTION

namespace detail {
struct GatherFn {
  template <class X, class L>
  constexpr auto operator()(X x, L label) const;
};
struct LabelRankFn {
  template <class X, class L>
  constexpr auto operator()(X x, L label) const;
};
template <class Fn, class A, class L>
constexpr auto compose_labelled(A&& a, L&& labels) {
  auto x = make_node<A>(std::forward<A>(a));
  auto l = make_node<L>(std::forward<L>(labels));
  return Composite<Fn, decltype(x), decltype(l)>{make_tuple(std::move(x), std::move(l))};
}
template <class X, class L>
concept rows_and_labels = tensor_row<X> && expression<L> && (!symbolic<L>) &&
                          (std::remove_cvref_t<L>::rank == std::remove_cvref_t<X>::rank - 1) &&
                          (!on_different_devices<X, L>);
template <class X, class L>
concept symbolic_rows_and_labels = symbolic_row<X> && symbolic_value<L>;
}  // namespace detail

// For each row the element in column `label` (NumPy's take_along_axis). Labels are integers in
// [0, columns); an update with another label is rejected.
template <class X, class L>
  requires detail::symbolic_rows_and_labels<X, L>
[[nodiscard]] constexpr auto gather(X x, L label) {
  auto l = class_index(label, ColumnCount{});
  return Gather<void, X, decltype(l)>{make_tuple(x, l)};
}

// How many classes score above the label's class, counting an equal score as above when its column is
// lower: 0 means that argmax is the label, and label_rank(x, l) < k that a stable top k holds it.
// A NaN score counts as above, a NaN at the label as below all: such a row is never a hit.
template <class X, class L>
  requires detail::symbolic_rows_and_labels<X, L>
[[nodiscard]] constexpr auto label_rank(X x, L label) {
  const auto score = gather(x, label);
  const auto l = class_index(label, ColumnCount{});
  return row_sum(where(ColumnIndex{} < l, !(x < score), !(x <= score)));
}

template <class X, class L>
constexpr auto detail::GatherFn::operator()(X x, L label) const {
  return gather(x, label);
}
template <class X, class L>
constexpr auto detail::LabelRankFn::operator()(X x, L label) const {
  return label_rank(x, label);
}

template <class X, class L>
  requires detail::rows_and_labels<X, L>
[[nodiscard]] constexpr auto gather(X&& x, L&& labels) {
  return detail::compose_labelled<detail::GatherFn>(std::forward<X>(x), std::forward<L>(labels));
}
template <class X, class L>
  requires detail::rows_and_labels<X, L>
[[nodiscard]] constexpr auto label_rank(X&& x, L&& labels) {
  return detail::compose_labelled<detail::LabelRankFn>(std::forward<X>(x),
                                                       std::forward<L>(labels));
}
template <class X, class L, class Cure = move_one_operand_with_situ_to_Device>
  requires on_different_devices<X, L> && expression<X> && expression<L>
void gather(X&&, L&&) SITU_REFUSE(
    "situ: the rows and the labels live on different devices; move one with situ::to<Device>(x)");
template <class X, class L, class Cure = move_one_operand_with_situ_to_Device>
  requires on_different_devices<X, L> && expression<X> && expression<L>
void label_rank(X&&, L&&) SITU_REFUSE(
    "situ: the rows and the labels live on different devices; move one with situ::to<Device>(x)");

}  // namespace situ
