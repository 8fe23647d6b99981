// SPDX-License-Identifier: Apache-2.0
// Evaluates predictions in files: streams them in batches, all metrics of a task in one pass.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catalog.hpp"
#include "run.hpp"

namespace evaluate {
namespace {

[[noreturn]] void fail(const std::string& what) { throw situ::argument_error("situ: " + what); }

void choose(Report& report, const std::vector<std::string>& names) {
  if (names.empty()) return;
  Values chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(report.values.begin(), report.values.end(),
                                    [&](const auto& v) { return v.first == name; });
    chosen.push_back(*found);
  }
  report.values = chosen;
}

void print(const Report& r) {
  fmt::print("{} task, {} rows, {:.3g} samples/s, {:.3g} bytes/s\n", r.task, r.rows,
             static_cast<double>(r.rows) / r.seconds, r.bytes / r.seconds);
  for (const auto& [name, value] : r.values) fmt::print("  {:<34} {:.9g}\n", name, value);
  const std::int64_t n = r.confusion.size() > 0 ? r.confusion.extent(0) : 0;
  if (n > 0 && n <= 20) {
    fmt::print("  confusion matrix (rows: true class, columns: predicted)\n");
    for (std::int64_t i = 0; i < n; ++i) {
      fmt::print("  ");
      for (std::int64_t j = 0; j < n; ++j) fmt::print(" {:>7.6g}", r.confusion(i, j));
      fmt::print("\n");
    }
  }
}

void write(const std::string& text, const std::string& path) {
  std::ofstream out(path);
  out << text;
  if (!out.flush()) fail("cannot write " + path + "; check the path and its permissions");
}

std::string json(const Report& r) {
  nlohmann::json j;
  j["task"] = r.task;
  j["rows"] = r.rows;
  for (const auto& [name, value] : r.values) j["metrics"][name] = value;
  for (std::int64_t i = 0; r.confusion.size() > 0 && i < r.confusion.extent(0); ++i) {
    std::vector<double> row;
    for (std::int64_t k = 0; k < r.confusion.extent(1); ++k) row.push_back(r.confusion(i, k));
    j["confusion_matrix"].push_back(row);
  }
  return j.dump(2) + "\n";
}

void evaluate_files(const Arguments& a) {
  if (a.y_true.empty() || a.y_pred.empty()) fail("--y-true and --y-pred are needed; see --help");
  Report report = run(a);
  if (a.explain) {
    fmt::print("{}", report.explanation);
    return;
  }
  choose(report, a.metrics);
  print(report);
  if (!a.json.empty()) write(json(report), a.json);
  if (!a.html.empty()) write(html(report), a.html);
}

}  // namespace
}  // namespace evaluate

int main(int argc, char** argv) {
  using namespace evaluate;
  CLI::App app{
      "Evaluates predictions in .npy files or .csv columns (file.csv:column).\n"
      "--task auto: several scores a row are multiclass; else integer labels (or text of only 0 "
      "and 1) are binary and others regression. A labels task compares true with predicted "
      "labels, or classes with clusters."};
  Arguments a;
  app.add_option("--y-true", a.y_true, "labels or targets, one a row");
  app.add_option("--y-pred", a.y_pred, "scores, one or several a row");
  app.add_option("--sample-weight", a.weight, "one weight a row");
  app.add_option("--task", a.task)
      ->check(CLI::IsMember({"auto", "binary", "multiclass", "labels", "regression"}));
  app.add_option("--metrics", a.metrics, "names as --list shows them, separated by commas")
      ->delimiter(',');
  app.add_option("--threshold", a.threshold, "of probabilities, for binary tasks")
      ->check(CLI::Range(0.0, 1.0));
  app.add_flag("--from-logits", a.from_logits, "the scores are logits, not probabilities");
  app.add_option("--ignore-class", a.ignore_class, "drop the rows of this label");
  app.add_option("--batch", a.batch, "rows read at a time")->check(CLI::Range(1, 1 << 30));
  app.add_option("--threads", a.threads)->check(CLI::Range(1, 1024));
  app.add_option("--json", a.json, "write the results to this file");
  app.add_option("--html", a.html, "write the results with pictures to this file");
  app.add_flag("--explain", a.explain, "say what an update computes, and compute nothing");
  app.add_flag("--list", a.list, "show the metrics of each task");
  try {
    app.parse(argc, argv);
    if (a.list) {
      list_metrics();
    } else {
      evaluate_files(a);
    }
    return 0;
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    std::string text = e.what();
    if (text.rfind("situ: ", 0) == 0) text.erase(0, 6);
    for (char& c : text) c = c == '\n' ? ' ' : c;
    fmt::print(stderr, "evaluate: {}\n", text);
    return 2;
  }
}
