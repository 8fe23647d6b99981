// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>

#include "situ/metric/name.hpp"
#include "situ/metric/slot.hpp"

// The envelope of saved states: magic, version, a fingerprint of the metrics, the length of the body and
// a checksum, so that a stranger's, an outdated or a damaged file is refused instead of believed.
namespace situ::detail {

inline constexpr unsigned char saved_magic[4] = {'S', 'I', 'T', 'U'};
inline constexpr std::uint32_t saved_version = 2;

// FNV-1a, 64 bits: not against forgery, but any flipped or missing byte changes it.
inline std::uint64_t fingerprint(const unsigned char* p, std::size_t n) {
  std::uint64_t h = 14695981039346656037ull;
  for (std::size_t i = 0; i < n; ++i) h = (h ^ p[i]) * 1099511628211ull;
  return h;
}
inline std::uint64_t fingerprint(const std::string& s) {
  return fingerprint(reinterpret_cast<const unsigned char*>(s.data()), s.size());
}

inline std::vector<unsigned char> seal(const std::string& signature, const Bytes& body) {
  Bytes out;
  put(out, saved_magic, 4);
  put(out, &saved_version, 1);
  const std::uint64_t numbers[] = {fingerprint(signature), body.size(),
                                   fingerprint(body)};
  put(out, numbers, 3);
  put(out, body.data(), body.size());
  return {out.begin(), out.end()};
}

inline std::span<const unsigned char> unseal(const std::string& signature,
                                             std::span<const unsigned char> bytes) {
  Reader in{bytes};
  unsigned char magic[4];
  std::uint32_t version = 0;
  in.take(magic, 4);
  if (std::memcmp(magic, saved_magic, 4) != 0) {
    throw format_error("situ: these bytes are not a saved metric state; give what save() returned");
  }
  in.take(&version, 1);
  if (version != saved_version) {
    throw format_error("situ: the saved state has version " + std::to_string(version) +
                       ", this library reads version " + std::to_string(saved_version) +
                       "; save it again with the same version of the library");
  }
  std::uint64_t numbers[3];
  in.take(numbers, 3);
  if (numbers[0] != fingerprint(signature)) {
    throw format_error(
        "situ: the saved state belongs to other metrics; load it into metrics made like those that "
        "saved it, options included");
  }
  if (numbers[1] != in.left.size() ||
      numbers[2] != fingerprint(in.left.data(), in.left.size())) {
    throw format_error("situ: the saved state is damaged or incomplete; save it again");
  }
  return in.left;
}

// Pointers to all slots of all metrics, one after the other.
template <class... Ss>
auto pointers(Tuple<Ss...>& t) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::tuple{&get<I>(t)...};
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
}
template <class... Ts>
auto slot_pointers(std::tuple<Ts...>& slots) {
  return std::apply([](auto&... t) { return std::tuple_cat(pointers(t)...); }, slots);
}

}  // namespace situ::detail
