// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "batch.hpp"

namespace evaluate {

// What every run of a kind of task computes: one collection, one pass over every batch.
class Task {
 public:
  virtual ~Task() = default;
  virtual void update(const Batch& batch) = 0;
  virtual Values values() const = 0;
  virtual Table confusion() const = 0;  // weight by true class and predicted class, or empty
  virtual std::string explain(const Batch& batch) const = 0;
};

// `name` is binary, multiclass, labels or regression.
std::unique_ptr<Task> make_task(const std::string& name, const Options& options);

// Names and descriptions of what it computes.
std::span<const Described> computed_by(const std::string& name);

}  // namespace evaluate
