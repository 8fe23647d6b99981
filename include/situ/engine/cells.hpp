// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/scalar_row.hpp"

// The cells of a reduction as every engine sees them.
namespace situ::detail {

// Device memory that the separate results of the chunks of a pass may take together.
inline constexpr std::int64_t most_scratch_bytes = std::int64_t{1} << 26;

// It has operands with one element per row and column.
template <class R>
inline constexpr bool per_element = false;
template <class K, class... As>
inline constexpr bool per_element<Reduce<K, As...>> = ((As::rank == 2) || ...);

// A number of bins as it is meant, also where int32 does not hold it.
template <class E>
struct ExactCount {
  template <class Args>
  static double of(const Args& args) {
    return static_cast<double>(uniform_value<E>(args));
  }
};
template <class A, class B>
struct ExactCount<Map<op::Times, A, B>> {
  template <class Args>
  static double of(const Args& args) {
    return ExactCount<A>::of(args) * ExactCount<B>::of(args);
  }
};
template <class A, class B>
struct ExactCount<Map<op::Plus, A, B>> {
  template <class Args>
  static double of(const Args& args) {
    return ExactCount<A>::of(args) + ExactCount<B>::of(args);
  }
};

template <class W>
struct cell_traits;
template <class Kind, class... As>
struct cell_traits<Reduce<Kind, As...>> {
  static constexpr Layout layout = Kind::layout;
  using cell = typename Reduce<Kind, As...>::cell;
  SITU_HD static constexpr cell empty() {
    return Kind::template empty<typename As::value_type...>();
  }
  SITU_HD static void merge(cell& a, const cell& b) { Kind::merge(a, b); }
  // Cells that one update needs.
  template <class Args>
  static std::int64_t count(const Args& args) {
    if constexpr (layout == Layout::bins) {
      using Bins = type_at_t<static_cast<int>(sizeof...(As)) - 1, Types<As...>>;
      const double bins = ExactCount<Bins>::of(args);
      if (!(bins >= 1 && bins <= 0x7fffffff)) {
        throw argument_error("situ: a histogram or table of classes would have " +
                             reason::number(bins) +
                             " cells; ask for at least one and at most 2147483647");
      }
      return static_cast<std::int64_t>(bins);
    } else if constexpr (layout == Layout::columns) {
      return per_element<Reduce<Kind, As...>> ? args.columns : 1;
    } else if constexpr (layout == Layout::rows) {
      return args.rows;
    } else {
      return 1;
    }
  }
};

}  // namespace situ::detail
