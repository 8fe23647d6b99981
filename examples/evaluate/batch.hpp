// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "situ/situ.hpp"

namespace evaluate {

using Values = std::vector<std::pair<std::string, double>>;
using Vector = situ::View<const double, 1, situ::Host>;
using Labels = situ::View<const std::int32_t, 1, situ::Host>;
using Matrix = situ::View<const double, 2, situ::Host>;
using Table = situ::Tensor<double, 2, situ::Host>;

struct Options {
  double threshold = 0.5;
  bool from_logits = false;
  int threads = 0;
  std::int32_t classes = 0;  // columns of the scores, or labels from 0 on
  double value = 0;          // what --metrics gives after a colon
};

struct Described {
  std::string_view name;
  const char* description;
};

// Some rows of the files; what a task does not have is empty.
struct Batch {
  Labels labels{};         // of all tasks but regression
  Labels predicted{};      // of labels tasks, and scores above the threshold of binary ones
  Vector targets{};        // of regression tasks
  Vector given{};          // scores as they are in the file, of binary and regression tasks
  Vector scores{};         // the same, but probabilities where those are logits
  Matrix given_classes{};  // likewise of multiclass tasks
  Matrix class_scores{};
  Vector weight{};  // ones if there are no weights
  bool weighted = false;
};

// Fills in what follows from the rest: probabilities of logits, predicted labels, weights of one.
class CompleteBatch {
 public:
  CompleteBatch(const Batch& given, const Options& options) : batch_(given) {
    const bool from_logits = options.from_logits;
    batch_.scores = batch_.given;
    batch_.class_scores = batch_.given_classes;
    if (from_logits && batch_.given.size() > 0) {
      probabilities_ = sigmoid(batch_.given);
      batch_.scores = probabilities_;
    }
    if (from_logits && batch_.given_classes.size() > 0) {
      class_probabilities_ = softmax(batch_.given_classes);
      batch_.class_scores = class_probabilities_;
    }
    if (batch_.labels.size() > 0 && batch_.scores.size() > 0) {
      predicted_ = situ::cast<std::int32_t>(batch_.scores > options.threshold);
      batch_.predicted = predicted_;
    }
    if (!batch_.weighted) {
      ones_ = situ::full<double, 1>({{std::max(batch_.labels.size(), batch_.targets.size())}}, 1.0);
      batch_.weight = ones_;
    }
  }
  CompleteBatch(const CompleteBatch&) = delete;
  CompleteBatch& operator=(const CompleteBatch&) = delete;

  const Batch& get() const { return batch_; }

 private:
  Batch batch_;
  situ::Tensor<double, 1, situ::Host> ones_, probabilities_;
  situ::Tensor<std::int32_t, 1, situ::Host> predicted_;
  Table class_probabilities_;
};

}  // namespace evaluate
