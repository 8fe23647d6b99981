// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "situ/tensor.hpp"

// Random tensors from a seed. The generator is Philox4x32-10 (Salmon et al., 2011), which turns a
// position and a seed into random bits without a state: element i depends on the seed and on i
// alone, whatever the shape, the compiler, the standard library or the number of threads.
namespace situ {

namespace detail {

struct RandomBits {
  std::uint64_t a;
  std::uint64_t b;
};

SITU_HD inline RandomBits philox(std::uint64_t seed, std::uint64_t position) {
  std::uint32_t x[4] = {static_cast<std::uint32_t>(position),
                        static_cast<std::uint32_t>(position >> 32), 0, 0};
  std::uint32_t key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53u} * x[0];
    const std::uint64_t q = std::uint64_t{0xCD9E8D57u} * x[2];
    const std::uint32_t next0 = static_cast<std::uint32_t>(q >> 32) ^ x[1] ^ key[0];
    const std::uint32_t next2 = static_cast<std::uint32_t>(p >> 32) ^ x[3] ^ key[1];
    x[0] = next0;
    x[1] = static_cast<std::uint32_t>(q);
    x[2] = next2;
    x[3] = static_cast<std::uint32_t>(p);
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return {(static_cast<std::uint64_t>(x[1]) << 32) | x[0],
          (static_cast<std::uint64_t>(x[3]) << 32) | x[2]};
}

// In [0, 1), a multiple of 2^-53.
SITU_HD inline double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

template <class T, int R, class Draw>
Tensor<T, R, Host> random_tensor(const Shape<R>& shape, Draw draw) {
  Tensor<T, R, Host> t(shape, uninitialized);
  const std::int64_t n = t.size();
  for (std::int64_t i = 0; i < n; ++i) t.data()[i] = draw(static_cast<std::uint64_t>(i));
  return t;
}

}  // namespace detail

// Uniform in [low, high): random_uniform<float, 2>({3, 4}, seed). The unit interval never gives 1;
// elsewhere rounding to T may give `high`.
template <floating_element T, int R>
[[nodiscard]] Tensor<T, R, Host> random_uniform(const Shape<R>& shape, std::uint64_t seed,
                                                double low = 0, double high = 1) {
  if (!(low < high) || !std::isfinite(high - low)) {
    throw argument_error("situ: uniform random numbers need finite bounds low < high");
  }
  return detail::random_tensor<T, R>(shape, [=](std::uint64_t i) {
    // Cut to the bits of T, so that rounding has nothing to do in the unit interval.
    constexpr double scale =
        sizeof(T) == 8 ? 0x1p53
                       : (sizeof(T) == 4 ? 0x1p24 : (std::is_same_v<T, float16> ? 0x1p11 : 0x1p8));
    const double u = std::floor(detail::unit_interval(detail::philox(seed, i).a) * scale) / scale;
    return cast_value<T>(low + (high - low) * u);
  });
}

// Normal with the given mean and standard deviation (Box and Muller). Uniform numbers are the same
// everywhere; these may differ in the last bits where std::log and std::cos do.
template <floating_element T, int R>
[[nodiscard]] Tensor<T, R, Host> random_normal(const Shape<R>& shape, std::uint64_t seed,
                                               double mean = 0, double deviation = 1) {
  if (!(deviation >= 0) || !std::isfinite(mean) || !std::isfinite(deviation)) {
    throw argument_error(
        "situ: normal random numbers need a finite mean and a deviation of 0 or more");
  }
  return detail::random_tensor<T, R>(shape, [=](std::uint64_t i) {
    const auto bits = detail::philox(seed, i);
    const double u = 1.0 - detail::unit_interval(bits.a);  // in (0, 1]
    const double angle = 6.283185307179586 * detail::unit_interval(bits.b);
    return cast_value<T>(mean + deviation * std::sqrt(-2.0 * std::log(u)) * std::cos(angle));
  });
}

// Integers from low up to but not including high, all equally likely.
template <element T, int R>
  requires std::is_integral_v<T>
[[nodiscard]] Tensor<T, R, Host> random_integers(const Shape<R>& shape, std::uint64_t seed,
                                                 std::int64_t low, std::int64_t high) {
  if (low >= high || cast_value<std::int64_t>(cast_value<T>(low)) != low ||
      cast_value<std::int64_t>(cast_value<T>(high - 1)) != high - 1) {
    throw argument_error(std::string("situ: random integers from ") + std::to_string(low) +
                         " up to " + std::to_string(high) + " do not fit in " + dtype_name<T>() +
                         "; need low < high within its range");
  }
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return detail::random_tensor<T, R>(shape, [=](std::uint64_t i) {
    // The remainder of 64 random bits; those that would favour small remainders are drawn again,
    // from the same position under another seed.
    const std::uint64_t unfair = (0 - range) % range;
    std::uint64_t bits = detail::philox(seed, i).a;
    for (std::uint64_t again = 1; bits < unfair; ++again) {
      bits = detail::philox(seed + again * 0x9E3779B97F4A7C15u, i).b;
    }
    return static_cast<T>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits % range));
  });
}

}  // namespace situ
