// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pictures.hpp"

namespace evaluate {

struct Arguments {
  std::string y_true, y_pred, weight, task = "auto", json, html;
  std::vector<std::string> metrics;
  std::optional<double> threshold;
  bool from_logits = false;
  int threads = 0;
  std::int64_t batch = 0;
  std::optional<std::int64_t> ignore_class;
  bool list = false;
  bool explain = false;
};

struct Report {
  std::string task;
  std::string y_true, y_pred;  // names of the files
  std::int64_t rows = 0;
  double bytes = 0;
  double seconds = 0;
  Values values;
  Table confusion;
  std::vector<LabelCurve> curves;  // these two only for --html
  std::vector<ReliabilityBin> reliability;
  std::string explanation;  // only for --explain, and then nothing else
};

// Reads the files and computes what the arguments ask for. Throws situ::error for bad input.
Report run(const Arguments& a);

// A page of its own, without anything from elsewhere.
std::string html(const Report& report);

}  // namespace evaluate
