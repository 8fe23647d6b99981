// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/reduce/reduce.hpp"

// Weighted means and central moments without cancellation: updated by West's rule, merged by Chan's
// (Chan, Golub, LeVeque 1979; West 1979). Everything is in double, whatever the inputs. A mean carries what
// its rounding cut off: around 1e8 a double has steps of 1.5e-8, which would show in deviations of size 1.
namespace situ {

namespace detail {
// (mean, low) += step, with low what mean is short of (Knuth's two-sum); infinite means are short of nothing.
// For numbers and packs of them.
SITU_EXEC_CHECK_OFF
template <class X>
SITU_HD SITU_INLINE void advance_mean(X& mean, X& low, const X& step) {
  const X rest = low + step;
  const X sum = mean + rest;
  const X added = sum - mean;
  const X cut = (mean - (sum - added)) + (rest - added);
  low = simd::select(cut == cut, cut, X{});
  mean = sum;
}
}  // namespace detail

// Weighted mean and sum of squared deviations of one variable.
struct Moments {
  double weight;    // sum of the weights
  double mean;      // weighted mean; 0 without data
  double m2;        // sum of weight * (x - mean)^2
  double mean_low;  // what the mean is short of, below half a step of it

  // Population variance, m2 / weight; NaN without data.
  SITU_HD double variance() const { return m2 / weight; }
  // Unbiased for weights that count repetitions, m2 / (weight - 1).
  SITU_HD double sample_variance() const { return m2 / (weight - 1); }
};

// The same of two variables and their joint deviation.
struct CoMoments {
  double weight;
  double mean_x;
  double mean_y;
  double m2_x;
  double m2_y;
  double cxy;  // sum of weight * (x - mean_x) * (y - mean_y)
  double mean_x_low;
  double mean_y_low;
};

struct MomentsOf {
  static constexpr Layout layout = Layout::single;
  template <class V, class W>
  using cell = Moments;
  template <class V, class W>
  SITU_HD static constexpr Moments empty() {
    return {0, 0, 0, 0};
  }
  SITU_HD static void merge(Moments& a, const Moments& b) {
    if (b.weight == 0) return;
    if (a.weight == 0) {
      a = b;
      return;
    }
    const double total = a.weight + b.weight;
    const double delta = (b.mean - a.mean) + (b.mean_low - a.mean_low);
    const double share = b.weight / total;
    const double joint = simd::multiply(a.weight, share);
    detail::advance_mean(a.mean, a.mean_low, simd::multiply(delta, share));
    a.m2 += b.m2 + simd::multiply(delta, simd::multiply(delta, joint));
    a.weight = total;
  }
  template <class V, class W, class X, class Y>
  SITU_HD static void add(Moments& a, const X& x, const Y& weight) {
    merge(a, Moments{static_cast<double>(weight), static_cast<double>(x), 0, 0});
  }
};

struct CoMomentsOf {
  static constexpr Layout layout = Layout::single;
  template <class V1, class V2, class W>
  using cell = CoMoments;
  template <class V1, class V2, class W>
  SITU_HD static constexpr CoMoments empty() {
    return {0, 0, 0, 0, 0, 0, 0, 0};
  }
  SITU_HD static void merge(CoMoments& a, const CoMoments& b) {
    if (b.weight == 0) return;
    if (a.weight == 0) {
      a = b;
      return;
    }
    const double total = a.weight + b.weight;
    const double dx = (b.mean_x - a.mean_x) + (b.mean_x_low - a.mean_x_low);
    const double dy = (b.mean_y - a.mean_y) + (b.mean_y_low - a.mean_y_low);
    const double share = b.weight / total;
    const double joint = simd::multiply(a.weight, share);
    detail::advance_mean(a.mean_x, a.mean_x_low, simd::multiply(dx, share));
    detail::advance_mean(a.mean_y, a.mean_y_low, simd::multiply(dy, share));
    a.m2_x += b.m2_x + simd::multiply(dx, simd::multiply(dx, joint));
    a.m2_y += b.m2_y + simd::multiply(dy, simd::multiply(dy, joint));
    a.cxy += b.cxy + simd::multiply(dx, simd::multiply(dy, joint));
    a.weight = total;
  }
  template <class V1, class V2, class W, class X, class Y, class Z>
  SITU_HD static void add(CoMoments& a, const X& x, const Y& y, const Z& weight) {
    merge(a, CoMoments{static_cast<double>(weight), static_cast<double>(x),
                       static_cast<double>(y), 0, 0, 0, 0, 0});
  }
};

namespace detail {
// Moments are of one value per row: of a rank-2 expression there is one set per column.
template <class E>
inline constexpr bool row_value_or_tensor = !symbolic_row<E>;
}  // namespace detail

// Weighted moments of x over the rows; the result is a Moments.
template <expression X, expression W>
[[nodiscard]] constexpr auto moments(X&& x, W&& weight) {
  static_assert(detail::row_value_or_tensor<X>,
                "situ: moments() take one value per row; use column_moments(x, weight) for one set per "
                "column, or row_mean(x)");
  return detail::reduce_as<MomentsOf>(std::forward<X>(x), std::forward<W>(weight));
}
template <expression X>
[[nodiscard]] constexpr auto moments(X&& x) {
  return moments(std::forward<X>(x), One{});
}

// Weighted joint moments of x and y over the rows; the result is a CoMoments.
template <expression X, expression Y, expression W>
  requires(!on_different_devices<X, Y>)
[[nodiscard]] constexpr auto co_moments(X&& x, Y&& y, W&& weight) {
  static_assert(detail::row_value_or_tensor<X> && detail::row_value_or_tensor<Y>,
                "situ: co_moments() take one value per row; use row_mean(x)");
  return detail::reduce_as<CoMomentsOf>(std::forward<X>(x), std::forward<Y>(y),
                                        std::forward<W>(weight));
}
template <expression X, expression Y>
  requires(!on_different_devices<X, Y>)
[[nodiscard]] constexpr auto co_moments(X&& x, Y&& y) {
  return co_moments(std::forward<X>(x), std::forward<Y>(y), One{});
}

}  // namespace situ
