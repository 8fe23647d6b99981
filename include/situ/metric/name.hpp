// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace situ::detail {

template <class T>
constexpr std::string_view type_signature() {
  return __PRETTY_FUNCTION__;
}

// "situ::MeanSquaredError" -> "mean_squared_error", "R2Score" -> "r2_score"; what stands in angle brackets is left out.
inline std::string snake_case(std::string_view type) {
  type = type.substr(0, type.find('<'));
  if (const auto colon = type.rfind("::"); colon != std::string_view::npos) {
    type.remove_prefix(colon + 2);
  }
  std::string name;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const auto c = static_cast<unsigned char>(type[i]);
    const bool starts_word =
        std::isupper(c) != 0 && i > 0 &&
        (std::islower(static_cast<unsigned char>(type[i - 1])) != 0 ||
         std::isdigit(static_cast<unsigned char>(type[i - 1])) != 0 ||
         (i + 1 < type.size() && std::islower(static_cast<unsigned char>(type[i + 1])) != 0 &&
          std::isupper(static_cast<unsigned char>(type[i - 1])) != 0));
    if (starts_word) name += '_';
    name += static_cast<char>(std::tolower(c));
  }
  return name;
}

// The name a metric gives itself by a member `name` (a string, or a function that returns one), else
// that of its type.
template <class M>
std::string metric_name(const M& metric) {
  if constexpr (requires { std::string(metric.name()); }) {
    return std::string(metric.name());
  } else if constexpr (requires { std::string(metric.name); }) {
    return std::string(metric.name);
  } else {
    std::string_view s = type_signature<M>();  // "... [with T = X; ...]" or "... [T = X]"
    s.remove_prefix(s.find("T = ") + 4);
    return snake_case(s.substr(0, s.find_first_of(";]")));
  }
}

}  // namespace situ::detail
