// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "situ/runtime/device_table.hpp"

namespace situ {

struct DeviceInfo {
  std::string place;         // "Host", "Cuda<0>", or "hidden" for what is not visible
  int number = -1;           // the N of Cuda<N>, else -1
  int physical = -1;         // the number that CUDA knows it by, -1 for the host
  std::string model;         // as the device calls itself
  std::uint64_t memory = 0;  // bytes
  int capability_major = 0;  // of CUDA; 0.0 for the host
  int capability_minor = 0;
  int multiprocessors = 0;  // hardware threads on the host
};

// A table with a header line and one line for each device.
inline std::string to_string(const std::vector<DeviceInfo>& devices) {
  const auto padded = [](std::string s, std::size_t width, bool right = false) {
    const std::string gap(s.size() < width ? width - s.size() : 0, ' ');
    return right ? gap + s : s + gap;
  };
  std::size_t model = 5;
  for (const DeviceInfo& d : devices) model = d.model.size() > model ? d.model.size() : model;
  std::string table = "place    physical  " + padded("model", model);
  table += "  memory (MiB)  capability  multiprocessors\n";
  for (const DeviceInfo& d : devices) {
    const bool cuda = d.physical >= 0;
    std::string capability = std::to_string(d.capability_major);
    capability += '.';
    capability += std::to_string(d.capability_minor);
    table += padded(d.place, 9) + padded(cuda ? std::to_string(d.physical) : "-", 8, true) + "  ";
    table += padded(d.model, model) + "  ";
    table += padded(std::to_string(d.memory >> 20), 12, true) + "  ";
    table += padded(cuda ? capability : "-", 10, true) + "  ";
    table += padded(std::to_string(d.multiprocessors), 15, true) + "\n";
  }
  return table;
}
inline std::ostream& operator<<(std::ostream& out, const std::vector<DeviceInfo>& devices) {
  return out << to_string(devices);
}

namespace detail {

inline DeviceInfo host_info() {
  DeviceInfo host;
  host.place = "Host";
  host.model = "unknown";
  if (std::FILE* const cpu = std::fopen("/proc/cpuinfo", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, cpu) != nullptr) {
      const char* const colon = std::strstr(line, ": ");
      if (std::strncmp(line, "model name", 10) != 0 || colon == nullptr) continue;
      host.model = colon + 2;
      while (!host.model.empty() && host.model.back() == '\n') host.model.pop_back();
      break;
    }
    (void)std::fclose(cpu);
  }
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  if (pages > 0 && page > 0) {
    host.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  host.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
  return host;
}

}  // namespace detail

#if defined(__CUDACC__)
// The host, the visible devices in the order of their numbers, then the hidden ones. Looking is no
// use: set_visible_devices can still be called, and no memory of a device is taken. Throws
// cuda_error when CUDA fails; where there is no device or no driver, the host is the only one.
[[nodiscard]] inline std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices = {detail::host_info()};
  const std::vector<int> visible = detail::visible_devices();
  const int present = detail::count_devices();
  const auto add = [&](int physical, int number) {
    cudaDeviceProp properties;
    detail::check_cuda(cudaGetDeviceProperties(&properties, physical), "cudaGetDeviceProperties",
                       number);
    DeviceInfo d;
    d.place = number < 0 ? "hidden" : "Cuda<" + std::to_string(number) + ">";
    d.number = number;
    d.physical = physical;
    d.model = properties.name;
    d.memory = properties.totalGlobalMem;
    d.capability_major = properties.major;
    d.capability_minor = properties.minor;
    d.multiprocessors = properties.multiProcessorCount;
    devices.push_back(d);
  };
  for (std::size_t n = 0; n < visible.size(); ++n) add(visible[n], static_cast<int>(n));
  for (int p = 0; p < present; ++p) {
    bool shown = false;
    for (int v : visible) shown = shown || v == p;
    if (!shown) add(p, -1);
  }
  return devices;
}
#endif

}  // namespace situ
