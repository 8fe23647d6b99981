// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace situ_test {

// What the exception that `f` throws says; empty when it throws none.
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

// One line that starts as all messages do and says what to do after a semicolon.
inline bool well_formed(const std::string& message) {
  return message.starts_with("situ: ") && message.find(';') != std::string::npos &&
         message.find('\n') == std::string::npos;
}

}  // namespace situ_test
