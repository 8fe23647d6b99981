// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "situ/io/npy_header.hpp"
#include "situ/tensor.hpp"

// NumPy's .npy files: read in parts, so that a file may be larger than memory, and written from any
// view.
//
// What is read is checked first: a file that is damaged, longer or shorter than its header says, in
// Fortran order, big-endian or not made of numbers is refused in one sentence, before memory for
// its elements is asked for. Values are never converted: the element type asked for must be the one
// in the file.
namespace situ {

static_assert(std::endian::native == std::endian::little,
              "situ: .npy files are read and written on little-endian machines only");

class NpyFile {
 public:
  // Opens a file and reads its header. format_error, or dtype_error for element types that situ has
  // not.
  explicit NpyFile(std::string path) : file_(detail::File::to_read(std::move(path))) {
    const std::int64_t bytes = file_.size();
    if (bytes < 0) refuse("is not a regular file; save it to a disk first");
    unsigned char start[12] = {};
    const std::size_t got = file_.read_at(0, start, sizeof start);
    if (got < sizeof start ||
        std::string_view(reinterpret_cast<char*>(start), 6) != detail::npy_magic) {
      refuse("is not a .npy file; write it with numpy.save");
    }
    const int major = start[6];
    if (major < 1 || major > 3 || start[7] != 0) {
      refuse("has format version " + std::to_string(major) + "." + std::to_string(start[7]) +
             ", but 1.0 to 3.0 are known; write it with numpy.save");
    }
    const std::int64_t text_at = major == 1 ? 10 : 12;
    std::int64_t length = start[8] | (start[9] << 8);
    if (major > 1) length |= (std::int64_t{start[10]} << 16) | (std::int64_t{start[11]} << 24);
    if (length > detail::npy_longest_header) refuse("has a header that is too long; it is damaged");
    std::string text(static_cast<std::size_t>(length), '\0');
    if (file_.read_at(text_at, text.data(), text.size()) < text.size()) {
      refuse("ends within its header; it is truncated, copy or write it again");
    }
    detail::NpyHeader header = detail::NpyHeaderParser(text, file_.path()).parse();
    dtype_ = header.dtype;
    shape_ = std::move(header.shape);
    data_at_ = text_at + length;
    check_length(bytes);
  }

  const std::string& path() const { return file_.path(); }
  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  // Elements in the file.
  std::int64_t size() const { return size_; }
  // Length of the first axis, 1 for a single number.
  std::int64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  // Elements of one row: the product of the other lengths.
  std::int64_t row_size() const { return row_size_; }

  // True when elements may be read as T: the same type, or bfloat16 where NumPy knows two raw
  // bytes.
  template <element T>
  bool holds() const {
    return dtype_ == dtype_of<T> || (std::is_same_v<T, bfloat16> && dtype_ == DType::raw16);
  }
  // Rows first to first + count - 1, one after the other. Safe to call from several threads.
  template <element T>
  void read_rows(std::int64_t first, std::int64_t count, std::span<T> to) const {
    if (!holds<T>()) {
      throw dtype_error("situ: " + name() + " holds " + to_string(dtype_) + ", not " +
                        dtype_name<T>() + "; read it with its own element type");
    }
    if (first < 0 || count < 0 || first > rows() || count > rows() - first) {
      throw shape_error("situ: " + name() + " has " + std::to_string(rows()) + " rows, not " +
                        std::to_string(count) + " from row " + std::to_string(first) +
                        " on; ask for fewer");
    }
    if (static_cast<std::int64_t>(to.size()) != count * row_size_) {
      throw shape_error("situ: " + std::to_string(count) + " rows of " + name() + " have " +
                        std::to_string(count * row_size_) + " elements, but there is room for " +
                        std::to_string(to.size()) + "; make the sizes equal");
    }
    const std::int64_t at = data_at_ + first * row_size_ * static_cast<std::int64_t>(sizeof(T));
    if (file_.read_at(at, to.data(), to.size_bytes()) < to.size_bytes()) {
      refuse("became shorter while it was read; write it again");
    }
    if constexpr (std::is_same_v<T, bool>) check_bools(to, first * row_size_);
  }
  // Into contiguous host memory, one row per element of the first axis.
  template <element T, int R>
    requires(R > 0)
  void read_rows(std::int64_t first, std::int64_t count, const View<T, R, Host>& to) const {
    if (!to.is_contiguous() || to.shape()[0] != count) {
      throw shape_error("situ: " + std::to_string(count) + " rows of " + name() +
                        " need contiguous memory of as many rows, not a view of shape " +
                        to_string(to.shape()) + "; read into a Tensor of the right shape");
    }
    read_rows<T>(first, count, std::span<T>(to.data(), static_cast<std::size_t>(to.size())));
  }

 private:
  std::string name() const { return detail::file_name(file_.path()); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw format_error("situ: " + name() + " " + what);
  }
  void check_length(std::int64_t bytes) {
    bool overflow = false;
    std::int64_t product = 1;  // of the lengths that are not zero, as check_shape has it
    row_size_ = 1;
    for (std::size_t a = 0; a < shape_.size(); ++a) {
      overflow = overflow ||
                 __builtin_mul_overflow(product, std::max<std::int64_t>(shape_[a], 1), &product);
      if (!overflow && a > 0) row_size_ *= shape_[a];
    }
    if (!overflow) size_ = shape_.empty() ? 1 : shape_[0] * row_size_;
    std::int64_t expected = 0;
    overflow = overflow || __builtin_mul_overflow(size_, size_of(dtype_), &expected) ||
               __builtin_add_overflow(expected, data_at_, &expected);
    if (overflow) refuse("has a shape that no file can hold; its header is damaged");
    if (bytes != expected) {
      refuse("has " + std::to_string(bytes) + " bytes where its header asks for " +
             std::to_string(expected) + "; it is truncated or damaged, copy or write it again");
    }
  }
  // Any other byte would be undefined behaviour in a bool, so none gets out of here.
  void check_bools(std::span<bool> values, std::int64_t first) const {
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(values.data());
    unsigned char* const bad =
        std::find_if(bytes, bytes + values.size(), [](unsigned char b) { return b > 1; });
    if (bad == bytes + values.size()) return;
    const std::string text = "has the byte " + std::to_string(*bad) + " as bool number " +
                             std::to_string(first + (bad - bytes)) +
                             "; bools are 0 or 1, write it with numpy.save";
    std::fill(bytes, bytes + values.size(), static_cast<unsigned char>(0));
    refuse(text);
  }

  detail::File file_;
  DType dtype_ = DType::float32;
  std::vector<std::int64_t> shape_;
  std::int64_t data_at_ = 0;
  std::int64_t size_ = 0;
  std::int64_t row_size_ = 1;
};

// The whole file in a tensor: load_npy<float, 2>("scores.npy").
template <element T, int R>
[[nodiscard]] Tensor<T, R, Host> load_npy(const std::string& path) {
  const NpyFile file(path);
  Shape<R> shape{};
  if (file.shape().size() != static_cast<std::size_t>(R)) {
    throw shape_error("situ: " + detail::file_name(path) + " has " +
                      std::to_string(file.shape().size()) + " axes, not " + std::to_string(R) +
                      "; load it with its own rank");
  }
  for (int a = 0; a < R; ++a) shape[a] = file.shape()[static_cast<std::size_t>(a)];
  if (!file.holds<T>()) (void)file.read_rows<T>(0, 0, std::span<T>());  // says why
  Tensor<T, R, Host> t(shape, uninitialized);
  file.read_rows<T>(0, file.rows(), std::span<T>(t.data(), static_cast<std::size_t>(t.size())));
  return t;
}

namespace detail {

template <class T>
const char* npy_descr() {
  constexpr DType d = dtype_of<T>;
  constexpr const char* names[] = {"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4",
                                   "<i8", "<u8", "<f2", "<V2", "<f4", "<f8"};
  return names[static_cast<std::size_t>(d)];
}

// Collects elements that do not lie one after the other.
template <class T>
class NpyWriter {
 public:
  explicit NpyWriter(const File& file) : file_(file) { buffer_.reserve(capacity * sizeof(T)); }
  void add(const T& x) {
    const char* const bytes = reinterpret_cast<const char*>(&x);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof(T));
    if (buffer_.size() >= capacity * sizeof(T)) flush();
  }
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  template <int Axis, int R>
  void add_axis(const T* at, const View<const T, R, Host>& v) {
    if constexpr (Axis == R) {
      add(*at);
    } else {
      for (std::int64_t i = 0; i < v.shape()[Axis]; ++i) {
        add_axis<Axis + 1>(at + i * v.strides()[Axis], v);
      }
    }
  }

 private:
  static constexpr std::size_t capacity = 8192;
  const File& file_;
  std::vector<char> buffer_;
};

}  // namespace detail

// Writes the elements of a view, strided or not, as numpy.save does (format 1.0). bfloat16 is
// written as
// '<V2', as ml_dtypes does. An existing file is replaced.
template <class T, int R>
void save_npy(const std::string& path, const View<T, R, Host>& view) {
  using U = std::remove_const_t<T>;
  std::string text =
      std::string("{'descr': '") + detail::npy_descr<U>() + "', 'fortran_order': False, 'shape': (";
  for (int a = 0; a < R; ++a) text += (a > 0 ? ", " : "") + std::to_string(view.shape()[a]);
  text += R == 1 ? ",), }" : "), }";
  // The elements start at a multiple of 64 bytes, the text ends with a new line.
  while ((text.size() + 11) % 64 != 0) text += ' ';
  text += '\n';
  const char version_and_length[4] = {1, 0, static_cast<char>(text.size() & 0xFF),
                                      static_cast<char>(text.size() >> 8)};
  detail::File file = detail::File::to_write(path);
  file.write(detail::npy_magic.data(), detail::npy_magic.size());
  file.write(version_and_length, sizeof version_and_length);
  file.write(text.data(), text.size());
  if (view.is_contiguous()) {
    file.write(view.data(), static_cast<std::size_t>(view.size()) * sizeof(U));
  } else {
    detail::NpyWriter<U> writer(file);
    writer.template add_axis<0, R>(view.data(), View<const U, R, Host>(view));
    writer.flush();
  }
  file.close();
}
template <class T, int R>
void save_npy(const std::string& path, const Tensor<T, R, Host>& tensor) {
  save_npy(path, tensor.view());
}
template <placed X, class Cure = copy_it_first_with_situ_to_Host>
  requires(!placed_on<Host, X>)
void save_npy(const std::string&, const X&)
    SITU_REFUSE("situ: writing needs host memory; copy it first with situ::to<situ::Host>(x)");

}  // namespace situ
