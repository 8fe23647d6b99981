// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

#include <fmt/core.h>

namespace evaluate {
namespace {

std::vector<const Entry*> further_metrics(const std::string& task) {
  std::vector<const Entry*> all;
  const auto add = [&](std::span<const Entry> entries) {
    for (const Entry& e : entries) all.push_back(&e);
  };
  if (task == "binary") add(binary_catalog());
  if (task == "multiclass") add(multiclass_catalog()), add(one_hot_catalog());
  if (task == "labels") add(labels_catalog());
  if (task == "regression") add(regression_catalog());
  return all;
}

[[noreturn]] void fail(const std::string& what) { throw situ::argument_error("situ: " + what); }

// Sets `value` to what stands after the colon of `name`, and gives what stands before it.
std::string split(const std::string& name, double& value) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return name;
  const std::string text = name.substr(colon + 1);
  std::size_t read = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
  }
  if (text.empty() || read != text.size()) {
    fail(fmt::format("{} does not end in a number; write it as --list does", name));
  }
  return name.substr(0, colon);
}

}  // namespace

std::int32_t whole_value(const Options& options) {
  const auto whole = situ::cast_value<std::int32_t>(options.value);
  if (static_cast<double>(whole) != options.value) {
    fail(fmt::format("{} after the colon is no whole number", options.value));
  }
  return whole;
}

void list_metrics() {
  for (const char* task : {"binary", "multiclass", "labels", "regression"}) {
    fmt::print("{}\n", task);
    for (const auto& [name, description] : computed_by(task)) {
      fmt::print("  {:<32} {}\n", name, description);
    }
    fmt::print("  only when --metrics names them, with any fitting value after a colon:\n");
    for (const Entry* e : further_metrics(task)) {
      fmt::print("  {:<32} {}\n", e->name, e->description);
    }
  }
}

Further::Further(const std::string& task, const std::vector<std::string>& names,
                 const Options& options) {
  const auto further = further_metrics(task);
  const auto usual = computed_by(task);
  for (const std::string& name : names) {
    const auto named = [&](const auto& known) { return known.name == name; };
    if (std::any_of(usual.begin(), usual.end(), named)) continue;
    Options own = options;
    const std::string base = split(name, own.value);
    const auto found = std::find_if(further.begin(), further.end(), [&](const Entry* e) {
      return e->name.substr(0, e->name.find(':')) == base;
    });
    if (found == further.end()) {
      fail(fmt::format("a {} task has no metric {}; see --list", task, name));
    }
    const Entry& e = **found;
    const bool takes_value = e.name != base;
    if (takes_value != (name != base)) {
      fail(fmt::format("{} {} a value after a colon; write {}", base,
                       takes_value ? "needs" : "takes no", e.name));
    }
    running_.emplace_back(name, e.make(own));
  }
}

void Further::update(const Batch& batch) {
  for (const auto& [name, metric] : running_) metric->update(batch);
}

void Further::append_to(Values& values) const {
  for (const auto& [name, metric] : running_) values.emplace_back(name, metric->result());
}

std::string Further::explain(const Batch& batch) const {
  std::string text;
  for (const auto& [name, metric] : running_) text.append("\n").append(metric->explain(batch));
  return text;
}

}  // namespace evaluate
