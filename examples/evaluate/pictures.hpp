// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "batch.hpp"

// What the pictures of a report are drawn from: points of curves and bins of calibration, read from
// the states that AUC and CalibrationError keep.
namespace evaluate {

// At one threshold; rates without rows are NaN.
struct CurvePoint {
  double threshold = 0;
  double true_positive_rate = 0;  // recall
  double false_positive_rate = 0;
  double precision = 0;
};

struct LabelCurve {
  std::string label;
  std::vector<CurvePoint> points;
  double area_roc = 0;
  double area_pr = 0;
};

// Rows whose confidence is in one bin.
struct ReliabilityBin {
  double weight = 0;
  double confidence = 0;  // mean
  double accuracy = 0;    // share of rows predicted right
};

inline constexpr std::int32_t most_curves = 20;  // with more classes there are none

class Pictures {
 public:
  virtual ~Pictures() = default;
  virtual void update(const Batch& batch) = 0;
  virtual std::vector<LabelCurve> curves() const = 0;
  virtual std::vector<ReliabilityBin> reliability() const = 0;
};

// Of binary and multiclass tasks; none, a null pointer, of others.
std::unique_ptr<Pictures> make_pictures(const std::string& task, const Options& options);

}  // namespace evaluate
