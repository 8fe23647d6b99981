// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "situ/io/file.hpp"

// Records of a .csv file, one after the other, in memory bounded by the longest one.
namespace situ::detail {

// Splits a stream into records and fields: fields are separated by the delimiter, records by LF or
// CR LF. A field that starts with a quote ends at the next quote that is not doubled and may hold
// delimiters and line ends. Blank lines are skipped, as is a byte order mark of UTF-8.
class CsvRecords {
 public:
  CsvRecords(std::string path, char delimiter, std::size_t longest)
      : file_(File::to_read(std::move(path))), delimiter_(delimiter), longest_(longest) {
    fill();
    if (buffer_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  // The next record becomes fields(); false at the end of the file.
  bool next() {
    while (true) {
      const std::size_t end = find_end();
      if (end == at_ && end == buffer_.size()) return false;
      line_ = next_line_;
      const std::string_view lines(buffer_.data() + at_, end - at_);
      next_line_ += 1 + std::count(lines.begin(), lines.end(), '\n');
      if (lines.find('\0') != std::string_view::npos) {
        fail("has a NUL byte; save the file as plain UTF-8 text");
      }
      char* const first = buffer_.data() + at_;
      char* last = buffer_.data() + end;
      at_ = std::min(end + 1, buffer_.size());
      if (last != first && last[-1] == '\r') --last;
      if (std::all_of(first, last, [](char c) { return c == ' ' || c == '\t'; })) continue;
      split(first, last);
      return true;
    }
  }
  const std::vector<std::string_view>& fields() const { return fields_; }
  // Number of the line, from 1, on which the record starts.
  std::int64_t line() const { return line_; }
  // Bytes used so far, and in all (-1 when the file is not a regular one): for progress.
  std::int64_t bytes_read() const {
    return bytes_filled_ - static_cast<std::int64_t>(buffer_.size() - at_);
  }
  std::int64_t bytes() const { return file_.size(); }
  const std::string& path() const { return file_.path(); }

  [[noreturn]] void fail(const std::string& what) const {
    throw format_error("situ: " + file_name(path()) + ", line " + std::to_string(line_) + " " +
                       what);
  }

 private:
  static constexpr std::size_t chunk = std::size_t{1} << 16;

  // Drops what was used and appends another chunk; false at the end of the file.
  bool fill() {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t size = buffer_.size();
    buffer_.resize(size + chunk);
    const std::size_t got = file_.read_some(buffer_.data() + size, chunk);
    buffer_.resize(size + got);
    bytes_filled_ += static_cast<std::int64_t>(got);
    return got > 0;
  }

  // Position of the line end that closes the record at at_, or of the end of the file.
  std::size_t find_end() {
    while (true) {
      bool open_quote = false;
      const std::size_t end = find_end_in_buffer(open_quote);
      const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - at_;
      if (length > longest_) {
        line_ = next_line_;
        fail(open_quote ? "opens a quote that is not closed; close it or remove it"
                        : "is longer than " + std::to_string(longest_) +
                              " bytes; this is no table of numbers, or its limit must be raised");
      }
      if (end != std::string::npos) return end;
      if (!fill()) {
        line_ = next_line_;
        if (open_quote) fail("opens a quote that is not closed; close it or remove it");
        return buffer_.size();
      }
    }
  }
  std::size_t find_end_in_buffer(bool& open_quote) const {
    const std::string_view rest = std::string_view(buffer_).substr(at_);
    const std::size_t newline = rest.find('\n');
    if (rest.substr(0, newline).find('"') == std::string_view::npos) {
      return newline == std::string_view::npos ? std::string::npos : at_ + newline;
    }
    bool field_starts = true;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const char c = rest[i];
      if (open_quote) {
        open_quote = c != '"';  // a doubled quote opens it again
        field_starts = c == '"' && i + 1 < rest.size() && rest[i + 1] == '"';
      } else if (c == '\n') {
        return at_ + i;
      } else if (c == '"' && field_starts) {
        open_quote = true;
        field_starts = false;
      } else {
        field_starts = c == delimiter_;
      }
    }
    return std::string::npos;
  }

  void split(char* first, char* last) {
    fields_.clear();
    while (true) {
      if (first != last && *first == '"') {
        first = quoted_field(first + 1, last);
      } else {
        char* const end = std::find(first, last, delimiter_);
        fields_.emplace_back(first, static_cast<std::size_t>(end - first));
        first = end;
      }
      if (first == last) return;
      ++first;  // the delimiter; an empty field follows when it is the last character
    }
  }
  // Removes the doubling of quotes in place; returns what follows the closing quote.
  char* quoted_field(char* first, char* last) {
    char* to = first;
    for (char* from = first; from != last; ++from) {
      if (*from == '"') {
        if (from + 1 == last || from[1] != '"') {
          if (from + 1 != last && from[1] != delimiter_) {
            fail("has text after a closing quote; double the quotes within a field");
          }
          fields_.emplace_back(first, static_cast<std::size_t>(to - first));
          return from + 1;
        }
        ++from;
      }
      *to++ = *from;
    }
    fail("opens a quote that is not closed; close it or remove it");
  }

  File file_;
  char delimiter_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::int64_t bytes_filled_ = 0;
  std::int64_t line_ = 1;
  std::int64_t next_line_ = 1;
  std::vector<std::string_view> fields_;
};

}  // namespace situ::detail
