// SPDX-License-Identifier: Apache-2.0
// Which devices there are, and how to choose among them and their memory before the first use.
#include <iostream>
#include <situ/situ.hpp>

using namespace situ;

int main() {
  const std::vector<DeviceInfo> devices = list_devices();
  std::cout << devices;

  // The last device alone, as Cuda<0>, with at most 64 MiB.
  const int last = devices.back().physical;
  if (last < 0) return 0;  // only the host
  set_visible_devices({last});
  set_memory_limit(0, 64 << 20);
  std::cout << "\nwith set_visible_devices({" << last << "}):\n" << list_devices();

  // From a number known at run time to a type.
  with_device(0, [](auto device) {
    const auto x = to<decltype(device)>(Tensor<float, 2, Host>({{1, 2, 3}, {4, 5, 6}}));
    std::cout << "\nmemory of Cuda<0>: " << to_string(memory_info(device)) << "\n";
  });

  // Configuring comes too late now, and what is not there is named.
  try {
    set_memory_limit(0, 128 << 20);
  } catch (const state_error& e) {
    std::cout << e.what() << "\n";
  }
  try {
    Tensor<float, 1, Cuda<7>> missing(Shape<1>{{10}});
  } catch (const cuda_error& e) {
    std::cout << e.what() << "\n";
  }
}
