// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#include <cmath>
#include <memory>

namespace evaluate {
namespace {

// The state of AUC, given as the points of its curve, for each label.
struct Curves {
  situ::AUC auc{};
  auto update(auto y_true, auto y_pred, auto weight) const {
    return auc.update(y_true, y_pred, weight);
  }
  std::vector<LabelCurve> result(std::span<const double> bins) const {
    std::vector<LabelCurve> curves;
    const auto steps = static_cast<std::size_t>(auc.num_thresholds - 1);
    for (; bins.size() >= 2 * steps; bins = bins.subspan(2 * steps)) {
      const auto of_label = bins.first(2 * steps);
      situ::AUC one = auc;
      one.multi_label = false;
      LabelCurve curve{std::to_string(curves.size()), points(of_label), one.result(of_label), 0};
      one.curve = situ::Curve::pr;
      curve.area_pr = one.result(of_label);
      curves.push_back(curve);
    }
    return curves;
  }

 private:
  // Weights of negatives, then of positives, by how many thresholds lie below the score.
  static std::vector<CurvePoint> points(std::span<const double> bins) {
    const std::size_t steps = bins.size() / 2;
    double negatives = 0;
    double positives = 0;
    for (std::size_t i = 0; i < steps; ++i) negatives += bins[i], positives += bins[steps + i];
    std::vector<CurvePoint> points(steps + 1);
    double fp = 0;
    double tp = 0;
    for (std::size_t i = steps + 1; i-- > 0;) {
      if (i < steps) fp += bins[i], tp += bins[steps + i];
      points[i] = {static_cast<double>(i) / static_cast<double>(steps), tp / positives,
                   fp / negatives, tp / (tp + fp)};
    }
    return points;
  }
};

struct Reliability {
  situ::CalibrationError error{};
  auto update(auto y_true, auto y_pred, auto weight) const {
    return error.update(y_true, y_pred, weight);
  }
  std::vector<ReliabilityBin> result(std::span<const double> weights,
                                     std::span<const double> confidence,
                                     std::span<const double> hits) const {
    std::vector<ReliabilityBin> bins(weights.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i] = {weights[i], confidence[i] / weights[i], hits[i] / weights[i]};
    }
    return bins;
  }
};

class BinaryPictures final : public Pictures {
 public:
  explicit BinaryPictures(const Options& o) : threads_{o.threads} {}
  void update(const Batch& b) override {
    metrics_.update_state(on(threads_), b.labels, b.scores, b.weight);
  }
  std::vector<LabelCurve> curves() const override { return std::get<0>(metrics_.result()); }
  std::vector<ReliabilityBin> reliability() const override {
    return std::get<1>(metrics_.result());
  }

 private:
  situ::threads threads_;
  situ::Collection<situ::Host, Curves, Reliability> metrics_;
};

// One curve for each class against all others.
class MulticlassPictures final : public Pictures {
 public:
  explicit MulticlassPictures(const Options& o) : threads_{o.threads} {}
  void update(const Batch& b) override {
    reliability_.update_state(on(threads_), b.labels, b.class_scores, b.weight);
    if (b.class_scores.extent(1) > most_curves) return;
    situ::Tensor<std::uint8_t, 2, situ::Host> is_class(b.class_scores.shape());
    for (std::int64_t i = 0; i < b.labels.size(); ++i) is_class(i, b.labels(i)) = 1;
    curves_.update_state(on(threads_), is_class, b.class_scores, b.weight);
  }
  std::vector<LabelCurve> curves() const override { return curves_.result(); }
  std::vector<ReliabilityBin> reliability() const override { return reliability_.result(); }

 private:
  situ::threads threads_;
  situ::Metric<Curves, situ::Host> curves_{{.auc = {.multi_label = true}}};
  situ::Metric<Reliability, situ::Host> reliability_;
};

}  // namespace

std::unique_ptr<Pictures> make_pictures(const std::string& task, const Options& options) {
  if (task == "binary") return std::make_unique<BinaryPictures>(options);
  if (task == "multiclass") return std::make_unique<MulticlassPictures>(options);
  return nullptr;
}

}  // namespace evaluate
