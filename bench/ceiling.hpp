// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

// Timing beside the memory's own speed. The speed of a shared machine moves by the minute, so every variant is
// timed in turn with a plain read of the same bytes, in the same process, many rounds; what is quoted are
// medians and their ratios.
namespace bench {

struct Variant {
  std::string name;
  double elements;               // per call
  double bytes;                  // read per call; 0: no ceiling
  std::function<void()> call;
  std::vector<double> seconds{};
};

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

inline double time_of(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sums `bytes` bytes with `threads` threads and wide loads: the ceiling.
inline double read_all(const std::vector<float>& data, double bytes, int threads) {
  const auto count = std::min(data.size(), static_cast<std::size_t>(bytes / sizeof(float)));
  std::vector<float> sums(static_cast<std::size_t>(threads) * 64);
  const auto work = [&](std::size_t t) {
    const std::size_t share = count / static_cast<std::size_t>(threads) / 64 * 64;
    const float* p = data.data() + t * share;
    float lanes[64] = {};
    for (std::size_t i = 0; i + 64 <= share; i += 64) {
      for (std::size_t k = 0; k < 64; ++k) lanes[k] += p[i + k];
    }
    for (std::size_t k = 0; k < 64; ++k) sums[t * 64] += lanes[k];
  };
  std::vector<std::thread> team;
  for (int t = 1; t < threads; ++t) team.emplace_back(work, static_cast<std::size_t>(t));
  work(0);
  for (auto& t : team) t.join();
  double total = 0;
  for (float s : sums) total += static_cast<double>(s);
  return total;
}

// Prints a row for each variant: ns per element and, where bytes are given, the share of the ceiling.
inline void run(const std::string& title, std::vector<Variant> variants, const std::vector<float>& data,
                int threads, int rounds = 9) {
  std::vector<std::vector<double>> ceiling(variants.size());
  double sink = 0;
  for (auto& v : variants) v.call();  // warm
  for (int r = 0; r < rounds; ++r) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const double bytes = variants[i].bytes;
      double before = 0;
      if (bytes > 0) before = time_of([&] { sink += read_all(data, bytes, threads); });
      variants[i].seconds.push_back(time_of(variants[i].call));
      if (bytes > 0) {
        const double after = time_of([&] { sink += read_all(data, bytes, threads); });
        ceiling[i].push_back(std::min(before, after));
      }
    }
  }
  std::printf("\n%s (%d thread%s; medians of %d)\n", title.c_str(), threads, threads == 1 ? "" : "s", rounds);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const double t = median(variants[i].seconds);
    std::printf("  %-44s %9.4f ns per element and thread", variants[i].name.c_str(),
                t / variants[i].elements * 1e9 * threads);
    if (variants[i].bytes > 0) {
      std::printf("   %5.2f of the ceiling (%.1f GB/s)", median(ceiling[i]) / t,
                  variants[i].bytes / median(ceiling[i]) / 1e9);
    }
    std::printf("\n");
  }
  if (sink == 12345.0) std::printf("\n");  // keeps the reads alive
}

}  // namespace bench
