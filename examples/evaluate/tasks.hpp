// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "situ/situ.hpp"

// What is computed for each kind of task: one collection, one pass over every batch.
namespace evaluate {

using Values = std::vector<std::pair<std::string, double>>;
using Vector = situ::View<const double, 1, situ::Host>;
using Labels = situ::View<const std::int32_t, 1, situ::Host>;
using Matrix = situ::View<const double, 2, situ::Host>;

struct Described {
  std::string_view name;
  const char* description;
};

struct Options {
  double threshold = 0.5;
  bool from_logits = false;
  int threads = 0;
  std::int32_t classes = 0;  // columns of the scores
};

// 2 TP / (2 TP + FP + FN) of two classes: a metric of this program's own.
struct BinaryF1 {
  double threshold = 0.5;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto t = situ::binary_label(y_true);
    const auto p = y_pred > situ::option<&BinaryF1::threshold>(threshold);
    return situ::states(sum(weight * (t && p)), sum(weight * t), sum(weight * p));
  }
  double result(double hits, double actual, double predicted) const {
    return situ::divide_no_nan(2 * hits, actual + predicted);
  }
};

inline auto binary_metrics(const Options& o) {
  using namespace situ;
  // A threshold on probabilities is one on logits after the logit function.
  const double t = o.from_logits ? std::log(o.threshold / (1 - o.threshold)) : o.threshold;
  return collect<Host>(BinaryAccuracy{.threshold = t}, Precision{.threshold = t},
                       Recall{.threshold = t}, BinaryF1{.threshold = t},
                       AUC{.from_logits = o.from_logits},
                       AUC{.curve = Curve::pr, .from_logits = o.from_logits},
                       BinaryCrossentropy{.from_logits = o.from_logits},
                       TruePositives{.threshold = t}, TrueNegatives{.threshold = t},
                       FalsePositives{.threshold = t}, FalseNegatives{.threshold = t});
}

class Binary {
 public:
  explicit Binary(const Options& o) : threads_{o.threads}, metrics_(binary_metrics(o)) {}
  void update(const Labels& y, const Vector& p, const Vector* w) {
    if (w != nullptr) {
      metrics_.update_state(on(threads_), y, p, *w);
    } else {
      metrics_.update_state(on(threads_), y, p);
    }
  }
  Values values() const {
    const auto [accuracy, precision, recall, f1, roc, pr, loss, tp, tn, fp, fn] = metrics_.result();
    return {{"BinaryAccuracy", accuracy},
            {"Precision", precision},
            {"Recall", recall},
            {"F1Score", f1},
            {"AUC", roc},
            {"AUC_PR", pr},
            {"BinaryCrossentropy", loss},
            {"TruePositives", tp},
            {"TrueNegatives", tn},
            {"FalsePositives", fp},
            {"FalseNegatives", fn}};
  }
  situ::Tensor<double, 2, situ::Host> confusion() const {
    const auto v = values();
    return {{v[8].second, v[9].second}, {v[10].second, v[7].second}};
  }
  static constexpr Described listed[] = {
      {"BinaryAccuracy", "share of rows on the right side of the threshold"},
      {"Precision", "TP / (TP + FP)"},
      {"Recall", "TP / (TP + FN)"},
      {"F1Score", "2 TP / (2 TP + FP + FN)"},
      {"AUC", "area under the ROC curve at 200 thresholds"},
      {"AUC_PR", "area under the precision-recall curve at 200 thresholds"},
      {"BinaryCrossentropy", "mean -log of the probability of the true class, clipped to 1e-7"},
      {"TruePositives", "weight of positives above the threshold"},
      {"TrueNegatives", "weight of negatives up to the threshold"},
      {"FalsePositives", "weight of negatives above the threshold"},
      {"FalseNegatives", "weight of positives up to the threshold"}};

 private:
  situ::threads threads_;
  decltype(binary_metrics(Options{})) metrics_;
};

inline auto multiclass_metrics(const Options& o) {
  using namespace situ;
  return collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
                       SparseTopKCategoricalAccuracy{.k = 3}, SparseTopKCategoricalAccuracy{.k = 5},
                       SparseCategoricalCrossentropy{.from_logits = o.from_logits},
                       F1Score{.average = Average::macro}, F1Score{.average = Average::micro},
                       F1Score{.average = Average::weighted}, ConfusionMatrix{});
}

class Multiclass {
 public:
  explicit Multiclass(const Options& o) : threads_{o.threads}, metrics_(multiclass_metrics(o)) {}
  void update(const Labels& y, const Matrix& p, const Vector* w) {
    if (w != nullptr) {
      metrics_.update_state(on(threads_), y, p, *w);
    } else {
      metrics_.update_state(on(threads_), y, p);
    }
  }
  Values values() const {
    const auto [accuracy, top2, top3, top5, loss, macro, micro, weighted, matrix] =
        metrics_.result();
    return {{"SparseCategoricalAccuracy", accuracy},
            {"SparseTopKCategoricalAccuracy_2", top2},
            {"SparseTopKCategoricalAccuracy_3", top3},
            {"SparseTopKCategoricalAccuracy_5", top5},
            {"SparseCategoricalCrossentropy", loss},
            {"F1Score_macro", macro},
            {"F1Score_micro", micro},
            {"F1Score_weighted", weighted}};
  }
  situ::Tensor<double, 2, situ::Host> confusion() const { return std::get<8>(metrics_.result()); }
  static constexpr Described listed[] = {
      {"SparseCategoricalAccuracy", "share of rows whose best score is the label's"},
      {"SparseTopKCategoricalAccuracy_2", "share of rows whose label is among the 2 best scores"},
      {"SparseTopKCategoricalAccuracy_3", "share of rows whose label is among the 3 best scores"},
      {"SparseTopKCategoricalAccuracy_5", "share of rows whose label is among the 5 best scores"},
      {"SparseCategoricalCrossentropy",
       "mean -log of the probability of the true class, clipped to 1e-7"},
      {"F1Score_macro", "F1 averaged over classes"},
      {"F1Score_micro", "F1 of all classes' counts"},
      {"F1Score_weighted", "F1 averaged over classes by their weight"}};

 private:
  situ::threads threads_;
  decltype(multiclass_metrics(Options{})) metrics_;
};

class Regression {
 public:
  explicit Regression(const Options& o) : threads_{o.threads} {}
  void update(const Vector& y, const Vector& p, const Vector* w) {
    if (w != nullptr) {
      metrics_.update_state(on(threads_), y, p, *w);
    } else {
      metrics_.update_state(on(threads_), y, p);
    }
  }
  Values values() const {
    const auto [mse, rmse, mae, r2] = metrics_.result();
    return {{"MeanSquaredError", mse},
            {"RootMeanSquaredError", rmse},
            {"MeanAbsoluteError", mae},
            {"R2Score", r2}};
  }
  static constexpr Described listed[] = {{"MeanSquaredError", "mean((y - p)^2)"},
                                         {"RootMeanSquaredError", "its square root"},
                                         {"MeanAbsoluteError", "mean(|y - p|)"},
                                         {"R2Score", "1 - sum (y - p)^2 / sum (y - mean)^2"}};

 private:
  situ::threads threads_;
  situ::Collection<situ::Host, situ::MeanSquaredError, situ::RootMeanSquaredError,
                   situ::MeanAbsoluteError, situ::R2Score>
      metrics_;
};

}  // namespace evaluate
