// SPDX-License-Identifier: Apache-2.0
#include "tasks.hpp"

#include <cmath>

namespace evaluate {
namespace {

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

// Each task: its metrics, what they take of a batch, and their results under the names that
// `listed` gives in the same order.

struct Binary {
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
  static auto metrics(const Options& o) {
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
  static auto operands(const Batch& b, auto f) { return f(b.labels, b.given); }
  static Table confusion(const auto& results) {
    return {{std::get<8>(results), std::get<9>(results)},
            {std::get<10>(results), std::get<7>(results)}};
  }
};

struct Multiclass {
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
  static auto metrics(const Options& o) {
    using namespace situ;
    return collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
                         SparseTopKCategoricalAccuracy{.k = 3},
                         SparseTopKCategoricalAccuracy{.k = 5},
                         SparseCategoricalCrossentropy{.from_logits = o.from_logits},
                         F1Score{.average = Average::macro}, F1Score{.average = Average::micro},
                         F1Score{.average = Average::weighted}, ConfusionMatrix{});
  }
  static auto operands(const Batch& b, auto f) { return f(b.labels, b.given_classes); }
  static Table confusion(const auto& results) { return std::get<8>(results); }
};

struct OfLabels {
  static constexpr Described listed[] = {
      {"Accuracy", "share of rows whose predicted label is the true one"},
      {"BalancedAccuracy", "mean recall of the classes that occur"},
      {"CohenKappa", "agreement beyond chance"},
      {"MatthewsCorrelation", "correlation of true and predicted classes"}};
  static auto metrics(const Options& o) {
    using namespace situ;
    return collect<Host>(Accuracy{}, BalancedAccuracy{.num_classes = o.classes},
                         CohenKappa{.num_classes = o.classes},
                         MatthewsCorrelation{.num_classes = o.classes},
                         ConfusionMatrix{.num_classes = o.classes});
  }
  static auto operands(const Batch& b, auto f) { return f(b.labels, b.predicted); }
  static Table confusion(const auto& results) { return std::get<4>(results); }
};

struct Regression {
  static constexpr Described listed[] = {{"MeanSquaredError", "mean((y - p)^2)"},
                                         {"RootMeanSquaredError", "its square root"},
                                         {"MeanAbsoluteError", "mean(|y - p|)"},
                                         {"R2Score", "1 - sum (y - p)^2 / sum (y - mean)^2"}};
  static auto metrics(const Options&) {
    using namespace situ;
    return collect<Host>(MeanSquaredError{}, RootMeanSquaredError{}, MeanAbsoluteError{},
                         R2Score{});
  }
  static auto operands(const Batch& b, auto f) { return f(b.targets, b.given); }
  static Table confusion(const auto&) { return {}; }
};

template <class Of>
class RunningTask final : public Task {
 public:
  explicit RunningTask(const Options& o) : threads_{o.threads}, metrics_(Of::metrics(o)) {}
  void update(const Batch& batch) override {
    Of::operands(batch, [&](const auto& y_true, const auto& y_pred) {
      if (batch.weighted) {
        metrics_.update_state(on(threads_), y_true, y_pred, batch.weight);
      } else {
        metrics_.update_state(on(threads_), y_true, y_pred);
      }
    });
  }
  Values values() const override {
    Values values;
    std::apply(
        [&](const auto&... results) {
          const auto add = [&](const auto& result) {
            if constexpr (std::is_convertible_v<decltype(result), double>) {
              values.emplace_back(Of::listed[values.size()].name, static_cast<double>(result));
            }
          };
          (add(results), ...);
        },
        metrics_.result());
    return values;
  }
  Table confusion() const override { return Of::confusion(metrics_.result()); }
  std::string explain(const Batch& batch) const override {
    return Of::operands(batch, [&](const auto& y_true, const auto& y_pred) {
      return batch.weighted ? situ::explain(metrics_, y_true, y_pred, batch.weight)
                            : situ::explain(metrics_, y_true, y_pred);
    });
  }

 private:
  situ::threads threads_;
  decltype(Of::metrics(Options{})) metrics_;
};

}  // namespace

std::unique_ptr<Task> make_task(const std::string& name, const Options& options) {
  if (name == "binary") return std::make_unique<RunningTask<Binary>>(options);
  if (name == "multiclass") return std::make_unique<RunningTask<Multiclass>>(options);
  if (name == "labels") return std::make_unique<RunningTask<OfLabels>>(options);
  return std::make_unique<RunningTask<Regression>>(options);
}

std::span<const Described> computed_by(const std::string& name) {
  if (name == "binary") return Binary::listed;
  if (name == "multiclass") return Multiclass::listed;
  if (name == "labels") return OfLabels::listed;
  return Regression::listed;
}

}  // namespace evaluate
