// SPDX-License-Identifier: Apache-2.0
// Evaluates predictions in files: streams them in batches, all metrics of a task in one pass.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "catalog.hpp"
#include "source.hpp"

namespace evaluate {
namespace {

struct Arguments {
  std::string y_true, y_pred, weight, task = "auto", json;
  std::vector<std::string> metrics;
  Options options;
  std::int64_t batch = 0;
  std::optional<std::int64_t> ignore_class;
  bool list = false;
};

[[noreturn]] void fail(const std::string& what) { throw situ::argument_error("situ: " + what); }

std::vector<std::int32_t> to_labels(const std::vector<double>& values, const std::string& name,
                                    std::int64_t first) {
  std::vector<std::int32_t> labels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    labels[i] = situ::cast_value<std::int32_t>(values[i]);
    if (static_cast<double>(labels[i]) != values[i]) {
      fail(fmt::format("{} has {} in row {}, which is no class label; labels are whole numbers",
                       name, values[i], first + static_cast<std::int64_t>(i)));
    }
  }
  return labels;
}

void check_probabilities(const std::vector<double>& p, std::int64_t columns, std::int64_t first) {
  for (std::size_t i = 0; i < p.size(); i += static_cast<std::size_t>(columns)) {
    double sum = 0;
    for (std::size_t j = i; j < i + static_cast<std::size_t>(columns); ++j)
      sum += p[j] >= 0 ? p[j] : -1e9;
    if (!(std::fabs(sum - 1) < 1e-2)) {
      fail(fmt::format(
          "the scores in row {} are not probabilities that add up to 1; give --from-logits if "
          "they are logits",
          first + static_cast<std::int64_t>(i) / columns));
    }
  }
}

class Progress {
 public:
  explicit Progress(std::int64_t rows) : rows_(rows), shown_(isatty(2) != 0 && rows > 0) {}
  void at(std::int64_t row) const {
    if (!shown_) return;
    const auto part = static_cast<std::size_t>(40 * row / rows_);
    fmt::print(stderr, "\r[{:<40}] {:3}%", std::string(part, '#'), 100 * row / rows_);
    if (row >= rows_) fmt::print(stderr, "\r{:50}\r", "");
    std::fflush(stderr);
  }

 private:
  std::int64_t rows_;
  bool shown_;
};

// "situ: ... in row 3 ..." of a batch with the row of the file instead.
std::string with_file_row(const situ::value_error& e, std::int64_t first) {
  std::string text = e.what();
  const std::string here = " in row " + std::to_string(e.index);
  if (const auto at = text.find(here); at != std::string::npos) {
    text.replace(at, here.size(), " in row " + std::to_string(e.index + first));
  }
  return text;
}

struct Report {
  std::string task;
  std::int64_t rows = 0;
  double bytes = 0;
  double seconds = 0;
  Values values;
  situ::Tensor<double, 2, situ::Host> confusion;
};

std::string decide_task(const Arguments& a, const Source& y_true, const Source& y_pred) {
  if (a.task != "auto") return a.task;
  if (y_pred.columns() > 1) return "multiclass";
  if (const auto whole = y_true.whole()) return *whole ? "binary" : "regression";
  Source look(a.y_true);  // text: 0 and 1 only are two classes
  for (const double y : look.next(1 << 16)) {
    if (y != 0 && y != 1) return "regression";
  }
  return "binary";
}

Report run(const Arguments& a) {
  Source y_true(a.y_true);
  Source y_pred(a.y_pred);
  std::optional<Source> weight;
  if (!a.weight.empty()) weight.emplace(a.weight);
  if (y_true.columns() != 1) {
    fail(y_true.name() + " has rows of several numbers; give one label or target for each row");
  }
  Report report;
  report.task = decide_task(a, y_true, y_pred);
  if (report.task == "multiclass" && y_pred.columns() < 2) {
    fail(y_pred.name() + " has one score a row; a multiclass task needs one for each class");
  }
  if (report.task != "multiclass" && y_pred.columns() != 1) {
    fail(y_pred.name() + " has several scores a row; give --task multiclass");
  }
  for (const Source* s : {&y_pred, weight ? &*weight : nullptr}) {
    if (s != nullptr && s->rows() >= 0 && y_true.rows() >= 0 && s->rows() != y_true.rows()) {
      fail(fmt::format("{} has {} rows and {} has {}; give files of the same rows", y_true.name(),
                       y_true.rows(), s->name(), s->rows()));
    }
  }
  Options options = a.options;
  options.classes = situ::cast_value<std::int32_t>(y_pred.columns());
  Further further(report.task, a.metrics, options);
  Binary binary(a.options);
  Multiclass multiclass(a.options);
  Regression regression(a.options);
  const std::int64_t batch =
      a.batch > 0 ? a.batch : std::max<std::int64_t>(1, (std::int64_t{1} << 18) / y_pred.columns());
  const Progress progress(y_true.rows());
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t first = 0;;) {
    const auto y = y_true.next(batch);
    const auto p = y_pred.next(batch);
    const auto rows = static_cast<std::int64_t>(y.size());
    auto w = weight ? weight->next(batch) : std::vector<double>();
    if (static_cast<std::int64_t>(p.size()) != rows * y_pred.columns() ||
        (weight && w.size() != y.size())) {
      fail("the files have different numbers of rows; give files of the same rows");
    }
    if (rows == 0) break;
    auto labels = report.task == "regression" ? std::vector<std::int32_t>()
                                              : to_labels(y, y_true.name(), first);
    if (a.ignore_class && report.task != "regression") {
      if (w.empty()) w.assign(y.size(), 1.0);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == *a.ignore_class) labels[i] = 0, w[i] = 0;
      }
    }
    const Vector weights(w);
    const Vector* weights_or_none = w.empty() ? nullptr : &weights;
    try {
      if (report.task == "binary") {
        binary.update(Labels(labels), Vector(p), weights_or_none);
        further.update({.labels = Labels(labels), .scores = Vector(p), .weight = weights},
                       a.options.from_logits);
      } else if (report.task == "multiclass") {
        if (!a.options.from_logits) check_probabilities(p, y_pred.columns(), first);
        const Matrix scores(p.data(), {{rows, y_pred.columns()}});
        multiclass.update(Labels(labels), scores, weights_or_none);
        further.update({.labels = Labels(labels), .class_scores = scores, .weight = weights},
                       a.options.from_logits);
      } else {
        regression.update(Vector(y), Vector(p), weights_or_none);
        further.update({.targets = Vector(y), .scores = Vector(p), .weight = weights}, false);
      }
    } catch (const situ::value_error& e) {
      throw situ::argument_error(with_file_row(e, first));
    }
    first += rows;
    report.rows = first;
    progress.at(first);
  }
  if (report.rows == 0) fail(y_true.name() + " has no rows; there is nothing to evaluate");
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.bytes =
      static_cast<double>(report.rows) *
      (y_true.bytes_per_row() + y_pred.bytes_per_row() + (weight ? weight->bytes_per_row() : 0));
  if (report.task == "binary") {
    report.values = binary.values();
    report.confusion = binary.confusion();
  } else if (report.task == "multiclass") {
    report.values = multiclass.values();
    report.confusion = multiclass.confusion();
  } else {
    report.values = regression.values();
  }
  further.append_to(report.values);
  return report;
}

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

void write_json(const Report& r, const std::string& path) {
  nlohmann::json j;
  j["task"] = r.task;
  j["rows"] = r.rows;
  for (const auto& [name, value] : r.values) j["metrics"][name] = value;
  for (std::int64_t i = 0; r.confusion.size() > 0 && i < r.confusion.extent(0); ++i) {
    std::vector<double> row;
    for (std::int64_t k = 0; k < r.confusion.extent(1); ++k) row.push_back(r.confusion(i, k));
    j["confusion_matrix"].push_back(row);
  }
  std::ofstream out(path);
  out << j.dump(2) << "\n";
  if (!out.flush()) fail("cannot write " + path + "; check the path and its permissions");
}

}  // namespace
}  // namespace evaluate

int main(int argc, char** argv) {
  using namespace evaluate;
  CLI::App app{
      "Evaluates predictions in .npy files or .csv columns (file.csv:column).\n"
      "--task auto: several scores a row are multiclass; else integer labels (or text of only 0 "
      "and 1) "
      "are binary and others regression."};
  Arguments a;
  app.add_option("--y-true", a.y_true, "labels or targets, one a row");
  app.add_option("--y-pred", a.y_pred, "scores, one or several a row");
  app.add_option("--sample-weight", a.weight, "one weight a row");
  app.add_option("--task", a.task)
      ->check(CLI::IsMember({"auto", "binary", "multiclass", "regression"}));
  app.add_option("--metrics", a.metrics, "names as --list shows them, separated by commas")
      ->delimiter(',');
  app.add_option("--threshold", a.options.threshold, "of probabilities, for binary tasks")
      ->check(CLI::Range(0.0, 1.0));
  app.add_flag("--from-logits", a.options.from_logits, "the scores are logits, not probabilities");
  app.add_option("--ignore-class", a.ignore_class, "drop the rows of this label");
  app.add_option("--batch", a.batch, "rows read at a time")->check(CLI::Range(1, 1 << 30));
  app.add_option("--threads", a.options.threads)->check(CLI::Range(1, 1024));
  app.add_option("--json", a.json, "write the results to this file");
  app.add_flag("--list", a.list, "show the metrics of each task");
  try {
    app.parse(argc, argv);
    if (a.list) {
      list_metrics();
      return 0;
    }
    if (a.y_true.empty() || a.y_pred.empty()) fail("--y-true and --y-pred are needed; see --help");
    Report report = run(a);
    choose(report, a.metrics);
    print(report);
    if (!a.json.empty()) write_json(report, a.json);
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
