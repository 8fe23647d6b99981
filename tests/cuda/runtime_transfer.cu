// SPDX-License-Identifier: Apache-2.0
// What debug builds check is tested too.
#undef NDEBUG
#include <doctest/doctest.h>

#include <cstring>
#include <situ/factories.hpp>
#include <situ/transfer.hpp>

#include "../tensor/throws.hpp"

using namespace situ;
using situ_test::message_of;
using situ_test::well_formed;

namespace {

// Elements with all kinds of bits; distinct where the type has enough values.
template <class T, int R>
Tensor<T, R, Host> patterned(const Shape<R>& shape) {
  Tensor<T, R, Host> t(shape, uninitialized);
  std::uint64_t bits = 0x9e3779b97f4a7c15u;
  for (std::int64_t i = 0; i < t.size(); ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t word = std::is_same_v<T, bool> ? bits >> 63 : bits >> 11;
    std::memcpy(static_cast<void*>(t.data() + i), &word, sizeof(T));
  }
  return t;
}
template <class T, int R>
bool same_bits(const Tensor<T, R, Host>& a, const Tensor<T, R, Host>& b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}
// Every route that two devices allow, with one element type.
template <class T>
void check_routes(const Shape<3>& shape) {
  const Tensor<T, 3, Host> x = patterned<T>(shape);
  const auto on0 = to<Cuda<0>>(x);
  const auto on1 = to<Cuda<1>>(x);
  CHECK(same_bits(to<Host>(on0), x));
  CHECK(same_bits(to<Host>(on1), x));
  CHECK(same_bits(to<Host>(to<Cuda<1>>(on0)), x));
  CHECK(same_bits(to<Host>(to<Cuda<0>>(on1)), x));
  CHECK(same_bits(to<Host>(to<Cuda<0>>(on0)), x));

  const auto s0 = Stream<Cuda<0>>::create();
  const auto s1 = Stream<Cuda<1>>::create();
  const auto a = to<Cuda<0>>(on(s0), x);
  const auto b = to<Cuda<1>>(on(s0), a);  // on the source's stream
  s1.wait(s0);
  const auto c = to<Cuda<0>>(on(s1), b);  // on the source's stream again
  const auto d = to<Cuda<1>>(on(s1), a);  // on the destination's
  const auto e = to<Host>(on(s1), d);
  s1.synchronize();
  CHECK(same_bits(to<Host>(b), x));
  CHECK(same_bits(to<Host>(c), x));
  CHECK(same_bits(e, x));
}

// Views of `shape` that are no contiguous elements.
template <class T, class Check>
void for_strided_views(const View<T, 3, Host>& host, const View<T, 3, Cuda<1>>& device,
                       Check check) {
  check(transpose(host), transpose(device));
  check(permute(host, {1, 0, 2}), permute(device, {1, 0, 2}));
  check(host.slice(2, 1, 4), device.slice(2, 1, 4));
  check(host.slice(0, 0, 1000, 2), device.slice(0, 0, 1000, 2));
  check(host.slice(1, 3, -1000, -1), device.slice(1, 3, -1000, -1));
  check(host.select(2, 3), device.select(2, 3));
  check(host.select(1, 0), device.select(1, 0));
}

TEST_CASE_TEMPLATE_DEFINE("values of every element type survive every route", T, every_type) {
  check_routes<T>({{3, 5, 7}});
  check_routes<T>({{1, 1, 1}});
  check_routes<T>({{2, 0, 4}});
}
TEST_CASE_TEMPLATE_INVOKE(every_type, bool, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t,
                          float16, bfloat16, float, double);

TEST_CASE("scalars and one long axis survive too") {
  Tensor<double, 0, Host> scalar(Shape<0>{}, 2.5);
  CHECK(same_bits(to<Host>(to<Cuda<1>>(to<Cuda<0>>(scalar))), scalar));
  const auto line = patterned<std::int16_t>(Shape<1>{{100003}});
  CHECK(same_bits(to<Host>(to<Cuda<1>>(to<Cuda<0>>(line))), line));
}

TEST_CASE("strided views are packed where they are") {
  Tensor<float, 3, Host> x = patterned<float>(Shape<3>{{5, 4, 6}});
  Tensor<float, 3, Cuda<1>> y = to<Cuda<1>>(x);
  for_strided_views(x.view(), y.view(), [&](const auto& host, const auto& device) {
    const auto expected = to<Host>(host);
    CHECK(same_bits(to<Host>(device), expected));
    CHECK(same_bits(to<Host>(to<Cuda<1>>(host)), expected));
    CHECK(same_bits(to<Host>(to<Cuda<1>>(device)), expected));
    CHECK(same_bits(to<Host>(to<Cuda<0>>(device)), expected));
    const auto source = Stream<Cuda<1>>::create();
    const auto target = Stream<Cuda<0>>::create();
    const auto a = to<Cuda<0>>(on(source), device);
    const auto b = to<Cuda<0>>(on(target), device);
    const auto c = to<Host>(on(source), device);
    source.synchronize();
    target.synchronize();
    CHECK(same_bits(to<Host>(a), expected));
    CHECK(same_bits(to<Host>(b), expected));
    CHECK(same_bits(c, expected));
  });
}

TEST_CASE("strided elements of every size are packed") {
  const auto check = [](const auto& x) {
    const auto y = to<Cuda<0>>(x);
    CHECK(same_bits(to<Host>(transpose(y)), to<Host>(transpose(x))));
    CHECK(same_bits(to<Host>(evaluate_now(transpose(y))), evaluate_now(transpose(x))));
  };
  check(patterned<bool>(Shape<2>{{3, 700}}));
  check(patterned<bfloat16>(Shape<2>{{3, 700}}));
  check(patterned<std::int32_t>(Shape<2>{{3, 700}}));
  check(patterned<double>(Shape<2>{{3, 700}}));
}

TEST_CASE("broadcast views become elements") {
  const auto row = patterned<float>(Shape<1>{{6}});
  const auto there = to<Cuda<0>>(row);
  const auto expected = to<Host>(broadcast_to(row, Shape<2>{{4, 6}}));
  CHECK(same_bits(to<Host>(broadcast_to(there, Shape<2>{{4, 6}})), expected));
}

TEST_CASE("a transfer fills memory that exists, whatever its layout") {
  Tensor<float, 3, Host> x = patterned<float>(Shape<3>{{5, 4, 6}});
  const auto zeros3 = zeros<float, 3>({{5, 4, 6}});
  Tensor<float, 3, Cuda<1>> y = to<Cuda<1>>(zeros3);
  Tensor<float, 3, Host> z = zeros3;
  Tensor<float, 3, Cuda<0>> other = to<Cuda<0>>(x);
  for_strided_views(z.view(), y.view(), [&](const auto& host, const auto& device) {
    using V = std::remove_cvref_t<decltype(host)>;
    const auto values = patterned<float>(host.shape());
    const Tensor<float, V::rank, Cuda<0>> elsewhere = to<Cuda<0>>(values);
    const Tensor<float, V::rank, Cuda<1>> here = to<Cuda<1>>(values);
    const auto s0 = Stream<Cuda<0>>::create();
    const auto s1 = Stream<Cuda<1>>::create();
    const auto filled = [&](auto fill) {
      transfer(y, zeros3);
      fill();
      CHECK(same_bits(to<Host>(device), values));
      // Nothing else was written.
      transfer(z, zeros3);
      detail::copy_elements(host, View<const float, V::rank, Host>(values.view()));
      CHECK(same_bits(to<Host>(y), z));
    };
    filled([&] { transfer(device, values); });
    filled([&] { transfer(device, here); });
    filled([&] { transfer(device, elsewhere); });
    filled([&] { transfer(on(s1), device, values), s1.synchronize(); });
    filled([&] { transfer(on(s1), device, elsewhere), s1.synchronize(); });
    filled([&] { transfer(on(s0), device, elsewhere), s0.synchronize(); });
    transfer(z, zeros3);
    transfer(host, elsewhere);
    CHECK(same_bits(to<Host>(host), values));
    CHECK(well_formed(message_of([&] { transfer(on(s0), host, elsewhere); })));
  });
  CHECK_THROWS_AS(transfer(y, zeros<float, 3>({{5, 4, 7}})), shape_error);
}

TEST_CASE("expressions on the host are evaluated before they are sent") {
  const Tensor<float, 1, Host> x({1, 2, 3});
  const auto s = Stream<Cuda<0>>::create();
  const auto sum = to<Cuda<0>>(on(s), x + x);
  s.synchronize();
  CHECK(same_bits(to<Host>(sum), Tensor<float, 1, Host>({2, 4, 6})));
  CHECK(same_bits(to<Host>(to<Cuda<1>>(x * x)), Tensor<float, 1, Host>({1, 4, 9})));
}

TEST_CASE("tensors on a device start as zeros, are copied and moved") {
  const Tensor<std::int32_t, 2, Cuda<1>> zero(Shape<2>{{30, 50}});
  CHECK(same_bits(to<Host>(zero), zeros<std::int32_t, 2>({{30, 50}})));
  const auto x = patterned<float>(Shape<2>{{3, 4}});
  auto a = to<Cuda<1>>(x);
  const float* const place = a.data();
  CHECK(reinterpret_cast<std::uintptr_t>(place) % 256 == 0);
  auto b = a;
  CHECK(b.data() != place);
  const auto c = std::move(a);
  CHECK(c.data() == place);
  CHECK(a.data() == nullptr);
  CHECK(same_bits(to<Host>(b), x));
  b = Tensor<float, 2, Cuda<1>>(Shape<2>{{1, 1}});
  CHECK(same_bits(to<Host>(b), zeros<float, 2>({{1, 1}})));
  CHECK(same_bits(to<Host>(c), x));
}

TEST_CASE("a copy of a tensor that was made on a stream comes after the work there") {
  const auto x = patterned<float>(Shape<1>{{100}});
  Tensor<float, 1, Cuda<0>> copy;
  {
    const auto s = Stream<Cuda<0>>::create();
    const auto made = to<Cuda<0>>(on(s), x);
    copy = made;
  }
  CHECK(same_bits(to<Host>(copy), x));
}

TEST_CASE("a tensor outlives the stream that it was made on") {
  const auto x = patterned<float>(Shape<1>{{100}});
  Tensor<float, 1, Cuda<0>> made;
  {
    const auto s = Stream<Cuda<0>>::create();
    made = to<Cuda<0>>(on(s), x);
  }
  CHECK(same_bits(to<Host>(made), x));
}

TEST_CASE("streams are handles; those that are made do not wait for the default stream") {
  const auto s = Stream<Cuda<1>>::create();
  const auto copy = s;
  CHECK(copy == s);
  CHECK(s.get() != nullptr);
  unsigned int flags = 0;
  REQUIRE(cudaStreamGetFlags(s.get(), &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(Stream<Cuda<1>>().get() == nullptr);

  cudaStream_t foreign = nullptr;
  REQUIRE(cudaStreamCreate(&foreign) == cudaSuccess);
  {
    const Stream<Cuda<0>> borrowed(foreign);
    CHECK(borrowed.get() == foreign);
    cudaEvent_t event = nullptr;
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventRecord(event, foreign) == cudaSuccess);
    s.wait(event);
    borrowed.wait(s);
    borrowed.synchronize();
    CHECK(cudaEventDestroy(event) == cudaSuccess);
  }
  CHECK(cudaStreamDestroy(foreign) == cudaSuccess);  // still there
}

TEST_CASE("pinned tensors are page-locked, zero, and copied to ordinary memory") {
  auto p = pinned<float>(Shape<2>{{3, 4}});
  CHECK(same_bits(p, zeros<float, 2>({{3, 4}})));
  cudaPointerAttributes found;
  REQUIRE(cudaPointerGetAttributes(&found, p.data()) == cudaSuccess);
  CHECK(found.type == cudaMemoryTypeHost);
  p(1, 2) = 5;
  const auto copy = p;
  REQUIRE(cudaPointerGetAttributes(&found, copy.data()) == cudaSuccess);
  CHECK(found.type == cudaMemoryTypeUnregistered);
  const auto s = Stream<Cuda<1>>::create();
  const auto there = to<Cuda<1>>(on(s), p);
  auto back = pinned<float>(Shape<2>{{3, 4}});
  transfer(on(s), back, there);
  s.synchronize();
  CHECK(same_bits(back, copy));
  CHECK(pinned<float>(Shape<1>{{0}}).size() == 0);
}

TEST_CASE("a view whose pointer is on another device is refused before anything is copied") {
  Tensor<float, 1, Host> x({1, 2, 3});
  auto on0 = to<Cuda<0>>(x);
  const View<float, 1, Cuda<1>> wrong_device(on0.data(), on0.shape());
  const View<float, 1, Cuda<0>> wrong_host(x.data(), x.shape());
  const View<float, 1, Host> wrong_cuda(on0.data(), on0.shape());
  const std::string message = message_of([&] { check_placement(wrong_device); });
  CHECK(message ==
        "situ: a view on Cuda<1> points to memory of physical device 0; name the device of the "
        "memory "
        "in the view's type, or copy with to<Device>(x)");
  CHECK_THROWS_AS(check_placement(wrong_host), device_error);
  CHECK_THROWS_AS(check_placement(wrong_cuda), device_error);
  CHECK_NOTHROW(check_placement(on0));
  CHECK_NOTHROW(check_placement(x));
  CHECK_NOTHROW(check_placement(View<float, 1, Cuda<1>>()));
  // In units without NDEBUG transfers ask too.
  CHECK_THROWS_AS((void)to<Host>(wrong_device), device_error);
  CHECK_THROWS_AS((void)to<Cuda<0>>(wrong_host), device_error);
  CHECK_THROWS_AS(transfer(wrong_device, x), device_error);
  // Managed memory is of every device.
  float* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 12) == cudaSuccess);
  CHECK_NOTHROW(check_placement(View<float, 1, Cuda<1>>(managed, Shape<1>{{3}})));
  CHECK_NOTHROW(check_placement(View<float, 1, Host>(managed, Shape<1>{{3}})));
  CHECK(cudaFree(managed) == cudaSuccess);
}

}  // namespace
