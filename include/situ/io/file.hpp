// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "situ/error.hpp"

// Files by their POSIX descriptors: reads at a position need no seek and no buffer of their own,
// and several threads may do them at once. Every failure is a format_error that names the file.
namespace situ::detail {

// Text from a file or a path as it may stand in a one-line message: short, without control
// characters.
inline std::string printable(std::string_view text, std::size_t longest = 40) {
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return text.size() > longest ? out + "..." : out;
}
inline std::string quoted(std::string_view text, std::size_t longest = 40) {
  std::string out = "'";  // g++ 12 warns falsely when a literal is put before a temporary string
  out += printable(text, longest);
  return out += "'";
}
inline std::string file_name(std::string_view path) { return printable(path, 4096); }

[[noreturn]] inline void fail_to(const char* what, const std::string& path, int error) {
  throw format_error(std::string("situ: cannot ") + what + " " + file_name(path) + ": " +
                     std::strerror(error) + "; check the path and its permissions");
}

class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  static File to_read(std::string path) { return File(std::move(path), O_RDONLY, "open"); }
  // Replaces what is there.
  static File to_write(std::string path) {
    return File(std::move(path), O_WRONLY | O_CREAT | O_TRUNC, "write");
  }

  const std::string& path() const { return path_; }
  // Bytes of a regular file; -1 for pipes, terminals and other things without a length.
  std::int64_t size() const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0) fail_to("read", path_, errno);
    return S_ISREG(status.st_mode) ? static_cast<std::int64_t>(status.st_size) : -1;
  }

  // Up to `bytes` bytes from the current place; 0 at the end.
  std::size_t read_some(void* to, std::size_t bytes) const {
    while (true) {
      const ssize_t n = ::read(descriptor_, to, bytes);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) fail_to("read", path_, errno);
    }
  }
  // Bytes at a position, fewer only where the file ends.
  std::size_t read_at(std::int64_t position, void* to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t n = ::pread(descriptor_, static_cast<char*>(to) + done, bytes - done,
                                static_cast<off_t>(position + static_cast<std::int64_t>(done)));
      if (n == 0) break;
      if (n > 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno != EINTR) {
        fail_to("read", path_, errno);
      }
    }
    return done;
  }
  void write(const void* from, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t n = ::write(descriptor_, static_cast<const char*>(from) + done, bytes - done);
      if (n >= 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno != EINTR) {
        fail_to("write", path_, errno);
      }
    }
  }
  // Some file systems report a failed write only here.
  void close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0) fail_to("write", path_, errno);
  }

 private:
  File(std::string path, int flags, const char* what) : path_(std::move(path)) {
    if (path_.find('\0') != std::string::npos) fail_to(what, path_, EINVAL);
    descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_to(what, path_, errno);
  }

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace situ::detail
