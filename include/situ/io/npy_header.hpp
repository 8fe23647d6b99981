// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "situ/io/dtype.hpp"
#include "situ/io/file.hpp"

// The header of a .npy file: "\x93NUMPY", two bytes of version, the length of the text (2 bytes, 4
// from version 2 on), and as text a Python dictionary with the keys descr, fortran_order and shape.
namespace situ::detail {

inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};
inline constexpr std::int64_t npy_longest_header = 65536;  // NumPy itself reads 10000 characters
inline constexpr std::size_t npy_most_axes = 64;           // NumPy's own limit

struct NpyHeader {
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;
};

// Reads exactly the dictionaries that NumPy writes: three keys in any order, each once, plain
// strings, True or False, decimal lengths. Anything else is refused, never interpreted.
class NpyHeaderParser {
 public:
  NpyHeaderParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        header.dtype = descr();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        if (boolean()) {
          throw format_error(
              "situ: " + file_name(path_) +
              " is stored in Fortran order; save numpy.ascontiguousarray(x) instead");
        }
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = shape();
      } else {
        damaged("an unknown or repeated key " + quoted(key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty()) damaged("text after its dictionary");
    if (!has_descr || !has_order || !has_shape) damaged("no descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    throw format_error("situ: the header of " + file_name(path_) + " has " + what +
                       "; write the file again with numpy.save");
  }
  [[noreturn]] void unsupported(std::string_view descr, const char* what, const char* cure) const {
    throw dtype_error("situ: " + file_name(path_) + " has elements of type " + quoted(descr) +
                      ", " + what + "; " + cure);
  }

  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged(std::string("no '") + c + "' where one belongs");
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view string() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    const std::size_t end =
        quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) damaged("no string where one belongs");
    const std::string_view s = rest_.substr(1, end - 1);
    if (s.find('\\') != std::string_view::npos) damaged("a string with a backslash");
    rest_.remove_prefix(end + 1);
    return s;
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) damaged("a fortran_order that is neither True nor False");
    return false;
  }
  std::int64_t length() {
    skip_space();
    std::int64_t n = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, rest_[digits] - '0', &n)) {
        damaged("a length that does not fit in 64 bits");
      }
    }
    if (digits == 0) damaged("a shape that is not a tuple of lengths");
    rest_.remove_prefix(digits);
    return n;
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> lengths;
    expect('(');
    while (!accept(')')) {
      if (lengths.size() == npy_most_axes) damaged("more than 64 axes");
      lengths.push_back(length());
      if (accept(',')) continue;
      expect(')');
      if (lengths.size() == 1) damaged("a shape that is a number, not a tuple");
      break;
    }
    return lengths;
  }
  DType descr() {
    skip_space();
    if (rest_.starts_with('[') || rest_.starts_with('(')) {
      unsupported(rest_.substr(0, rest_.find('\n')), "a structured type",
                  "save each of its fields as an array of its own");
    }
    const std::string_view s = string();
    if (s.size() < 2) unsupported(s, "which is unknown", "use bool, integers or floats");
    const char order = s[0];
    const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
    const std::string_view kind = has_order ? s.substr(1) : s;
    if (kind.empty()) unsupported(s, "which is unknown", "use bool, integers or floats");
    switch (kind[0]) {
      case 'O':
        unsupported(s, "Python objects", "convert them to numbers and save again");
      case 'U':
      case 'S':
      case 'a':
        unsupported(s, "text", "encode the labels as integers");
      case 'c':
        unsupported(s, "complex numbers", "save their real and imaginary parts");
      case 'M':
      case 'm':
        unsupported(s, "dates or durations", "convert them to numbers");
      default:
        break;
    }
    struct Known {
      std::string_view kind;
      DType dtype;
    };
    constexpr Known known[] = {
        {"b1", DType::boolean}, {"i1", DType::int8},    {"u1", DType::uint8},
        {"i2", DType::int16},   {"u2", DType::uint16},  {"i4", DType::int32},
        {"u4", DType::uint32},  {"i8", DType::int64},   {"u8", DType::uint64},
        {"f2", DType::float16}, {"f4", DType::float32}, {"f8", DType::float64},
        {"V2", DType::raw16}};
    for (const Known& k : known) {
      if (k.kind != kind) continue;
      const bool any_order = size_of(k.dtype) == 1 || k.dtype == DType::raw16;
      if (order == '>' && !any_order) {
        unsupported(s, "big-endian", "save x.astype(x.dtype.newbyteorder('<')) instead");
      }
      if (any_order || order == '<' || order == '=') return k.dtype;
    }
    unsupported(s, "which is unknown",
                "use bool, integers of 8 to 64 bits or floats of 16 to 64 bits");
  }

  std::string_view rest_;
  const std::string& path_;
};

}  // namespace situ::detail
