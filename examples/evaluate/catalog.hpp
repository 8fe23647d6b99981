// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>

#include "tasks.hpp"

// The metrics beyond those that every run of a task computes, to be asked for by name.
namespace evaluate {

class Running {
 public:
  virtual ~Running() = default;
  virtual void update(const Batch& batch) = 0;
  virtual double result() const = 0;
  virtual std::string explain(const Batch& batch) const = 0;
};

struct Entry {
  std::string name;  // "Name", or "Name:value" with an example of the value that the metric needs
  const char* description;
  std::function<std::unique_ptr<Running>(const Options&)> make;
};

// The metrics among `names` that the task does not compute anyway. Throws for a name that the task
// does not know.
class Further {
 public:
  Further(const std::string& task, const std::vector<std::string>& names, const Options& options);
  void update(const Batch& batch);
  void append_to(Values& values) const;
  std::string explain(const Batch& batch) const;

 private:
  std::vector<std::pair<std::string, std::unique_ptr<Running>>> running_;
};

// Prints the metrics of each task, one line each.
void list_metrics();

std::span<const Entry> binary_catalog();
std::span<const Entry> multiclass_catalog();
std::span<const Entry> one_hot_catalog();  // also of multiclass tasks
std::span<const Entry> labels_catalog();
std::span<const Entry> regression_catalog();

// The value after the colon as a whole number; throws if it is none.
std::int32_t whole_value(const Options& options);

// `operands(batch, f)` calls f with what the metric takes.
template <class M, class Operands>
class RunningMetric final : public Running {
 public:
  RunningMetric(M metric, Operands operands, int threads)
      : metric_(std::move(metric)), operands_(operands), threads_{threads} {}
  void update(const Batch& batch) override {
    operands_(batch, [&](const auto&... xs) { metric_.update_state(on(threads_), xs...); });
  }
  double result() const override { return metric_.result(); }
  std::string explain(const Batch& batch) const override {
    return operands_(batch, [&](const auto&... xs) { return situ::explain(metric_, xs...); });
  }

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
