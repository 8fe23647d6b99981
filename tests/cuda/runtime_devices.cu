// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <situ/factories.hpp>
#include <situ/runtime/device_list.hpp>
#include <situ/runtime/settings.hpp>
#include <situ/runtime/with_device.hpp>
#include <situ/transfer.hpp>
#include <sstream>

#include "../tensor/throws.hpp"

// Cases that are skipped configure their process, or need another number of devices: CMakeLists.txt
// runs each of them alone.

using namespace situ;
using situ_test::message_of;
using situ_test::well_formed;

namespace {

int current_device() {
  int device = -1;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  return device;
}
int device_of_pointer(const void* p) {
  cudaPointerAttributes found;
  REQUIRE(cudaPointerGetAttributes(&found, p) == cudaSuccess);
  return found.device;
}

TEST_CASE("a device guard sets the device and restores the caller's, also after an exception") {
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  {
    const detail::DeviceGuard guard(0);
    CHECK(current_device() == 0);
    {
      const detail::DeviceGuard inner(1);
      CHECK(current_device() == 1);
    }
    CHECK(current_device() == 0);
  }
  CHECK(current_device() == 1);
  try {
    const detail::DeviceGuard guard(0);
    throw 1;
  } catch (int) {
  }
  CHECK(current_device() == 1);
  CHECK_THROWS_AS(detail::DeviceGuard(63), device_error);
  CHECK(current_device() == 1);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("everything that touches a device leaves the current device alone") {
  const Tensor<float, 2, Host> x({{1, 2, 3}, {4, 5, 6}});
  for (int current = 0; current < 2; ++current) {
    REQUIRE(cudaSetDevice(current) == cudaSuccess);
    {
      const auto s = Stream<Cuda<1>>::create();
      const auto a = to<Cuda<1>>(on(s), transpose(x));
      const auto b = to<Cuda<0>>(a);
      auto c = b;
      c = to<Cuda<0>>(transpose(b));
      const auto d = to<Host>(on(s), transpose(a));
      Stream<Cuda<0>>().wait(s);
      s.synchronize();
      CHECK(device_of_pointer(a.data()) == 1);
      CHECK(device_of_pointer(b.data()) == 0);
    }
    CHECK(current_device() == current);
  }
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("a missing device is an error that lists those present") {
  const std::string message = message_of([] { Tensor<float, 1, Cuda<63>> t(Shape<1>{{3}}); });
  CHECK(well_formed(message));
  CHECK(message.starts_with(
      "situ: there is no device Cuda<63>; use one of those present: Cuda<0> ("));
  CHECK(message.find("), Cuda<1> (") != std::string::npos);
  CHECK_THROWS_AS((void)Stream<Cuda<63>>::create(), cuda_error);
  for (int n : {-1, 64}) CHECK_THROWS_AS((void)memory_info(n), cuda_error);
  CHECK_THROWS_AS((void)to<Cuda<62>>(zeros<float, 1>({{3}})), cuda_error);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE(
    "a failing call is named with its device, CUDA's words and a cure, and is reported once") {
  const std::int64_t huge = std::int64_t{1} << 50;
  try {
    Tensor<float, 1, Cuda<1>> t(Shape<1>{{huge}});
    FAIL("there is no such memory");
  } catch (const cuda_error& e) {
    const std::string message = e.what();
    CHECK(well_formed(message));
    CHECK(message ==
          "situ: cudaMallocFromPoolAsync failed on Cuda<1>: out of memory "
          "(cudaErrorMemoryAllocation); free tensors, use smaller batches, or raise the limit with "
          "set_memory_limit");
    CHECK(e.code == static_cast<int>(cudaErrorMemoryAllocation));
    CHECK(e.device == 1);
  }
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(memory_info(1).in_use == 0);
  CHECK_THROWS_AS((void)pinned<char>(Shape<1>{{-1}}), shape_error);
}

TEST_CASE("every error has a cure") {
  for (int code = 1; code < 1000; ++code) {
    const auto error = static_cast<cudaError_t>(code);
    const std::string message = message_of([&] { detail::check_cuda(error, "cudaCall", -1); });
    REQUIRE(well_formed(message));
    REQUIRE(message.find(" on Cuda<") == std::string::npos);
  }
  CHECK(message_of([] { detail::check_cuda(cudaSuccess, "cudaCall", 0); }).empty());
}

TEST_CASE("an error that someone else left behind stays for them") {
  REQUIRE(cudaSetDevice(77) == cudaErrorInvalidDevice);
  const auto x = to<Cuda<0>>(Tensor<float, 1, Host>({1, 2, 3}));
  const auto y = to<Host>(to<Cuda<1>>(x.view().slice(0, 2, -100, -1)));
  CHECK(y(0) == 3);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  // One that concerns situ's own call is not taken for another's either.
  REQUIRE(cudaSetDevice(77) == cudaErrorInvalidDevice);
  CHECK_THROWS_AS(detail::check_cuda(cudaErrorInvalidValue, "cudaCall", 0), cuda_error);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

TEST_CASE("memory in use is counted for each device, and its peak") {
  reset_peak_memory(0);
  const MemoryInfo before = memory_info(Cuda<0>{});
  const std::uint64_t other = memory_info(1).in_use;
  {
    const Tensor<float, 1, Cuda<0>> a(Shape<1>{{1000}});
    CHECK(memory_info(0).in_use == before.in_use + 4000);
    { const auto b = a; }
    CHECK(memory_info(0).in_use == before.in_use + 4000);
    CHECK(memory_info(0).reserved >= memory_info(0).in_use);
  }
  CHECK(memory_info(0).in_use == before.in_use);
  CHECK(memory_info(0).peak == before.in_use + 8000);
  CHECK(memory_info(0).limit == 0);
  CHECK(memory_info(1).in_use == other);
  reset_peak_memory(0);
  CHECK(memory_info(0).peak == before.in_use);
  CHECK_NOTHROW(release_cached_memory(0));
  CHECK(to_string(MemoryInfo{1, 2, 3, 0}) ==
        "in use 1 bytes, peak 2 bytes, reserved 3 bytes, limit none");
}

TEST_CASE("devices are listed with the host first, and as a table") {
  const std::vector<DeviceInfo> devices = list_devices();
  REQUIRE(devices.size() >= 3);
  CHECK(devices[0].place == "Host");
  CHECK((devices[0].memory > 0 && devices[0].multiprocessors > 0));
  CHECK(devices[2].place == "Cuda<1>");
  CHECK(devices[2].number == 1);
  CHECK(devices[2].physical == 1);
  CHECK(devices[2].capability_major >= 7);
  CHECK(devices[2].multiprocessors > 0);
  std::ostringstream out;
  out << devices;
  CHECK(out.str() == to_string(devices));
  CHECK(out.str().find("Cuda<1>         1  " + devices[2].model) != std::string::npos);
}

TEST_CASE("a number at run time becomes a device") {
  const Tensor<float, 1, Host> x({1, 2, 3});
  for (int n = 0; n < 2; ++n) {
    const bool there = with_device(
        n, [&](auto device) { return device_of_pointer(to<decltype(device)>(x).data()) == n; });
    CHECK(there);
  }
  CHECK(with_device(7, []<int N>(Cuda<N>) { return N; }) == 7);
  CHECK(well_formed(message_of([] { with_device(8, [](auto) {}); })));
  CHECK_THROWS_AS(with_device(-1, [](auto) {}), argument_error);
}

TEST_CASE("configuring after the first use says so") {
  const Tensor<float, 1, Cuda<0>> x(Shape<1>{{3}});
  for (const std::string& message :
       {message_of([] { set_visible_devices({1}); }), message_of([] { set_memory_limit(0, 100); }),
        message_of([] { set_memory_growth(0, false); })}) {
    CHECK(well_formed(message));
    CHECK(message.find("in use already") != std::string::npos);
  }
  CHECK_THROWS_AS(set_visible_devices({1}), state_error);
}

TEST_CASE("visible devices: Cuda<0> can be any physical device" * doctest::skip()) {
  const std::size_t all = list_devices().size();  // looking is no use
  CHECK_THROWS_AS(set_visible_devices({static_cast<int>(all) - 1}), cuda_error);
  CHECK_THROWS_AS(set_visible_devices({-1}), cuda_error);
  CHECK_THROWS_AS(set_visible_devices({1, 1}), argument_error);
  set_visible_devices({1, 0});
  set_visible_devices({1});
  const auto devices = list_devices();
  REQUIRE(devices.size() == all);
  CHECK(devices[1].place == "Cuda<0>");
  CHECK(devices[1].physical == 1);
  CHECK(devices[2].place == "hidden");
  CHECK(devices[2].physical == 0);
  CHECK(devices[2].number == -1);
  const auto x = to<Cuda<0>>(Tensor<float, 1, Host>({1, 2, 3}));
  CHECK(device_of_pointer(x.data()) == 1);
  CHECK_NOTHROW(check_placement(x));
  CHECK(to<Host>(x)(2) == 3);
  const std::string message = message_of([] { (void)Stream<Cuda<1>>::create(); });
  CHECK(
      message.starts_with("situ: there is no device Cuda<1>; use one of those present: Cuda<0> ("));
  CHECK(message.find("Cuda<1> (") == std::string::npos);
  CHECK(current_device() == 0);
}

TEST_CASE("visible devices: two can change places" * doctest::skip()) {
  set_visible_devices({1, 0});
  const auto x = to<Cuda<0>>(Tensor<float, 1, Host>({1, 2, 3}));
  const auto y = to<Cuda<1>>(x);
  CHECK(device_of_pointer(x.data()) == 1);
  CHECK(device_of_pointer(y.data()) == 0);
  CHECK(to<Host>(y)(1) == 2);
}

TEST_CASE("visible devices: all can be hidden" * doctest::skip()) {
  set_visible_devices({});
  const std::string message = message_of([] { Tensor<float, 1, Cuda<0>> x(Shape<1>{{3}}); });
  CHECK(message ==
        "situ: there is no device Cuda<0>; set_visible_devices hides all that are present; name "
        "those to use");
}

TEST_CASE("memory: a limit holds and says what is in use" * doctest::skip()) {
  set_memory_limit(0, 10000);
  CHECK(memory_info(0).limit == 10000);
  Tensor<float, 1, Cuda<0>> x(Shape<1>{{2000}});
  const std::string message = message_of([] { Tensor<float, 1, Cuda<0>> y(Shape<1>{{501}}); });
  CHECK(message ==
        "situ: 2004 bytes on Cuda<0> would exceed its memory limit of 10000, of which 8000 are in "
        "use; free tensors, use smaller batches, or raise the limit with set_memory_limit");
  CHECK_NOTHROW((Tensor<float, 1, Cuda<0>>(Shape<1>{{500}})));
  CHECK_NOTHROW((Tensor<float, 1, Cuda<1>>(Shape<1>{{5000}})));
  x = Tensor<float, 1, Cuda<0>>();
  CHECK_NOTHROW((Tensor<float, 1, Cuda<0>>(Shape<1>{{2500}})));
  CHECK_THROWS_AS((Tensor<std::int64_t, 1, Cuda<0>>(Shape<1>{{std::int64_t{1} << 59}})),
                  cuda_error);
}

TEST_CASE("memory: without growth the limit is reserved at the first use" * doctest::skip()) {
  set_memory_growth(0, true);
  set_memory_growth(0, false);
  set_memory_limit(0, 1 << 20);
  const Tensor<float, 1, Cuda<0>> x(Shape<1>{{10}});
  CHECK(memory_info(0).in_use == 40);
  // The pool of an emulator gives back at once; on hardware the reservation is what remains.
  if (std::getenv("SITU_TEST_EMULATED") == nullptr) CHECK(memory_info(0).reserved >= 1 << 20);
  CHECK_THROWS_AS((Tensor<float, 1, Cuda<0>>(Shape<1>{{1 << 18}})), cuda_error);
}

TEST_CASE("memory: devices without pools give cudaMalloc's" * doctest::skip()) {
  detail::device_table().memory[0].ready = true;  // as if it had been found to have none
  const auto x = to<Cuda<0>>(Tensor<float, 1, Host>({1, 2, 3}));
  const auto y = x;
  CHECK(to<Host>(y)(2) == 3);
  CHECK(memory_info(0).in_use == 24);
  CHECK(memory_info(0).reserved == 24);
  CHECK_NOTHROW(release_cached_memory(0));
  const std::string message =
      message_of([] { Tensor<float, 1, Cuda<0>> t(Shape<1>{{std::int64_t{1} << 50}}); });
  CHECK(message.starts_with("situ: cudaMalloc failed on Cuda<0>: out of memory"));
}

TEST_CASE("without devices the host is the only one listed, and errors say why" * doctest::skip()) {
  CHECK(list_devices().size() == 1);
  CHECK_THROWS_AS(set_visible_devices({0}), cuda_error);
  const std::string message = message_of([] { Tensor<float, 1, Cuda<0>> x(Shape<1>{{3}}); });
  CHECK(well_formed(message));
  CHECK(message.starts_with("situ: there is no device Cuda<0>; the CUDA runtime sees no device ("));
  CHECK_THROWS_AS((void)pinned<float>(Shape<1>{{3}}), cuda_error);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

}  // namespace
