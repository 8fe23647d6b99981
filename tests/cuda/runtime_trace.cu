// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <situ/runtime/nvtx.hpp>
#include <situ/runtime/settings.hpp>
#include <situ/runtime/trace_table.hpp>
#include <situ/transfer.hpp>
#include <sstream>
#include <thread>

using namespace situ;

namespace {

// Keeps what it is told, in the order of the ends.
struct Recorder : TraceHook {
  std::vector<TraceEvent> events;
  std::vector<double> times;
  int open = 0;
  int deepest = 0;

  void begin(const TraceEvent&) override { deepest = std::max(deepest, ++open); }
  void end(const TraceEvent& e) override {
    --open;
    events.push_back(e);
  }
  void timed(const TraceEvent&, double milliseconds) override { times.push_back(milliseconds); }

  std::string words() const {
    std::string all;
    for (const TraceEvent& e : events) {
      all += to_string(e.kind);
      all += " ";
      all += e.name;
      all += "\n";
    }
    return all;
  }
  std::vector<TraceEvent> of(TraceKind kind) const {
    std::vector<TraceEvent> some;
    for (const TraceEvent& e : events) {
      if (e.kind == kind) some.push_back(e);
    }
    return some;
  }
};

Tensor<float, 2, Host> example() { return {{1, 2, 3}, {4, 5, 6}}; }

TEST_CASE("without a hook nothing is told, and a scope takes its hook away again") {
  Recorder recorder;
  (void)to<Cuda<0>>(example());
  {
    const TraceScope watch(recorder);
    CHECK(recorder.events.empty());
  }
  (void)to<Cuda<0>>(example());
  CHECK(recorder.events.empty());
  CHECK(set_trace_hook(nullptr) == nullptr);
}

TEST_CASE("a transfer that waits is an allocation, a copy and a wait") {
  const auto x = example();
  Recorder recorder;
  {
    const TraceScope watch(recorder);
    (void)to<Cuda<1>>(x);
  }
  CHECK(recorder.words() ==
        "allocate pool\ntransfer Host to Cuda<1>\nwait cudaStreamSynchronize\nrelease pool\n");
  const TraceEvent& copy = recorder.events[1];
  CHECK(copy.device == 1);
  CHECK(copy.bytes_read == 24);
  CHECK(copy.bytes_written == 24);
  CHECK_FALSE(copy.async);
  CHECK(copy.milliseconds >= 0);
  CHECK(recorder.events[0].bytes_written == 24);
  CHECK(recorder.events[3].bytes_written == 24);
  CHECK(recorder.open == 0);
  CHECK(recorder.times.empty());
}

TEST_CASE("a transfer on a stream does not wait, and names its stream") {
  const auto x = example();
  const auto s = Stream<Cuda<0>>::create();
  auto target = pinned<float>(x.shape());
  Recorder recorder;
  {
    const TraceScope watch(recorder);
    const auto y = to<Cuda<0>>(on(s), x);
    transfer(on(s), target, y);
  }
  s.synchronize();
  CHECK(target(1, 2) == 6);
  CHECK(recorder.of(TraceKind::wait).empty());
  const auto copies = recorder.of(TraceKind::transfer);
  REQUIRE(copies.size() == 2);
  for (const TraceEvent& e : copies) {
    CHECK(e.async);
    CHECK(e.stream == s.get());
  }
  CHECK(copies[1].name == "Cuda<0> to Host");
}

TEST_CASE("kernels, peer copies, zeros and page-locked memory are told") {
  const auto x = to<Cuda<0>>(example());
  Recorder recorder;
  {
    const TraceScope watch(recorder);
    (void)to<Cuda<1>>(transpose(x));
    (void)Tensor<double, 1, Cuda<1>>(Shape<1>{{10}});
    (void)pinned<float>(Shape<1>{{10}});
  }
  const auto launches = recorder.of(TraceKind::launch);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].name == "strided copy");
  CHECK(launches[0].device == 0);
  CHECK(launches[0].bytes_read == 24);
  CHECK(recorder.words().find("transfer Cuda<0> to Cuda<1>\n") != std::string::npos);
  const auto clears = recorder.of(TraceKind::clear);
  REQUIRE(clears.size() == 1);
  CHECK(clears[0].bytes_written == 80);
  CHECK(recorder.words().find("allocate page-locked\nrelease page-locked\n") != std::string::npos);
}

TEST_CASE("what throws is told as failed") {
  Recorder recorder;
  {
    const TraceScope watch(recorder);
    const Shape<1> huge{{std::int64_t{1} << 50}};
    CHECK_THROWS_AS((Tensor<float, 1, Cuda<0>>(huge)), cuda_error);
  }
  REQUIRE(recorder.events.size() == 1);
  CHECK(recorder.events[0].failed);
  TraceTable table;
  table.end(recorder.events[0]);
  CHECK(table.lines().empty());
}

TEST_CASE("times on the device come with the next wait, the rest when they are asked for") {
  const auto x = example();
  const auto s = Stream<Cuda<1>>::create();
  Recorder recorder;
  recorder.time_on_device = true;
  const TraceScope watch(recorder);
  auto y = to<Cuda<1>>(on(s), x);
  const auto z = to<Cuda<1>>(on(s), transpose(y));
  CHECK(recorder.times.empty());
  Stream<Cuda<0>>().synchronize();  // another stream says nothing about this one
  CHECK(recorder.times.empty());
  s.synchronize();
  CHECK(recorder.times.size() == 2);
  transfer(on(s), y, x);
  finish_timings();
  CHECK(recorder.times.size() == 3);
  for (double t : recorder.times) CHECK(t >= 0);
}

TEST_CASE("a captured launch is told but not timed, and the graph runs it") {
  const auto x = to<Cuda<0>>(example());
  Tensor<float, 2, Cuda<0>> y(Shape<2>{{3, 2}});
  const auto s = Stream<Cuda<0>>::create();
  Stream<Cuda<0>>().synchronize();
  Recorder recorder;
  recorder.time_on_device = true;
  const TraceScope watch(recorder);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
  transfer(on(s), y, transpose(x));
  REQUIRE(cudaStreamEndCapture(s.get(), &graph) == cudaSuccess);
  CHECK(recorder.words() == "launch strided copy\n");
  cudaGraphExec_t replay = nullptr;
  REQUIRE(cudaGraphInstantiate(&replay, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(replay, s.get()) == cudaSuccess);
  s.synchronize();
  CHECK(recorder.times.empty());
  CHECK(to<Host>(y)(2, 1) == 6);
  CHECK(cudaGraphExecDestroy(replay) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("the table counts and adds, and prints a line for each place and name") {
  TraceTable table;
  TraceEvent e{TraceKind::launch, "update", 1, 1000000, 500, true, nullptr, 2.0, false};
  table.end(e);
  table.end(e);
  table.timed(e, 3.5);
  e.kind = TraceKind::wait;
  e.milliseconds = 1;
  table.end(e);
  const auto lines = table.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].count == 2);
  CHECK(lines[0].bytes_read == 2000000);
  CHECK(lines[0].bytes_written == 1000);
  CHECK(lines[0].host_milliseconds == 4.0);
  CHECK(lines[0].device_milliseconds == 3.5);
  std::ostringstream out;
  out << table;
  CHECK(
      out.str() ==
      "what      where    name       count      MB read   MB written      host ms    device ms\n"
      "launch    Cuda<1>  update         2        2.000        0.001        4.000        3.500\n"
      "wait      Cuda<1>  update         1        1.000        0.001        1.000        0.000\n");
  table.clear();
  CHECK(table.lines().empty());
}

TEST_CASE("threads allocate, transfer and release at the same time, watched") {
  TraceTable table;
  const TraceScope watch(table);
  const std::uint64_t before[] = {memory_info(0).in_use, memory_info(1).in_use};
  std::atomic<int> good{0};
  std::vector<std::thread> team;
  for (int t = 0; t < 4; ++t) {
    team.emplace_back([t, &good] {
      const auto s = Stream<Cuda<1>>::create();
      for (int i = 0; i < 25; ++i) {
        const Tensor<int, 1, Host> x(Shape<1>{{100 + i}}, 1000 * t + i);
        const auto a = to<Cuda<1>>(on(s), x);
        const auto b = to<Cuda<0>>(a);  // waits for the stream that a was made on
        const auto c = to<Host>(b.view().slice(0, 10, 1, -3));
        good += c.size() == 3 && c(0) == 1000 * t + i && c(2) == 1000 * t + i ? 1 : 0;
      }
    });
  }
  for (std::thread& t : team) t.join();
  CHECK(good == 100);
  std::int64_t counts[6] = {};
  for (const auto& line : table.lines()) counts[static_cast<int>(line.kind)] += line.count;
  CHECK(counts[static_cast<int>(TraceKind::transfer)] == 300);
  CHECK(counts[static_cast<int>(TraceKind::launch)] == 100);
  CHECK(counts[static_cast<int>(TraceKind::allocate)] ==
        counts[static_cast<int>(TraceKind::release)]);
  CHECK(memory_info(0).in_use == before[0]);
  CHECK(memory_info(1).in_use == before[1]);
}

#if __has_include(<nvtx3/nvtx3.hpp>)
TEST_CASE("ranges for profilers pass everything on") {
  Recorder recorder;
  NvtxTrace ranges(&recorder);
  {
    const TraceScope watch(ranges);
    (void)to<Cuda<0>>(example());
  }
  CHECK(recorder.events.size() == 4);
  CHECK(recorder.open == 0);
  CHECK(recorder.deepest == 1);
}
#endif

}  // namespace
