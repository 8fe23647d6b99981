// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/metrics/confusion.hpp"

// What scores of whole labelings share: the weight of every pair (true class, predicted class).
namespace situ {

// Counts of a square table with their margins. Rows are true classes, columns predicted ones.
class ContingencyTable {
 public:
  explicit ContingencyTable(std::span<const double> counts) : counts_(counts) {
    while (classes_ * classes_ < counts.size()) ++classes_;
    actual_.assign(classes_, 0.0);
    predicted_.assign(classes_, 0.0);
    for (std::size_t t = 0; t < classes_; ++t) {
      for (std::size_t p = 0; p < classes_; ++p) {
        actual_[t] += at(t, p);
        predicted_[p] += at(t, p);
      }
      total_ += actual_[t];
      agreed_ += at(t, t);
    }
  }
  std::size_t classes() const { return classes_; }
  double at(std::size_t t, std::size_t p) const { return counts_[t * classes_ + p]; }
  double actual(std::size_t t) const { return actual_[t]; }
  double predicted(std::size_t p) const { return predicted_[p]; }
  double total() const { return total_; }
  double agreed() const { return agreed_; }

 private:
  std::span<const double> counts_;  // those of the state, which outlives a result()
  std::size_t classes_ = 0;
  std::vector<double> actual_;
  std::vector<double> predicted_;
  double total_ = 0;
  double agreed_ = 0;
};

namespace detail {
// A label from either form: integer labels stay, rows of scores or one-hot rows give their best
// class.
template <symbolic L>
constexpr auto label_of(L x) {
  if constexpr (L::rank == 2) {
    return best_class(x);
  } else {
    return x;
  }
}

// The state of a contingency table. y_true, y_pred: integer labels [rows], or one-hot rows or
// scores [rows, classes], whose columns then are the number of classes. Labels alone need
// `num_classes`.
template <symbolic T, symbolic P, symbolic W>
auto contingency_states(T y_true, P y_pred, std::int32_t num_classes, W weight) {
  if constexpr (T::rank == 2 || P::rank == 2) {
    return states(confusion(label_of(y_true), label_of(y_pred), ColumnCount{}, weight));
  } else {
    if (num_classes < 1) {
      throw argument_error(
          "situ: a metric of predicted labels needs the number of classes; set .num_classes");
    }
    return states(confusion(y_true, y_pred, num_classes, weight));
  }
}

}  // namespace detail

}  // namespace situ
