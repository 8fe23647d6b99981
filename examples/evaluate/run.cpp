// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>

#include "catalog.hpp"
#include "source.hpp"

namespace evaluate {
namespace {

[[noreturn]] void fail(const std::string& what) { throw situ::argument_error("situ: " + what); }

std::vector<std::int32_t> to_labels(const std::vector<double>& values, const std::string& name,
                                    std::int64_t first) {
  std::vector<std::int32_t> labels(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    labels[i] = situ::cast_value<std::int32_t>(values[i]);
    if (static_cast<double>(labels[i]) != values[i]) {
      fail(fmt::format(
          "{} has {} in row {}, which is no class label; labels are whole numbers below 2^31", name,
          values[i], first + static_cast<std::int64_t>(i)));
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

void check_weights(const std::vector<double>& weights, const std::string& name,
                   std::int64_t first) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i]))) {
      fail(fmt::format("{} has the weight {} in row {}; weights are numbers from 0 on", name,
                       weights[i], first + static_cast<std::int64_t>(i)));
    }
  }
}

// "situ: ... in row 3 ..." of a batch with the row of the file and this program's options instead.
std::string in_terms_of_files(const situ::value_error& e, std::int64_t first, bool guessed) {
  std::string text = e.what();
  const std::pair<std::string, std::string> changes[] = {
      {" in row " + std::to_string(e.index), " in row " + std::to_string(e.index + first)},
      {"give probabilities: of logits their situ::sigmoid or situ::softmax, or set from_logits "
       "where "
       "the metric has it",
       "give --from-logits if these are logits"},
      {"have it dropped with situ::ignoring(metric, label)", "have it dropped with --ignore-class"},
      {"binary metrics need labels of exactly these two values",
       guessed ? "if these are no two classes, give --task labels or regression"
               : "binary metrics need labels of exactly these two values"}};
  for (const auto& [library, here] : changes) {
    if (const auto at = text.find(library); at != std::string::npos) {
      text.replace(at, library.size(), here);
    }
  }
  return text;
}

void check_options(const Arguments& a, const std::string& task) {
  const auto refuse = [&](bool given, const char* option) {
    if (given) fail(fmt::format("{} has no meaning in a {} task; leave it out", option, task));
  };
  refuse(a.threshold && task != "binary", "--threshold");
  refuse(a.from_logits && task != "binary" && task != "multiclass", "--from-logits");
  refuse(a.ignore_class && task == "regression", "--ignore-class");
  if (a.threshold && !(*a.threshold >= 0)) fail("--threshold is not a number");
}

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

void check_files(const std::string& task, const Source& y_true, const Source& y_pred,
                 const Source* weight) {
  if (y_true.columns() != 1) {
    fail(y_true.name() + " has rows of several numbers; give one label or target for each row");
  }
  if (task == "multiclass" && y_pred.columns() < 2) {
    fail(y_pred.name() + " has one score a row; a multiclass task needs one for each class");
  }
  if (task != "multiclass" && y_pred.columns() != 1) {
    fail(y_pred.name() + " has several scores a row; give --task multiclass");
  }
  if (weight != nullptr && weight->columns() != 1) {
    fail(weight->name() + " has several weights a row; give one");
  }
  for (const Source* s : {&y_pred, weight}) {
    if (s != nullptr && s->rows() >= 0 && y_true.rows() >= 0 && s->rows() != y_true.rows()) {
      fail(fmt::format("{} has {} rows and {} has {}; give files of the same rows", y_true.name(),
                       y_true.rows(), s->name(), s->rows()));
    }
  }
}

// One more than the largest label of the file; rows of the ignored label do not count.
std::int32_t count_labels(const std::string& name, std::optional<std::int64_t> ignored) {
  Source source(name);
  std::int32_t most = 0;
  for (std::int64_t first = 0;;) {
    const auto labels = to_labels(source.next(1 << 16), name, first);
    if (labels.empty()) return most + 1;
    for (const std::int32_t label : labels) {
      if (!ignored || label != *ignored) most = std::max(most, label);
    }
    first += static_cast<std::int64_t>(labels.size());
  }
}

std::int32_t count_classes(const Arguments& a, const std::string& task, const Source& y_pred) {
  if (task == "multiclass") return situ::cast_value<std::int32_t>(y_pred.columns());
  if (task != "labels") return 2;
  const std::int32_t most =
      std::max(count_labels(a.y_true, a.ignore_class), count_labels(a.y_pred, std::nullopt));
  if (most > 10'000) {
    fail(fmt::format("there are labels up to {}; number the classes from 0 on, up to 9999",
                     most - 1));
  }
  return most;
}

// The rows of one batch, kept for the views of it.
class Rows {
 public:
  // False at the end of the files.
  bool read(Source& y_true, Source& y_pred, Source* weight, std::int64_t batch) {
    y_ = y_true.next(batch);
    p_ = y_pred.next(batch);
    w_ = weight != nullptr ? weight->next(batch) : std::vector<double>();
    if (static_cast<std::int64_t>(p_.size()) != count() * y_pred.columns() ||
        (weight != nullptr && w_.size() != y_.size())) {
      fail("the files have different numbers of rows; give files of the same rows");
    }
    return count() > 0;
  }
  std::int64_t count() const { return static_cast<std::int64_t>(y_.size()); }

  // As views, after what the files do not promise was checked; `first` is the row they begin with.
  Batch as_batch(const Arguments& a, const std::string& task, std::int64_t columns,
                 std::int64_t first) {
    Batch batch;
    if (task == "regression") {
      batch.targets = Vector(y_);
    } else {
      labels_ = to_labels(y_, a.y_true, first);
      if (a.ignore_class) drop(*a.ignore_class);
      batch.labels = Labels(labels_);
    }
    if (task == "multiclass") {
      if (!a.from_logits) check_probabilities(p_, columns, first);
      batch.given_classes = Matrix(p_.data(), {{count(), columns}});
    } else if (task == "labels") {
      predicted_ = to_labels(p_, a.y_pred, first);
      batch.predicted = Labels(predicted_);
    } else {
      batch.given = Vector(p_);
    }
    check_weights(w_, a.weight, first);
    batch.weight = Vector(w_);
    batch.weighted = !w_.empty();
    return batch;
  }

 private:
  void drop(std::int64_t label) {
    if (w_.empty()) w_.assign(y_.size(), 1.0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] == label) labels_[i] = 0, w_[i] = 0;
    }
  }

  std::vector<double> y_, p_, w_;
  std::vector<std::int32_t> labels_, predicted_;
};

}  // namespace

Report run(const Arguments& a) {
  Source y_true(a.y_true);
  Source y_pred(a.y_pred);
  std::optional<Source> weights;
  if (!a.weight.empty()) weights.emplace(a.weight);
  Source* weight = weights ? &*weights : nullptr;
  Report report;
  report.y_true = a.y_true;
  report.y_pred = a.y_pred;
  report.task = decide_task(a, y_true, y_pred);
  check_files(report.task, y_true, y_pred, weight);
  check_options(a, report.task);
  Options options;
  options.threshold = a.threshold.value_or(0.5);
  options.from_logits = a.from_logits;
  options.threads = a.threads;
  options.classes = count_classes(a, report.task, y_pred);
  const auto task = make_task(report.task, options);
  Further further(report.task, a.metrics, options);
  const auto pictures = a.html.empty() ? nullptr : make_pictures(report.task, options);
  const std::int64_t columns = y_pred.columns();
  const std::int64_t batch =
      a.batch > 0 ? a.batch : std::max<std::int64_t>(1, (std::int64_t{1} << 18) / columns);
  const Progress progress(y_true.rows());
  Rows rows;
  const auto start = std::chrono::steady_clock::now();
  while (rows.read(y_true, y_pred, weight, batch)) {
    try {
      const CompleteBatch complete(rows.as_batch(a, report.task, columns, report.rows), options);
      if (a.explain) {
        report.explanation = task->explain(complete.get()) + further.explain(complete.get());
        return report;
      }
      task->update(complete.get());
      further.update(complete.get());
      if (pictures) pictures->update(complete.get());
    } catch (const situ::value_error& e) {
      throw situ::argument_error(in_terms_of_files(e, report.rows, a.task == "auto"));
    }
    report.rows += rows.count();
    progress.at(report.rows);
  }
  if (report.rows == 0) fail(y_true.name() + " has no rows; there is nothing to evaluate");
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.bytes =
      static_cast<double>(report.rows) * (y_true.bytes_per_row() + y_pred.bytes_per_row() +
                                          (weight != nullptr ? weight->bytes_per_row() : 0));
  report.values = task->values();
  report.confusion = task->confusion();
  further.append_to(report.values);
  if (pictures) {
    report.curves = pictures->curves();
    report.reliability = pictures->reliability();
  }
  return report;
}

}  // namespace evaluate
