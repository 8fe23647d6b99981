// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "situ/config.hpp"
#include "situ/dtype.hpp"
#include "situ/simd/load.hpp"

// What a RowReduce does. A row operation is a commutative monoid over the elements of a row:
//   result<V>               element type of the result
//   State<V, N>             running value of N lanes (N = 0: one scalar)
//   empty, add, merge       of states; add also learns the element's column
//   neutral                 what to add for lanes that are not active, so that they change nothing
//   lanes_down, first_lane  how the lanes of a pack are joined at the end
//   value<V>(state)         what the state says
// One source serves scalars (N = 0, host and device) and packs (host).
namespace situ::op {

template <class T, int N>
struct lanes_of {
  using type = simd::Pack<T, N>;
};
template <class T>
struct lanes_of<T, 0> {
  using type = T;
};
template <class T, int N>
using lanes = typename lanes_of<T, N>::type;

SITU_EXEC_CHECK_OFF
template <class T, int N>
SITU_HD SITU_INLINE lanes<T, N> fill(T x) {
  if constexpr (N == 0) {
    return x;
  } else {
    return simd::broadcast<N>(x);
  }
}

// Sums of a row are double for real numbers and int64 for integers; counts of a row fit in int32.
template <class V>
using row_sum_t = std::conditional_t<
    std::is_same_v<V, bool>, std::int32_t,
    std::conditional_t<std::is_floating_point_v<compute_t<V>>, double, std::int64_t>>;

struct RowSum {
  template <class V>
  using result = row_sum_t<V>;
  template <class V, int N>
  struct State {
    lanes<row_sum_t<V>, N> sum;
  };
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> empty() {
    return {fill<row_sum_t<V>, N>(0)};
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N, class X, class J>
  SITU_HD static SITU_INLINE void add(State<V, N>& s, const X& x, const J&) {
    if constexpr (N == 0) {
      s.sum += static_cast<row_sum_t<V>>(x);
    } else if constexpr (std::is_same_v<V, bool>) {
      simd::count_add(s.sum, x);
    } else if constexpr (std::is_same_v<compute_t<V>, float>) {
      simd::widen_add(s.sum, x);
    } else {
      s.sum = s.sum + simd::convert<row_sum_t<V>>(x);
    }
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> merge(const State<V, N>& a, const State<V, N>& b) {
    return {a.sum + b.sum};
  }
  template <class V, int N>
  SITU_HD static SITU_INLINE auto value(const State<V, N>& s) {
    return s.sum;
  }
  template <class V, int N, int Distance>
  static SITU_INLINE State<V, N> lanes_down(const State<V, N>& s) {
    return {simd::lanes_down<Distance>(s.sum)};
  }
  template <class V, int N>
  static SITU_INLINE State<V, 0> first_lane(const State<V, N>& s) {
    return {s.sum.v[0]};
  }
  template <class V, int N, class X, class M>
  static SITU_INLINE auto neutral(const X& x, const M& active) {
    if constexpr (std::is_same_v<V, bool>) {
      return x & active;
    } else {
      return simd::select(active, x, simd::broadcast<N>(compute_t<V>(0)));
    }
  }
};

template <class T>
SITU_HD constexpr T lowest() {
  if constexpr (std::is_floating_point_v<T>) {
    return -simd::infinity_of<T>;
  } else {
    return simd::smallest_of<T>;
  }
}
template <class T>
SITU_HD constexpr T highest() {
  if constexpr (std::is_floating_point_v<T>) {
    return simd::infinity_of<T>;
  } else {
    return simd::largest_of<T>;
  }
}

// Largest (Sign 1) or smallest (Sign -1) element; NaN wins, as in NumPy.
template <int Sign>
struct RowExtreme {
  template <class V>
  using result = compute_t<V>;
  template <class V>
  SITU_HD static constexpr compute_t<V> start() {
    return Sign > 0 ? lowest<compute_t<V>>() : highest<compute_t<V>>();
  }
  template <class V, int N>
  struct State {
    lanes<compute_t<V>, N> best;
  };
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> empty() {
    return {fill<compute_t<V>, N>(start<V>())};
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N, class X, class J>
  SITU_HD static SITU_INLINE void add(State<V, N>& s, const X& x, const J&) {
    s.best = merge<V, N>(s, State<V, N>{x}).best;
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> merge(const State<V, N>& a, const State<V, N>& b) {
    if constexpr (Sign > 0) {
      return {simd::max(a.best, b.best)};
    } else {
      return {simd::min(a.best, b.best)};
    }
  }
  template <class V, int N>
  SITU_HD static SITU_INLINE auto value(const State<V, N>& s) {
    return s.best;
  }
  template <class V, int N, int Distance>
  static SITU_INLINE State<V, N> lanes_down(const State<V, N>& s) {
    return {simd::lanes_down<Distance>(s.best)};
  }
  template <class V, int N>
  static SITU_INLINE State<V, 0> first_lane(const State<V, N>& s) {
    return {s.best.v[0]};
  }
  template <class V, int N, class X, class M>
  static SITU_INLINE auto neutral(const X& x, const M& active) {
    return simd::select(active, x, simd::broadcast<N>(start<V>()));
  }
};
using RowMax = RowExtreme<1>;
using RowMin = RowExtreme<-1>;

// Column of the largest or smallest element; the first of equals, and the first NaN if there is one, or
// `none` in that case when the column must be of a number.
template <int Sign, bool OfNumber = false>
struct RowArgExtreme {
  template <class V>
  using result = std::int32_t;
  static constexpr std::int32_t none = simd::largest_of<std::int32_t>;
  template <class V, int N>
  struct State {
    lanes<compute_t<V>, N> best;
    lanes<std::int32_t, N> index;
  };
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> empty() {
    return {fill<compute_t<V>, N>(RowExtreme<Sign>::template start<V>()),
            fill<std::int32_t, N>(none)};
  }
  // `x` beats `best` unless best is NaN; a NaN x beats every number.
  SITU_EXEC_CHECK_OFF
  template <class X>
  SITU_HD static SITU_INLINE auto beats(const X& x, const X& best) {
    using Verdict = decltype(x == best);  // bool & bool is an int
    if constexpr (Sign > 0) {
      return static_cast<Verdict>((!(x <= best)) & (best == best));
    } else {
      return static_cast<Verdict>((!(x >= best)) & (best == best));
    }
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N, class X, class J>
  SITU_HD static SITU_INLINE void add(State<V, N>& s, const X& x, const J& column) {
    const auto better = beats(x, s.best);  // columns only grow, so an equal one never wins
    s.best = simd::select(better, x, s.best);
    if constexpr (std::is_same_v<J, lanes<std::int32_t, N>>) {
      s.index = simd::select(better, column, s.index);
    } else {
      s.index = simd::select(better, fill<std::int32_t, N>(column), s.index);
    }
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> merge(const State<V, N>& a, const State<V, N>& b) {
    const auto both_nan = (a.best != a.best) & (b.best != b.best);
    const auto tie = (a.best == b.best) | both_nan;
    const auto take =
        static_cast<lanes<bool, N>>(beats(b.best, a.best) | (tie & (b.index < a.index)));
    return {simd::select(take, b.best, a.best), simd::select(take, b.index, a.index)};
  }
  // A row of lowest values only never beats the start: its first column wins.
  SITU_EXEC_CHECK_OFF
  template <class V, int N>
  SITU_HD static SITU_INLINE auto value(const State<V, N>& s) {
    const auto index =
        simd::select(s.index == fill<std::int32_t, N>(none), fill<std::int32_t, N>(0), s.index);
    if constexpr (OfNumber) {
      return simd::select(s.best == s.best, index, fill<std::int32_t, N>(none));
    } else {
      return index;
    }
  }
  template <class V, int N, int Distance>
  static SITU_INLINE State<V, N> lanes_down(const State<V, N>& s) {
    return {simd::lanes_down<Distance>(s.best), simd::lanes_down<Distance>(s.index)};
  }
  template <class V, int N>
  static SITU_INLINE State<V, 0> first_lane(const State<V, N>& s) {
    return {s.best.v[0], s.index.v[0]};
  }
  template <class V, int N, class X, class M>
  static SITU_INLINE auto neutral(const X& x, const M& active) {
    return RowExtreme<Sign>::template neutral<V, N>(x, active);
  }
};
using RowArgMax = RowArgExtreme<1>;
using RowArgMin = RowArgExtreme<-1>;
using RowBestClass = RowArgExtreme<1, true>;

// Any element true, or all of them.
template <bool Every>
struct RowLogic {
  template <class V>
  using result = bool;
  template <class V, int N>
  struct State {
    lanes<bool, N> verdict;
  };
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> empty() {
    return {fill<bool, N>(Every)};
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N, class X, class J>
  SITU_HD static SITU_INLINE void add(State<V, N>& s, const X& x, const J&) {
    s = merge<V, N>(s, State<V, N>{simd::convert<bool>(x)});
  }
  SITU_EXEC_CHECK_OFF
  template <class V, int N>
  SITU_HD static SITU_INLINE State<V, N> merge(const State<V, N>& a, const State<V, N>& b) {
    if constexpr (Every) {
      return {static_cast<lanes<bool, N>>(a.verdict & b.verdict)};
    } else {
      return {static_cast<lanes<bool, N>>(a.verdict | b.verdict)};
    }
  }
  template <class V, int N>
  SITU_HD static SITU_INLINE auto value(const State<V, N>& s) {
    return s.verdict;
  }
  template <class V, int N, int Distance>
  static SITU_INLINE State<V, N> lanes_down(const State<V, N>& s) {
    return {simd::lanes_down<Distance>(s.verdict)};
  }
  template <class V, int N>
  static SITU_INLINE State<V, 0> first_lane(const State<V, N>& s) {
    return {simd::lane(s.verdict, 0)};
  }
  template <class V, int N, class X, class M>
  static SITU_INLINE auto neutral(const X& x, const M& active) {
    return simd::select(active, simd::convert<bool>(x), simd::broadcast<N>(Every));
  }
};
using RowAny = RowLogic<false>;
using RowAll = RowLogic<true>;

}  // namespace situ::op
