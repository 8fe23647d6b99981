// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "situ/io/csv.hpp"
#include "situ/io/npy.hpp"

namespace evaluate {

// Numbers from a .npy file, or from a column of a .csv file named as file.csv:column, read in parts
// and given as double, which holds every element type up to 53 bits exactly.
class Source {
 public:
  explicit Source(const std::string& name) : name_(name) {
    const std::size_t csv = name.rfind(".csv:");
    if (csv != std::string::npos) {
      csv_ = std::make_unique<situ::CsvFile>(name.substr(0, csv + 4));
      column_ = csv_->column(name.substr(csv + 5));
    } else if (name.size() > 4 && name.substr(name.size() - 4) == ".csv") {
      throw situ::argument_error("situ: " + name + " does not say which column; write " + name +
                                 ":column");
    } else {
      npy_ = std::make_unique<situ::NpyFile>(name);
      if (npy_->shape().empty() || npy_->shape().size() > 2) {
        throw situ::shape_error("situ: " + name + " has " + std::to_string(npy_->shape().size()) +
                                " axes; labels have one, scores one or two");
      }
    }
  }

  const std::string& name() const { return name_; }
  // Rows in all, or -1 when only reading tells.
  std::int64_t rows() const { return npy_ ? npy_->rows() : -1; }
  std::int64_t columns() const { return npy_ ? npy_->row_size() : 1; }
  double bytes_per_row() const {
    return npy_ ? static_cast<double>(npy_->row_size() * situ::size_of(npy_->dtype())) : 8;
  }
  // Whether the file says that its numbers are integers or truth values; unknown of text.
  std::optional<bool> whole() const {
    if (!npy_) return std::nullopt;
    if (npy_->dtype() == situ::DType::raw16) return false;
    return situ::with_dtype(npy_->dtype(), [](auto type) {
      return !situ::floating_element<typename decltype(type)::type>;
    });
  }

  // Up to `count` rows after those already read; fewer only at the end.
  std::vector<double> next(std::int64_t count) {
    std::vector<double> values;
    if (csv_) {
      values.resize(static_cast<std::size_t>(count));
      const std::int64_t got = csv_->read_rows(count, situ::CsvTarget<double>{{column_}, values});
      values.resize(static_cast<std::size_t>(got));
    } else {
      count = std::min(count, npy_->rows() - read_);
      values.resize(static_cast<std::size_t>(count * npy_->row_size()));
      if (npy_->dtype() == situ::DType::raw16) {
        copy_rows<situ::bfloat16>(count, values);
      } else {
        situ::with_dtype(npy_->dtype(), [&](auto type) {
          copy_rows<typename decltype(type)::type>(count, values);
        });
      }
    }
    read_ += static_cast<std::int64_t>(values.size()) / columns();
    return values;
  }

 private:
  template <class T>
  void copy_rows(std::int64_t count, std::vector<double>& to) {
    const auto n = static_cast<std::size_t>(count * npy_->row_size());
    const auto elements = std::make_unique<T[]>(n == 0 ? 1 : n);
    npy_->read_rows<T>(read_, count, std::span<T>(elements.get(), n));
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = situ::cast_value<double>(elements[i]);
      if constexpr (sizeof(T) == 8 && situ::integer_element<T>) {
        if (situ::cast_value<T>(to[i]) != elements[i]) {
          throw situ::format_error("situ: " + name_ +
                                   " has integers beyond 2^53; store them smaller");
        }
      }
    }
  }

  std::string name_;
  std::unique_ptr<situ::NpyFile> npy_;
  std::unique_ptr<situ::CsvFile> csv_;
  int column_ = 0;
  std::int64_t read_ = 0;
};

}  // namespace evaluate
