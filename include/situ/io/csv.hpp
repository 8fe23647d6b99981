// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "situ/io/csv_record.hpp"
#include "situ/tensor.hpp"

// Columns of numbers from a .csv file, read in parts, so that the file may be larger than memory.
namespace situ {

enum class CsvHeader {
  automatic,  // the first line is a header when none of its fields is a number
  present,
  absent
};
struct CsvOptions {
  CsvHeader header = CsvHeader::automatic;
  char delimiter = ',';
  std::int64_t longest_line = std::int64_t{1} << 20;  // bytes; a longer one is an error, not memory
};

// Where the numbers of some columns go: row after row, columns.size() numbers of type T each. T is
// bool, an integer, float or double; a number that T cannot hold is an error.
template <class T>
struct CsvTarget {
  std::vector<int> columns;
  std::span<T> to;
};
template <class T, std::size_t N>
CsvTarget(std::vector<int>, std::span<T, N>) -> CsvTarget<T>;

namespace detail {

enum class NumberFault { none, empty, not_a_number, out_of_range };

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The whole text as one number, whatever the locale. A leading plus is allowed; infinities and NaN
// are read.
template <class T>
NumberFault parse_number(std::string_view text, T& value) {
  text = trimmed(text);
  if (text.empty()) return NumberFault::empty;
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "1" || text == "true" || text == "True";
    const bool no = text == "0" || text == "false" || text == "False";
    return value || no ? NumberFault::none : NumberFault::not_a_number;
  } else {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return NumberFault::not_a_number;
    if (error == std::errc()) return NumberFault::none;
    if constexpr (std::is_same_v<T, float>) {  // too small for a float is near zero, no mistake
      double wide = 0;
      if (parse_number(text, wide) == NumberFault::none && std::fabs(wide) < 1) {
        value = static_cast<float>(wide);
        return NumberFault::none;
      }
    }
    return NumberFault::out_of_range;
  }
}

}  // namespace detail

class CsvFile {
 public:
  // Opens a file and reads its first line. format_error when there is none.
  explicit CsvFile(std::string path, CsvOptions options = {})
      : records_(std::move(path), options.delimiter, checked_length(options)) {
    if (!records_.next()) {
      throw format_error("situ: " + detail::file_name(this->path()) +
                         " has no lines; a table of numbers needs at least one");
    }
    columns_ = records_.fields().size();
    bool header = options.header == CsvHeader::present;
    if (options.header == CsvHeader::automatic) {
      double number = 0;
      header = std::all_of(
          records_.fields().begin(), records_.fields().end(), [&](std::string_view field) {
            return detail::parse_number(field, number) == detail::NumberFault::not_a_number;
          });
    }
    if (header) {
      for (const std::string_view field : records_.fields()) {
        names_.emplace_back(detail::trimmed(field));
      }
    }
    pending_ = !header;
  }

  const std::string& path() const { return records_.path(); }
  // Names in the header; none when the file has no header.
  const std::vector<std::string>& names() const { return names_; }
  int columns() const { return static_cast<int>(columns_); }
  // For progress: bytes used so far, and in all (-1 when this is no regular file).
  std::int64_t bytes_read() const { return records_.bytes_read(); }
  std::int64_t bytes() const { return records_.bytes(); }

  // The number of a column, from its name or from its number in digits ("0" is the first).
  int column(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) {
      if (std::find(found + 1, names_.end(), name) != names_.end()) {
        throw argument_error("situ: " + detail::file_name(path()) + " has several columns named " +
                             detail::quoted(name) + "; choose one by its number");
      }
      return static_cast<int>(found - names_.begin());
    }
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, number);
    if (stop == end && error == std::errc() && number >= 0 && number < columns()) return number;
    throw argument_error("situ: " + detail::file_name(path()) + " has no column " +
                         detail::quoted(name) + "; it has " + describe_columns());
  }

  // Reads up to `count` rows into every target and returns how many there were, 0 at the end of the
  // file. format_error, with the number of the line, for what is not a table of numbers; the
  // targets may then have been written to.
  template <class... Ts>
  std::int64_t read_rows(std::int64_t count, const CsvTarget<Ts>&... targets) {
    (check_target(count, targets), ...);
    std::int64_t row = 0;
    for (; row < count; ++row) {
      if (!pending_ && !records_.next()) break;
      pending_ = false;
      if (records_.fields().size() != columns_) {
        records_.fail("has " + std::to_string(records_.fields().size()) +
                      " fields where the first line has " + std::to_string(columns_) +
                      "; every line needs the same number");
      }
      (read_row(row, targets), ...);
    }
    return row;
  }

 private:
  static std::size_t checked_length(const CsvOptions& options) {
    const char d = options.delimiter;
    if (options.longest_line < 1 || d == '"' || d == '\n' || d == '\r' || d == '\0') {
      throw argument_error(
          "situ: a .csv file needs a longest line of 1 byte or more and a delimiter "
          "that is no quote or line end; use a comma, semicolon or tab");
    }
    return static_cast<std::size_t>(options.longest_line);
  }
  std::string describe_columns() const {
    std::string text = std::to_string(columns_) + " columns";
    for (std::size_t i = 0; i < names_.size() && i < 20; ++i) {
      text += (i == 0 ? ": " : ", ") + detail::printable(names_[i]);
    }
    if (names_.size() > 20) text += ", ...";
    return names_.empty() ? text + " and no header, choose by number from 0" : text;
  }
  template <class T>
  void check_target(std::int64_t count, const CsvTarget<T>& target) const {
    static_assert(
        std::is_same_v<T, float> || std::is_same_v<T, double> || detail::is_integer<T> ||
            std::is_same_v<T, bool>,
        "situ: columns are read as bool, integers, float or double; convert them afterwards");
    for (const int c : target.columns) {
      if (c < 0 || c >= columns()) {
        throw argument_error("situ: " + detail::file_name(path()) + " has no column number " +
                             std::to_string(c) + "; it has " + describe_columns());
      }
    }
    const std::size_t width = target.columns.size();
    if (count < 0 || (width > 0 && target.to.size() / width < static_cast<std::size_t>(count))) {
      throw shape_error("situ: " + std::to_string(count) + " rows of " + std::to_string(width) +
                        " columns do not fit in memory for " + std::to_string(target.to.size()) +
                        " numbers; make it larger");
    }
  }
  template <class T>
  void read_row(std::int64_t row, const CsvTarget<T>& target) const {
    const std::size_t width = target.columns.size();
    for (std::size_t i = 0; i < width; ++i) {
      const int c = target.columns[i];
      const std::string_view field = records_.fields()[static_cast<std::size_t>(c)];
      const detail::NumberFault fault =
          detail::parse_number(field, target.to[static_cast<std::size_t>(row) * width + i]);
      if (fault != detail::NumberFault::none) refuse<T>(field, c, fault);
    }
  }
  template <class T>
  [[noreturn]] void refuse(std::string_view field, int column, detail::NumberFault fault) const {
    const std::string where =
        names_.empty() ? "column number " + std::to_string(column)
                       : "column " + detail::quoted(names_[static_cast<std::size_t>(column)]);
    const std::string type = dtype_name<T>();
    if (fault == detail::NumberFault::empty) {
      records_.fail("has nothing in " + where + "; write nan for a missing number");
    }
    if (fault == detail::NumberFault::out_of_range) {
      records_.fail("has " + detail::quoted(field) + " in " + where +
                    ", which is outside the range of " + type +
                    "; correct it or read the column as another type");
    }
    records_.fail("has " + detail::quoted(field) + " in " + where +
                  ", which is not a number of type " + type +
                  "; correct it or choose another column");
  }

  detail::CsvRecords records_;
  std::vector<std::string> names_;
  std::size_t columns_ = 0;
  bool pending_ = false;  // the first line was data and is still to be delivered
};

}  // namespace situ
