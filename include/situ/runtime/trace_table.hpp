// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <mutex>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "situ/runtime/trace.hpp"

namespace situ {

// A hook that counts, and prints where time and bytes went: one line for each kind of event, name
// and device, those that took longest first. With time_on_device, call finish_timings() before
// printing.
class TraceTable : public TraceHook {
 public:
  struct Line {
    TraceKind kind{};
    std::string name;
    int device = -1;
    std::int64_t count = 0;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;
    double host_milliseconds = 0;    // in the calls
    double device_milliseconds = 0;  // 0 when it was not asked for
  };

  explicit TraceTable(bool with_time_on_device = false) { time_on_device = with_time_on_device; }

  void end(const TraceEvent& e) override {
    if (e.failed) return;
    const std::lock_guard lock(mutex_);
    Line& line = line_of(e);
    ++line.count;
    line.bytes_read += e.bytes_read;
    line.bytes_written += e.bytes_written;
    line.host_milliseconds += e.milliseconds;
  }
  void timed(const TraceEvent& e, double device_milliseconds) override {
    const std::lock_guard lock(mutex_);
    line_of(e).device_milliseconds += device_milliseconds;
  }

  // Those that took longest first.
  [[nodiscard]] std::vector<Line> lines() const {
    std::vector<Line> sorted;
    {
      const std::lock_guard lock(mutex_);
      sorted = lines_;
    }
    // By hand: a table has few lines, and std::sort takes long to compile.
    const auto time = [](const Line& l) { return l.host_milliseconds + l.device_milliseconds; };
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      for (std::size_t j = i; j > 0 && time(sorted[j - 1]) < time(sorted[j]); --j) {
        std::swap(sorted[j - 1], sorted[j]);
      }
    }
    return sorted;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    lines_.clear();
  }

 private:
  Line& line_of(const TraceEvent& e) {
    for (Line& line : lines_) {
      if (line.kind == e.kind && line.device == e.device && line.name == e.name) return line;
    }
    Line& line = lines_.emplace_back();
    line.kind = e.kind;
    line.name = e.name;
    line.device = e.device;
    return line;
  }

  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

inline std::string to_string(const TraceTable& table) {
  const std::vector<TraceTable::Line> lines = table.lines();
  std::size_t width = 4;
  for (const auto& line : lines) width = line.name.size() > width ? line.name.size() : width;
  const auto padded = [](std::string s, std::size_t columns) {
    if (s.size() < columns) s.resize(columns, ' ');
    return s;
  };
  std::string text = "what      where    " + padded("name", width);
  text += "     count      MB read   MB written      host ms    device ms\n";
  for (const auto& line : lines) {
    const std::string place =
        line.device < 0 ? std::string("Host") : "Cuda<" + std::to_string(line.device) + ">";
    text += padded(to_string(line.kind), 8) + "  " + padded(place, 7) + "  ";
    text += padded(line.name, width);
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%10lld %12.3f %12.3f %12.3f %12.3f\n",
                  static_cast<long long>(line.count), static_cast<double>(line.bytes_read) / 1e6,
                  static_cast<double>(line.bytes_written) / 1e6, line.host_milliseconds,
                  line.device_milliseconds);
    text += numbers;
  }
  return text;
}
inline std::ostream& operator<<(std::ostream& out, const TraceTable& table) {
  return out << to_string(table);
}

}  // namespace situ
