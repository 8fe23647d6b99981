// SPDX-License-Identifier: Apache-2.0
#include <situ/device.hpp>
#include <type_traits>

namespace {

struct OnHost {
  using device_type = situ::Host;
};
struct OnFirst {
  using device_type = situ::Cuda<0>;
};
struct OnSecond {
  using device_type = situ::Cuda<1>;
};
struct Odd {
  using device_type = float;
};

// Host and the CUDA devices are the places, and nothing else is.
static_assert(situ::device<situ::Host> && situ::device<situ::Cuda<0>> &&
              situ::device<situ::Cuda<7>>);
static_assert(!situ::device<int> && !situ::device<OnHost>);

// A thing is placed when it names a place.
static_assert(situ::placed<OnHost> && situ::placed<const OnFirst&>);
static_assert(!situ::placed<int> && !situ::placed<Odd>);
static_assert(std::is_same_v<situ::device_of<const OnSecond&>, situ::Cuda<1>>);

// Two CUDA devices are as different as host and device.
static_assert(situ::same_device<OnFirst, const OnFirst&>);
static_assert(!situ::same_device<OnFirst, OnSecond>);
static_assert(!situ::same_device<OnHost, OnFirst>);
static_assert(situ::on_different_devices<OnFirst, OnSecond>);

// A number lives nowhere: neither on the same device nor on a different one.
static_assert(!situ::same_device<OnHost, float> && !situ::on_different_devices<OnHost, float>);

static_assert(situ::placed_on<situ::Host, OnHost> && !situ::placed_on<situ::Host, OnFirst>);
static_assert(!situ::placed_on<situ::Host, int>);

// The tags hold nothing, so that they cost nothing where a type carries them.
static_assert(std::is_empty_v<situ::Host> && std::is_empty_v<situ::Cuda<3>>);

}  // namespace
