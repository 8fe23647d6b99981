// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "situ/error.hpp"
#include "situ/expression/functions.hpp"
#include "situ/expression/row_ops.hpp"

// Promises about the data that an update verifies in the same pass. A batch that breaks one is
// rejected as a whole, with the row and the value, before anything of it reaches the state.
namespace situ {

// A reason says what must hold, for scalars and packs alike, and has the sentence for the user when
// it does not. `guards_access` means that memory is indexed with the value, so it must be verified
// before its use; other verdicts may be gathered and looked at later.
namespace reason {

inline std::string at_row(std::int64_t row) { return " in row " + std::to_string(row); }
// Nine digits, and all of a whole number that a double holds for sure.
inline std::string number(double x) {
  if (x != x) return "NaN";
  char text[32];
  std::snprintf(text, sizeof text,
                x > -0x1p53 && x < 0x1p53 && x == std::trunc(x) ? "%.0f" : "%.9g", x);
  return text;
}

struct LabelOutOfRange {
  static constexpr bool guards_access = true;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value >= X{}) & (value < limit);
  }
  static std::string sentence(std::int64_t row, double value, double limit) {
    return "situ: label " + number(value) + at_row(row) + " is outside [0, " + number(limit) +
           "); correct the label, or have it dropped with situ::ignoring(metric, label)";
  }
};
struct NoClass {
  static constexpr bool guards_access = true;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value >= X{}) & (value < limit);
  }
  static std::string sentence(std::int64_t row, double, double) {
    return "situ: a score" + at_row(row) +
           " is NaN, so that no class is predicted; correct the scores, or leave the row out";
  }
};
struct NotBinary {
  static constexpr bool guards_access = false;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value == X{}) | (value == limit);
  }
  static std::string sentence(std::int64_t row, double value, double) {
    return "situ: label " + number(value) + at_row(row) +
           " is neither 0 nor 1; binary metrics need labels of exactly these two values";
  }
};
struct NotProbability {
  static constexpr bool guards_access = false;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value >= X{}) & (value <= limit);
  }
  static std::string sentence(std::int64_t row, double value, double) {
    return "situ: score " + number(value) + at_row(row) +
           " is outside [0, 1]; give probabilities: of logits their situ::sigmoid or "
           "situ::softmax, or "
           "set from_logits where the metric has it";
  }
};
struct NotTarget {
  static constexpr bool guards_access = false;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return NotProbability::holds(value, limit);
  }
  static std::string sentence(std::int64_t row, double value, double) {
    return "situ: y_true is " + number(value) + at_row(row) +
           ", which is outside [0, 1]; a cross-entropy takes labels or probabilities as targets";
  }
};
struct NoSuchColumn {
  static constexpr bool guards_access = true;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return LabelOutOfRange::holds(value, limit);
  }
  static std::string sentence(std::int64_t, double value, double limit) {
    return "situ: there is no column " + number(value) + " in rows of " + number(limit) +
           "; columns count from 0: correct the class_id, or give the scores of all classes";
  }
};
struct BinOutOfRange {
  static constexpr bool guards_access = true;
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto holds(const X& value, const X& limit) {
    return (value >= X{}) & (value < limit);
  }
  static std::string sentence(std::int64_t row, double value, double limit) {
    return "situ: bin " + number(value) + at_row(row) + " is outside [0, " + number(limit) +
           "); limit the bin index or ask for more bins";
  }
};

}  // namespace reason

}  // namespace situ

namespace situ::op {
// The verdict on a value, in the value's own type.
template <class Reason>
struct Holds {
  template <class V, class L>
  using result = bool;
  SITU_EXEC_CHECK_OFF
  template <class V, class L, class X, class Y>
  SITU_HD static SITU_INLINE auto apply(const X& value, const Y& limit) {
    return simd::convert<bool>(Reason::holds(value, simd::convert<compute_t<V>>(limit)));
  }
};
}  // namespace situ::op

namespace situ {

// `value`, rejecting updates in which Reason does not hold for it: for the value of a row, or for
// one of the elements of a rank-2 value.
template <class Reason, symbolic V, symbolic L>
[[nodiscard]] constexpr auto check(V value, L limit) {
  return Checked<Reason, V, L>{make_tuple(value, limit)};
}

namespace detail {
template <class E>
concept integer_expression = integer_element<typename std::remove_cvref_t<E>::value_type> ||
                             std::is_same_v < typename std::remove_cvref_t<E>::value_type,
bool > ;
}  // namespace detail

// The class that scores predict: the column of the largest of the row, the first of equals. A row
// with a NaN predicts none: a number past the last column, which class_index() rejects.
template <symbolic E>
[[nodiscard]] constexpr auto best_class(E scores) {
  using V = typename E::value_type;
  if constexpr (E::rank == 2 && !integer_element<V> && !std::is_same_v<V, bool>) {
    return RowReduce<op::RowBestClass, E>{make_tuple(scores)};
  } else {
    return argmax(scores);
  }
}
namespace detail {
template <class E>
inline constexpr bool is_best_class = false;
template <class... As>
inline constexpr bool is_best_class<RowReduce<op::RowBestClass, As...>> = true;
template <class E>
inline constexpr bool is_option = is_constant<E>;
template <class K, class T>
inline constexpr bool is_option<Param<K, T>> = true;
template <class L>
using reason_of_label = std::conditional_t<
    is_best_class<L>, reason::NoClass,
    std::conditional_t<is_option<L>, reason::NoSuchColumn, reason::LabelOutOfRange>>;
}  // namespace detail

// A class label as an int32 column number: an integer in [0, classes), else the update is rejected.
// Labels stay integers: a floating-point label does not compile.
template <symbolic L, symbolic C>
[[nodiscard]] constexpr auto class_index(L label, C classes) {
  static_assert(
      detail::integer_expression<L>,
      "situ: class labels must be integers, not floating-point numbers; convert them with "
      "situ::cast<std::int32_t>(y_true) if they are whole numbers");
  static_assert(L::rank < 2,
                "situ: class labels need one value per row; drop the last axis of a [rows, 1] "
                "tensor with situ::squeeze(y_true, 1)");
  if constexpr (std::is_same_v<typename L::value_type, bool>) {
    return class_index(cast<std::int32_t>(label), classes);
  } else {
    return cast<std::int32_t>(check<detail::reason_of_label<L>>(label, classes));
  }
}

// A label that is 0 or 1, as bool; any other value rejects the update. Accepts every element type,
// because 0.0f and 1.0f are exact.
template <symbolic L>
[[nodiscard]] constexpr auto binary_label(L label) {
  if constexpr (std::is_same_v<typename L::value_type, bool>) {
    return label;
  } else {
    return cast<bool>(check<reason::NotBinary>(label, Fixed<std::int32_t, 1>{}));
  }
}

// A score in [0, 1]; NaN and anything else reject the update.
template <symbolic P>
[[nodiscard]] constexpr auto probability(P score) {
  return check<reason::NotProbability>(score, Fixed<std::int32_t, 1>{});
}

}  // namespace situ
