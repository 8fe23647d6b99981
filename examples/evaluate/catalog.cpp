// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace evaluate {
namespace {

struct Task {
  const char* name;
  std::span<const Described> usual;  // computed unless --metrics chooses
  std::span<const Entry> further;
};

std::vector<Task> tasks() {
  return {{"binary", Binary::listed, binary_catalog()},
          {"multiclass", Multiclass::listed, multiclass_catalog()},
          {"regression", Regression::listed, regression_catalog()}};
}

}  // namespace

void list_metrics() {
  for (const Task& task : tasks()) {
    fmt::print("{}\n", task.name);
    for (const auto& [name, description] : task.usual)
      fmt::print("  {:<32} {}\n", name, description);
    fmt::print("  only when --metrics names them:\n");
    for (const Entry& e : task.further) fmt::print("  {:<32} {}\n", e.name, e.description);
  }
}

Further::Further(const std::string& task_name, const std::vector<std::string>& names,
                 const Options& options) {
  const auto all = tasks();
  const Task& task =
      *std::find_if(all.begin(), all.end(), [&](const Task& t) { return t.name == task_name; });
  for (const std::string& name : names) {
    const auto named = [&](const auto& known) { return known.name == name; };
    if (std::any_of(task.usual.begin(), task.usual.end(), named)) continue;
    const auto found = std::find_if(task.further.begin(), task.further.end(), named);
    if (found == task.further.end()) {
      throw situ::argument_error(
          fmt::format("situ: a {} task has no metric {}; see --list", task_name, name));
    }
    running_.emplace_back(name, found->make(options));
  }
}

void Further::update(Batch batch, bool from_logits) {
  if (running_.empty()) return;
  situ::Tensor<double, 1, situ::Host> one_each, probabilities;
  situ::Tensor<double, 2, situ::Host> class_probabilities;
  if (batch.weight.size() == 0) {
    const auto rows = std::max(batch.scores.size(), batch.class_scores.extent(0));
    one_each = situ::full<double, 1>({{rows}}, 1.0);
    batch.weight = one_each;
  }
  if (from_logits && batch.class_scores.size() > 0) {
    class_probabilities = softmax(batch.class_scores);
    batch.class_scores = class_probabilities;
  } else if (from_logits) {
    probabilities = sigmoid(batch.scores);
    batch.scores = probabilities;
  }
  for (const auto& [name, metric] : running_) metric->update(batch);
}

void Further::append_to(Values& values) const {
  for (const auto& [name, metric] : running_) values.emplace_back(name, metric->result());
}

}  // namespace evaluate
