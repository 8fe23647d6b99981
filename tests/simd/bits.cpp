// SPDX-License-Identifier: Apache-2.0
// Every build, whatever its compiler and instruction set, must arrive at the numbers written here.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "situ/simd/load.hpp"
#include "situ/simd/math.hpp"

namespace {

namespace simd = situ::simd;
constexpr int N = simd::native_lanes;

// Bit patterns, most of which are ordinary numbers: half of them between 2^-20 and 2^10, since
// among all patterns nearly none has a logarithm or exponential of interest.
template <class T>
std::vector<T> inputs() {
  std::vector<T> xs;
  std::uint64_t state = 1;
  constexpr int digits = sizeof(T) == 4 ? 23 : 52;
  constexpr std::uint64_t bias = sizeof(T) == 4 ? 127 : 1023;
  for (int i = 0; i < 1 << 18; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::uint64_t bits = state ^ (state >> 29);
    if (i % 2 == 0) {
      const std::uint64_t exponent = bias - 20 + (state >> 40) % 30;
      const std::uint64_t mantissa = bits & ((std::uint64_t{1} << digits) - 1);
      const std::uint64_t sign = (bits >> 60) & 1;
      bits = (sign << (sizeof(T) * 8 - 1)) | (exponent << digits) | mantissa;
    }
    xs.push_back(simd::from_bits<T>(static_cast<simd::detail::bits_t<T>>(bits)));
  }
  return xs;
}

template <class T, class F>
std::uint64_t digest(const std::vector<T>& xs, F f) {
  std::uint64_t h = 1;
  for (std::size_t i = 0; i < xs.size(); i += static_cast<std::size_t>(N)) {
    const auto y = f(simd::load<N>(&xs[i]));
    for (int l = 0; l < N; ++l) {
      const T value = simd::lane(y, l);
      const std::uint64_t bits = std::isnan(value) ? 77 : simd::to_bits(value);
      h = (h ^ bits) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
  }
  return h;
}

template <class T>
struct Expected;
template <>
struct Expected<float> {
  static constexpr std::uint64_t exp = 4115196308571553868u;
  static constexpr std::uint64_t exp2 = 1585217336836858491u;
  static constexpr std::uint64_t expm1 = 13192961354752228974u;
  static constexpr std::uint64_t log = 12383585705466874377u;
  static constexpr std::uint64_t log1p = 9646733116070454659u;
  static constexpr std::uint64_t log2 = 6069137367289146268u;
  static constexpr std::uint64_t log10 = 17222231972088652456u;
  static constexpr std::uint64_t tanh = 11591916230831268792u;
  static constexpr std::uint64_t sigmoid = 10041750373273255321u;
  static constexpr std::uint64_t softplus = 11491239007973487222u;
};
template <>
struct Expected<double> {
  static constexpr std::uint64_t exp = 6069204796413684956u;
  static constexpr std::uint64_t exp2 = 18079486265747311614u;
  static constexpr std::uint64_t expm1 = 11818899712521477155u;
  static constexpr std::uint64_t log = 11104642390870138214u;
  static constexpr std::uint64_t log1p = 3557637796637487958u;
  static constexpr std::uint64_t log2 = 2938415708138232547u;
  static constexpr std::uint64_t log10 = 45428193893033687u;
  static constexpr std::uint64_t tanh = 12720912254476205473u;
  static constexpr std::uint64_t sigmoid = 10493236528952222485u;
  static constexpr std::uint64_t softplus = 2805271235238352523u;
};

}  // namespace

TEST_CASE_TEMPLATE("functions have the same bits in every build", T, float, double) {
  const auto xs = inputs<T>();
  using E = Expected<T>;
  CHECK(digest(xs, [](auto x) { return simd::exp(x); }) == E::exp);
  CHECK(digest(xs, [](auto x) { return simd::exp2(x); }) == E::exp2);
  CHECK(digest(xs, [](auto x) { return simd::expm1(x); }) == E::expm1);
  CHECK(digest(xs, [](auto x) { return simd::log(x); }) == E::log);
  CHECK(digest(xs, [](auto x) { return simd::log1p(x); }) == E::log1p);
  CHECK(digest(xs, [](auto x) { return simd::log2(x); }) == E::log2);
  CHECK(digest(xs, [](auto x) { return simd::log10(x); }) == E::log10);
  CHECK(digest(xs, [](auto x) { return simd::tanh(x); }) == E::tanh);
  CHECK(digest(xs, [](auto x) { return simd::sigmoid(x); }) == E::sigmoid);
  CHECK(digest(xs, [](auto x) { return simd::softplus(x); }) == E::softplus);
}
