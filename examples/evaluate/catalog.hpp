// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tasks.hpp"

// The metrics beyond those that every run of a task computes, to be asked for by name.
namespace evaluate {

// One batch of rows; what a task does not have is empty.
struct Batch {
  Labels labels{};
  Vector targets{};
  Vector scores{};        // of regression and binary tasks
  Matrix class_scores{};  // of multiclass tasks
  Vector weight{};
};

class Running {
 public:
  virtual ~Running() = default;
  virtual void update(const Batch& batch) = 0;
  virtual double result() const = 0;
};

struct Entry {
  const char* name;
  const char* description;
  std::function<std::unique_ptr<Running>(const Options&)> make;
};

// The metrics among `names` that the task does not compute anyway. Throws for a name that the task
// does not know.
class Further {
 public:
  Further(const std::string& task, const std::vector<std::string>& names, const Options& options);
  void update(Batch batch, bool from_logits);
  void append_to(Values& values) const;

 private:
  std::vector<std::pair<std::string, std::unique_ptr<Running>>> running_;
};

// Prints the metrics of each task, one line each.
void list_metrics();

std::span<const Entry> binary_catalog();
std::span<const Entry> multiclass_catalog();
std::span<const Entry> regression_catalog();

// `operands(batch, f)` calls f with what the metric takes as y_true and y_pred.
template <class M, class Operands>
class RunningMetric final : public Running {
 public:
  RunningMetric(M metric, Operands operands, int threads)
      : metric_(std::move(metric)), operands_(operands), threads_{threads} {}
  void update(const Batch& batch) override {
    operands_(batch, [&](const auto& y_true, const auto& y_pred) {
      metric_.update_state(on(threads_), y_true, y_pred, batch.weight);
    });
  }
  double result() const override { return metric_.result(); }

 private:
  situ::Metric<M, situ::Host> metric_;
  Operands operands_;
  situ::threads threads_;
};

// `metric` is a metric or, where options of the program matter, a function that makes one from
// them.
template <class Operands, class Metric>
Entry entry(const char* name, const char* description, Operands operands, Metric metric) {
  if constexpr (std::is_invocable_v<Metric, const Options&>) {
    return {name, description, [operands, metric](const Options& o) -> std::unique_ptr<Running> {
              using M = decltype(metric(o));
              return std::make_unique<RunningMetric<M, Operands>>(metric(o), operands, o.threads);
            }};
  } else {
    return entry(name, description, operands, [metric](const Options&) { return metric; });
  }
}

}  // namespace evaluate
