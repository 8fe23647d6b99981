// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inputs of a reference case: the twin of tests/reference/inputs.py. Every value is an integer
// divided by a power of two, exact in the case's element type.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_file.hpp"

namespace reference {

struct Inputs {
  std::vector<double> y_true;  // Row-major, rows x true_cols(); empty when the metric has none.
  std::vector<double> y_pred;  // Row-major, rows x pred_cols().
  std::vector<double> weight;  // One per row; empty when no sample_weight is given.
};

inline constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15u;
enum Stream : std::uint64_t {
  true_stream = 1,
  pred_stream,
  weight_stream,
  lift_stream,
  second_stream,
  hole_stream
};

// The finaliser of splitmix64.
inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Number `i` of splitmix64 started at mix(seed + stream).
inline std::uint64_t draw(const Case& c, Stream stream, std::size_t i) {
  return mix(mix(c.seed + stream) + (i + 1) * golden_ratio);
}

// A draw u becomes k = u % (top + 1), then base + (k + low) / scale.
struct Grid {
  std::uint64_t top = 0;
  std::int64_t low = 0;
  double scale = 1;
  double base = 0;

  double value(std::uint64_t k) const {
    return base + static_cast<double>(static_cast<std::int64_t>(k) + low) / scale;
  }
};

inline Grid grid_of(const Kind& kind) {
  if (kind.name == "const") {
    return {0, 0, 1, kind.first};
  }
  const std::size_t skip = kind.name == "offset" ? 1 : 0;
  const std::int64_t scale = std::int64_t{1} << kind.whole.at(skip);
  const auto scaled = static_cast<double>(scale);
  if (kind.name == "unit") {
    return {static_cast<std::uint64_t>(scale), 0, scaled, 0};
  }
  if (kind.name == "open") {
    return {static_cast<std::uint64_t>(scale - 2), 1, scaled, 0};
  }
  if (kind.name == "sym" || kind.name == "offset" || kind.name == "near") {
    const std::int64_t radius = kind.whole.at(skip + 1) * scale;
    return {static_cast<std::uint64_t>(2 * radius), -radius, scaled, skip == 1 ? kind.first : 0};
  }
  throw std::runtime_error("golden file: unknown kind " + kind.name);
}

inline std::vector<double> make_true(const Case& c) {
  const std::string& name = c.y_true.name;
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto cols = static_cast<std::size_t>(c.cols);
  if (name == "none") {
    return {};
  }
  std::vector<double> out(rows * static_cast<std::size_t>(c.true_cols()));
  if (c.true_is_label() || name == "onehot" || name == "mix") {
    for (std::size_t i = 0; i < rows; ++i) {
      auto label = static_cast<std::int64_t>(draw(c, true_stream, i) % cols);
      const std::uint64_t second = draw(c, second_stream, i);
      if (name == "only" || (name == "onehot" && !c.y_true.whole.empty()) ||
          (name == "ignore" && second % 8 == 0)) {
        label = c.y_true.whole.at(0);
      }
      if (c.true_is_label()) {
        out[i] = static_cast<double>(label);
        continue;
      }
      out[i * cols + static_cast<std::size_t>(label)] += name == "mix" ? 0.75 : 1.0;
      if (name == "mix") {
        out[i * cols + second % cols] += 0.25;
      }
    }
    return out;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t u = draw(c, true_stream, i);
    if (name == "binary") {
      out[i] = u % 16 < static_cast<std::uint64_t>(c.y_true.whole.at(0)) ? 1.0 : 0.0;
    } else {
      const Grid grid = grid_of(c.y_true);
      out[i] = grid.value(u % (grid.top + 1));
    }
  }
  return out;
}

// The class of row i when y_true names one class, else -1.
inline std::int64_t true_class(const Case& c, const std::vector<double>& y_true, std::size_t i) {
  if (c.true_is_label()) {
    return static_cast<std::int64_t>(y_true[i]);
  }
  if (c.y_true.name != "onehot") {
    return -1;
  }
  const auto row = y_true.begin() + static_cast<std::ptrdiff_t>(i) * c.cols;
  return std::max_element(row, row + c.cols) - row;
}

inline std::vector<double> make_pred(const Case& c, const std::vector<double>& y_true) {
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto cols = static_cast<std::size_t>(c.cols);
  std::vector<double> out(rows * static_cast<std::size_t>(c.pred_cols()));
  if (c.y_pred.name == "label") {
    for (std::size_t i = 0; i < rows; ++i) {
      const bool lifted = draw(c, lift_stream, i) % 16 < c.lift;
      out[i] = lifted ? y_true[i] : static_cast<double>(draw(c, pred_stream, i) % cols);
    }
    return out;
  }
  const Grid grid = grid_of(c.y_pred);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint64_t k = draw(c, pred_stream, i) % (grid.top + 1);
    if (c.y_pred.name == "near") {
      out[i] = y_true[i] + grid.value(k);
      continue;
    }
    if (c.y_true.name == "binary" && draw(c, lift_stream, i) % 16 < c.lift) {
      k = y_true[i] == 1.0 ? grid.top - (k >> 1) : k >> 1;
    } else if (true_class(c, y_true, i / cols) == static_cast<std::int64_t>(i % cols) &&
               draw(c, lift_stream, i / cols) % 16 < c.lift) {
      k = grid.top - (k >> 3);
    }
    out[i] = grid.value(k);
  }
  return out;
}

// NaN in two of 16 predictions, or infinity in one and minus infinity in the other.
inline void add_holes(const Case& c, std::vector<double>& y_pred) {
  if (c.holes.empty()) return;
  const double first = c.holes == "nan" ? std::nan("") : HUGE_VAL;
  for (std::size_t i = 0; i < y_pred.size(); ++i) {
    const std::uint64_t u = draw(c, hole_stream, i) % 16;
    if (u == 0) y_pred[i] = first;
    if (u == 1) y_pred[i] = c.holes == "nan" ? first : -first;
  }
}

inline std::vector<double> make_weight(const Case& c) {
  if (c.weight == "none") {
    return {};
  }
  std::vector<double> out(static_cast<std::size_t>(c.rows));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t u = draw(c, weight_stream, i);
    if (c.weight == "fraction") {
      out[i] = static_cast<double>(u % 257) / 256;
    } else if (c.weight == "zeros") {
      out[i] = u % 4 == 0 ? 0.0 : static_cast<double>((u >> 2) % 256 + 1) / 256;
    } else if (c.weight == "int") {
      out[i] = static_cast<double>(u % 5);
    } else if (c.weight != "nothing") {
      throw std::runtime_error("golden file: unknown weight " + c.weight);
    }
  }
  return out;
}

// Depends on every bit and on the order, and equals the case's `checksum`.
inline std::uint64_t checksum(const Inputs& inputs) {
  std::uint64_t total = 0;
  std::uint64_t number = 0;
  for (const auto* values : {&inputs.y_true, &inputs.y_pred, &inputs.weight}) {
    ++number;
    for (std::size_t i = 0; i < values->size(); ++i) {
      total += mix(std::bit_cast<std::uint64_t>((*values)[i]) + (i + 1) * golden_ratio + number);
    }
  }
  return total;
}

// Makes the inputs and throws when they are not those that the libraries saw.
inline Inputs make_inputs(const Case& c) {
  Inputs inputs;
  inputs.y_true = make_true(c);
  inputs.y_pred = make_pred(c, inputs.y_true);
  add_holes(c, inputs.y_pred);
  inputs.weight = make_weight(c);
  if (checksum(inputs) != c.checksum) {
    throw std::runtime_error("golden file: the inputs of " + c.metric +
                             " id=" + std::to_string(c.id) + " differ from the recorded checksum");
  }
  return inputs;
}

// The same values in another element type: float, double, or any integer type for labels.
template <class T>
std::vector<T> as(const std::vector<double>& values) {
  std::vector<T> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [](double value) { return static_cast<T>(value); });
  return out;
}

// The bits of an IEEE binary16 number. Only for values that it holds exactly, as f16 cases have.
inline std::uint16_t half_bits(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double size = std::fabs(value);
  if (size < 0x1p-14) {  // Zero and denormals count steps of 2^-24.
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(size * 0x1p24));
  }
  const int exponent = std::ilogb(size);
  const double fraction = (std::ldexp(size, -exponent) - 1.0) * 1024.0;
  return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(exponent + 15) << 10 |
                                    static_cast<std::uint32_t>(fraction));
}

inline std::vector<std::uint16_t> as_half_bits(const std::vector<double>& values) {
  std::vector<std::uint16_t> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), half_bits);
  return out;
}

}  // namespace reference
