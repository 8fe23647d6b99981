// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#ifndef SITU_TEST_BINARY_DIR
#define SITU_TEST_BINARY_DIR "."
#endif
#ifndef SITU_TEST_SOURCE_DIR
#define SITU_TEST_SOURCE_DIR "tests"
#endif

namespace situ_test {

// A file of its own for each use, gone with its object.
class Temporary {
 public:
  explicit Temporary(const std::string& content = {}, const std::string& ending = ".npy") {
    static int count = 0;
    path_ = std::string(SITU_TEST_BINARY_DIR) + "/io_" + std::to_string(::getpid()) + "_" +
            std::to_string(++count) + ending;
    write(content);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }
  void write(const std::string& content) const {
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  std::string read() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

// A file of real model outputs that the repository carries, written by NumPy or pandas.
inline std::string bundled(const std::string& name) {
  return std::string(SITU_TEST_SOURCE_DIR) + "/../examples/data/" + name;
}

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}
// One printable line that starts as all messages do and says what to do after a semicolon.
inline bool well_formed(const std::string& message) {
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20) return false;
  }
  return message.starts_with("situ: ") && message.find(';') != std::string::npos;
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Small and repeatable: the tests must make the same damage everywhere.
class Dice {
 public:
  explicit Dice(unsigned long long seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  unsigned long long state_;
};

// Flips, inserts, removes, repeats or cuts off a few bytes; sometimes puts in one of `words`.
template <std::size_t N>
std::string damaged(std::string text, Dice& dice, const char* const (&words)[N]) {
  const std::size_t changes = 1 + dice.below(4);
  for (std::size_t c = 0; c < changes; ++c) {
    const std::size_t at = dice.below(text.size() + 1);
    const std::size_t length = std::min(1 + dice.below(8), text.size() - at);
    switch (dice.below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(dice.below(256)));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(dice.below(text.size() + 1), text.substr(at, length));
        break;
      case 4:
        text.replace(at, length, words[dice.below(N)]);
        break;
      default:
        if (dice.below(4) == 0) text.resize(at);
    }
  }
  return text;
}

}  // namespace situ_test
