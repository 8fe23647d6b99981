// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads tests/reference/golden.txt; tests/reference/README.md describes its format.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace reference {

// A word such as "sym:16:8": a name and its arguments.
struct Kind {
  std::string name;
  std::vector<std::int64_t> whole;  // Arguments as integers.
  double first = 0;                 // The first argument as a number, for "const" and "offset".
};

struct Case {
  std::string metric;
  int id = 0;
  std::uint64_t seed = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 1;
  std::vector<std::int64_t> batches;  // Rows of each update, in order; empty: no update at all.
  std::string dtype;                  // Of y_pred: bf16, f16, f32, f64 or i32.
  Kind y_true;
  Kind y_pred;
  std::uint64_t lift = 0;
  std::string weight;  // "none": no sample_weight is given.
  std::string holes;   // "nan" or "inf" where there are such predictions.
  std::uint64_t checksum = 0;
  std::map<std::string, std::string> options;
  std::map<std::string, std::vector<double>> values;  // "none" is an empty vector.
  std::set<std::string> tags;

  bool has_tag(const std::string& tag) const { return tags.count(tag) != 0; }
  bool has_option(const std::string& name) const { return options.count(name) != 0; }
  bool has_value(const std::string& library) const {
    const auto found = values.find(library);
    return found != values.end() && !found->second.empty();
  }
  // True when a tag "<library>:<reason>" says that this library answers otherwise, or not at all.
  bool differs(const std::string& library) const {
    const auto found = tags.lower_bound(library + ":");
    return found != tags.end() && found->rfind(library + ":", 0) == 0;
  }
  std::string option(const std::string& name, const std::string& otherwise = "") const {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
  }
  double number(const std::string& name, double otherwise) const {
    return has_option(name) ? std::strtod(option(name).c_str(), nullptr) : otherwise;
  }
  bool flag(const std::string& name) const { return number(name, 0) != 0; }

  // The columns of the generated arrays; 1 column stands for the shapes [rows] and [rows, 1].
  bool true_is_label() const {
    return y_true.name == "label" || y_true.name == "only" || y_true.name == "ignore";
  }
  std::int64_t true_cols() const { return true_is_label() ? 1 : cols; }
  std::int64_t pred_cols() const { return y_pred.name == "label" ? 1 : cols; }
};

inline std::vector<std::string> split(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(mark, from)) != std::string::npos; from = at + mark.size()) {
    parts.push_back(text.substr(from, at - from));
  }
  parts.push_back(text.substr(from));
  return parts;
}

inline std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string word; in >> word;) {
    if (word != "-") {
      found.push_back(word);
    }
  }
  return found;
}

// A list of numbers as the file writes them: decimal, hexadecimal floating point, nan, inf.
inline std::vector<double> numbers(const std::string& text) {
  std::vector<double> found;
  if (text != "none" && text != "-") {
    for (const std::string& part : split(text, ",")) {
      found.push_back(std::strtod(part.c_str(), nullptr));
    }
  }
  return found;
}

inline Kind parse_kind(const std::string& text) {
  const std::vector<std::string> parts = split(text, ":");
  Kind kind{parts[0], {}, 0};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    kind.whole.push_back(std::strtoll(parts[i].c_str(), nullptr, 10));
  }
  if (parts.size() > 1) {
    kind.first = std::strtod(parts[1].c_str(), nullptr);
  }
  return kind;
}

inline Case parse_case(const std::string& line) {
  const std::vector<std::string> fields = split(line, " | ");
  if (fields.size() != 4) {
    throw std::runtime_error("golden file: a line without four fields: " + line.substr(0, 80));
  }
  const auto pairs = [](const std::string& field) {
    std::map<std::string, std::string> found;
    for (const std::string& word : words(field)) {
      const std::size_t at = word.find('=');
      if (at != std::string::npos) {
        found[word.substr(0, at)] = word.substr(at + 1);
      }
    }
    return found;
  };
  std::map<std::string, std::string> input = pairs(fields[0]);
  const auto whole = [&](const char* name) {
    return std::strtoll(input.at(name).c_str(), nullptr, 10);
  };
  Case c;
  c.metric = words(fields[0]).at(0);
  c.id = static_cast<int>(whole("id"));
  c.seed = static_cast<std::uint64_t>(whole("seed"));
  c.rows = whole("rows");
  c.cols = whole("cols");
  for (double size : numbers(input.at("batches"))) {
    c.batches.push_back(static_cast<std::int64_t>(size));
  }
  c.dtype = input.at("dtype");
  c.y_true = parse_kind(input.at("true"));
  c.y_pred = parse_kind(input.at("pred"));
  c.lift = static_cast<std::uint64_t>(whole("lift"));
  c.weight = input.at("weight");
  c.holes = input["holes"];
  c.checksum = std::strtoull(input.at("sum").c_str(), nullptr, 16);
  c.options = pairs(fields[1]);
  const std::map<std::string, std::string> values = pairs(fields[2]);
  for (const auto& [library, text] : values) {
    c.values[library] = numbers(text == "exact" ? values.at("exact") : text);
  }
  for (const std::string& tag : words(fields[3])) {
    c.tags.insert(tag);
  }
  return c;
}

// The cases of one metric, or of all metrics when `metric` is empty.
inline std::vector<Case> read_cases(const std::string& path, const std::string& metric = "") {
  std::ifstream in(path);
  if (!in) {
    throw std::runtime_error("golden file: cannot read " + path);
  }
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    if (metric.empty() || line.compare(0, metric.size() + 1, metric + " ") == 0) {
      cases.push_back(parse_case(line));
    }
  }
  return cases;
}

}  // namespace reference
