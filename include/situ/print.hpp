// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "situ/tensor.hpp"

// Printing in NumPy's manner: aligned columns, nested brackets, and only the edges of what has more
// than a thousand elements. Host only.
namespace situ {

namespace detail {

inline constexpr std::int64_t print_all =
    1000;                                      // more elements than this are abridged, as in NumPy
inline constexpr std::int64_t print_edge = 3;  // to so many at both ends of every axis
inline constexpr std::size_t print_width = 75;

// Text of a finite number, right of the decimal point at most 8 digits and no zeros that say
// nothing.
template <class T>
std::string fixed_text(T x) {
  char buffer[512];  // the longest double in fixed notation has 309 digits before the point
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, 8).ptr;
  std::string rounded(buffer, end);
  while (rounded.back() == '0') rounded.pop_back();
  char exact[1200];
  const auto exact_end =
      std::to_chars(exact, exact + sizeof exact, x, std::chars_format::fixed).ptr;
  std::string shortest(exact, exact_end);
  if (shortest.find('.') == std::string::npos) shortest += '.';
  return shortest.size() < rounded.size() ? shortest : rounded;
}
template <class T>
std::string scientific_text(T x) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific, 8).ptr;
  const std::string rounded(buffer, end);
  const auto exact_end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr;
  const std::string shortest(buffer, exact_end);
  return shortest.size() < rounded.size() ? shortest : rounded;
}

// The elements that are shown, as text of equal width.
template <class T>
void texts_of(const std::vector<T>& values, std::vector<std::string>& texts) {
  if constexpr (std::is_floating_point_v<T>) {
    T largest = 0;
    T smallest = std::numeric_limits<T>::infinity();
    for (const T x : values) {
      const T size = std::fabs(x);
      if (!std::isfinite(x) || size == 0) continue;
      largest = size > largest ? size : largest;
      smallest = size < smallest ? size : smallest;
    }
    const bool scientific = largest >= T(1e8) || smallest < T(1e-4);
    for (const T x : values) {
      if (std::isnan(x)) {
        texts.push_back("nan");
      } else if (std::isinf(x)) {
        texts.push_back(x > 0 ? "inf" : "-inf");
      } else {
        texts.push_back(scientific ? scientific_text(x) : fixed_text(x));
      }
    }
    // Decimal points stand below one another.
    std::size_t right = 0;
    for (const std::string& s : texts) {
      const std::size_t point = s.find('.');
      if (point != std::string::npos && !scientific) right = std::max(right, s.size() - point);
    }
    for (std::string& s : texts) {
      const std::size_t point = s.find('.');
      if (point != std::string::npos && !scientific) s.resize(point + right, ' ');
    }
  } else {
    for (const T x : values) {
      if constexpr (std::is_same_v<T, bool>) {
        texts.push_back(x ? "true" : "false");
      } else {
        texts.push_back(std::to_string(x));
      }
    }
  }
  std::size_t width = 0;
  for (const std::string& s : texts) width = std::max(width, s.size());
  for (std::string& s : texts) s.insert(0, width - s.size(), ' ');
}

// Visits the elements that are shown in order; brackets and gaps go through `mark`.
template <class T, int R>
class Printer {
 public:
  explicit Printer(const View<const T, R, Host>& v) : view_(v), abridged_(v.size() > print_all) {
    collect<0>(v.data());
    texts_of(values_, texts_);
  }
  void print(std::ostream& out) {
    if (view_.size() == 0) {
      out << "[]";
    } else {
      axis<0>(out);
    }
  }

 private:
  using V = compute_t<T>;
  using Kept = std::conditional_t<std::is_same_v<T, bool>, bool, V>;

  bool is_cut(int axis) const { return abridged_ && view_.shape()[axis] > 2 * print_edge; }

  template <int Axis>
  void collect(const T* at) {
    if constexpr (Axis == R) {
      values_.push_back(static_cast<Kept>(*at));
    } else {
      const std::int64_t n = view_.shape()[Axis];
      for (std::int64_t i = 0; i < n && view_.size() > 0; ++i) {
        if (is_cut(Axis) && i == print_edge) i = n - print_edge;
        collect<Axis + 1>(at + i * view_.strides()[Axis]);
      }
    }
  }
  template <int Axis>
  void axis(std::ostream& out) {
    if constexpr (Axis == R) {
      out << texts_[next_++];
    } else {
      const std::int64_t n = view_.shape()[Axis];
      const std::string indent(static_cast<std::size_t>(Axis + 1), ' ');
      const std::string line_end(static_cast<std::size_t>(R - 1 - Axis), '\n');
      std::size_t column = indent.size();
      out << '[';
      for (std::int64_t i = 0; i < n; ++i) {
        const bool gap = is_cut(Axis) && i == print_edge;
        if constexpr (Axis + 1 < R) {
          if (i > 0) out << line_end << indent;
          if (gap) out << "..." << line_end << indent;
        } else {
          const std::size_t size = gap ? texts_[next_].size() + 4 : texts_[next_].size();
          if (i > 0 && column + 1 + size > print_width) {
            out << '\n' << indent;
            column = indent.size();
          } else if (i > 0) {
            out << ' ';
            ++column;
          }
          if (gap) out << "... ";
          column += size;
        }
        if (gap) i = n - print_edge;
        axis<Axis + 1>(out);
      }
      out << ']';
    }
  }

  View<const T, R, Host> view_;
  bool abridged_;
  std::vector<Kept> values_;
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

}  // namespace detail

template <class T, int R>
std::ostream& operator<<(std::ostream& out, const View<T, R, Host>& v) {
  detail::Printer<std::remove_const_t<T>, R>(v).print(out);
  return out;
}
template <class T, int R>
std::ostream& operator<<(std::ostream& out, const Tensor<T, R, Host>& t) {
  return out << t.view();
}
template <int R>
std::ostream& operator<<(std::ostream& out, const Shape<R>& shape) {
  return out << to_string(shape);
}
template <placed X, class Cure = copy_it_first_with_situ_to_Host>
  requires(!placed_on<Host, X>)
std::ostream& operator<<(std::ostream&, const X&)
    SITU_REFUSE("situ: printing needs host memory; copy it first with situ::to<situ::Host>(x)");

}  // namespace situ
