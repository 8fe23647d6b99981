// SPDX-License-Identifier: Apache-2.0
// What an update asks of the CUDA runtime. With SITU_TEST_MARKS set it marks the trace of an
// emulator with memsets of odd sizes, and traffic.py looks at what lies between; the numbers are
// checked in any case.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <situ/situ.hpp>

namespace {

using namespace situ;

// Mark k: a memset of 1000 + k bytes.
class Marks {
 public:
  Marks() : on_(std::getenv("SITU_TEST_MARKS") != nullptr) {
    if (on_) REQUIRE(cudaMalloc(&memory_, 4096) == cudaSuccess);
  }
  ~Marks() {
    if (on_) (void)cudaFree(memory_);
  }
  void set(int k, cudaStream_t stream) const {
    if (on_)
      REQUIRE(cudaMemsetAsync(memory_, 0, 1000 + static_cast<std::size_t>(k), stream) ==
              cudaSuccess);
  }

 private:
  bool on_;
  void* memory_ = nullptr;
};

template <class D>
auto of_classes() {
  return collect<D>(
      SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
      SparseTopKCategoricalAccuracy{.k = 3}, SparseCategoricalCrossentropy{.from_logits = true},
      F1Score{.average = Average::macro}, F1Score{.average = Average::micro},
      FBetaScore{.average = Average::macro, .beta = 2}, ConfusionMatrix{}, CohenKappa{},
      MatthewsCorrelation{}, BalancedAccuracy{}, ignoring(SparseCategoricalAccuracy{}, 3));
}
template <class D>
auto elementwise() {
  return collect<D>(MeanSquaredError{}, MeanAbsoluteError{}, BinaryAccuracy{}, TruePositives{},
                    TrueNegatives{}, FalsePositives{}, FalseNegatives{}, AUC{});
}

constexpr std::int64_t classes = 10;
constexpr std::int64_t rows = 20000;
constexpr std::int64_t elements = 200000;

template <class D>
struct Data {
  Tensor<float, 2, D> scores;
  Tensor<std::int32_t, 1, D> labels;
  Tensor<float, 1, D> p;
  Tensor<float, 1, D> y;
};
Data<Host> on_host() {
  Data<Host> d{Tensor<float, 2, Host>(Shape<2>{{rows, classes}}),
               Tensor<std::int32_t, 1, Host>(Shape<1>{{rows}}),
               Tensor<float, 1, Host>(Shape<1>{{elements}}),
               Tensor<float, 1, Host>(Shape<1>{{elements}})};
  for (std::int64_t i = 0; i < rows * classes; ++i) {
    d.scores.data()[i] = static_cast<float>(i * 7919 % 1021) / 512 - 1;
  }
  for (std::int64_t i = 0; i < rows; ++i) d.labels(i) = static_cast<std::int32_t>(i * 31 % classes);
  for (std::int64_t i = 0; i < elements; ++i) {
    d.p(i) = static_cast<float>(i * 104729 % 1001) / 1000;
    d.y(i) = i * 31 % 7 < 3 ? 1.0f : 0.0f;
  }
  return d;
}
template <class D>
Data<D> on_device(const Data<Host>& d) {
  return {to<D>(d.scores), to<D>(d.labels), to<D>(d.p), to<D>(d.y)};
}

TEST_CASE("after the first update of a shape an update is one launch and nothing else") {
  using D = Cuda<0>;
  const Data<D> d = on_device<D>(on_host());
  const Marks marks;
  auto stream = Stream<D>::create();
  auto a = of_classes<D>();
  auto b = elementwise<D>();
  a.update_state(on(stream), d.labels, d.scores);
  b.update_state(on(stream), d.y, d.p);
  marks.set(1, stream.get());
  a.update_state(on(stream), d.labels, d.scores);
  marks.set(2, stream.get());
  b.update_state(on(stream), d.y, d.p);
  marks.set(3, stream.get());
  const auto got_a = a.result();
  const auto got_b = b.result();
  marks.set(4, stream.get());
  auto here_a = of_classes<Host>();
  auto here_b = elementwise<Host>();
  const Data<Host> h = on_host();
  for (int i = 0; i < 2; ++i) {
    here_a.update_state(h.labels, h.scores);
    here_b.update_state(h.y, h.p);
  }
  CHECK(std::get<0>(got_a) == std::get<0>(here_a.result()));
  CHECK(static_cast<double>(std::get<4>(got_a)) ==
        static_cast<double>(std::get<4>(here_a.result())));
  CHECK(std::get<8>(got_a) == std::get<8>(here_a.result()));
  CHECK(std::get<11>(got_a) == std::get<11>(here_a.result()));
  CHECK(std::get<3>(got_b) == std::get<3>(here_b.result()));
  CHECK(std::get<7>(got_b) == std::get<7>(here_b.result()));
}

TEST_CASE("an update is captured into a graph and replayed") {
  using D = Cuda<0>;
  const Data<D> d = on_device<D>(on_host());
  auto stream = Stream<D>::create();
  auto m = elementwise<D>();
  m.update_state(on(stream), d.y, d.p);
  stream.synchronize();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
  m.update_state(on(stream), d.y, d.p);
  REQUIRE(cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&replay, graph, 0) == cudaSuccess);
  for (int i = 0; i < 3; ++i) REQUIRE(cudaGraphLaunch(replay, stream.get()) == cudaSuccess);
  auto plain = elementwise<D>();
  for (int i = 0; i < 4; ++i) plain.update_state(d.y, d.p);
  CHECK(m.result() == plain.result());
  CHECK(cudaGraphExecDestroy(replay) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a result that was asked for earlier knows nothing of later updates") {
  using D = Cuda<0>;
  const Data<D> d = on_device<D>(on_host());
  const auto stream = Stream<D>::create();
  auto m = elementwise<D>();
  m.update_state(on(stream), d.y, d.p);
  const auto later = m.result_async(on(stream));
  m.update_state(on(stream), d.p, d.p);
  m.reset_state();
  auto once = elementwise<D>();
  once.update_state(d.y, d.p);
  CHECK(later() == once.result());
  CHECK(later() == once.result());
  CHECK(std::get<3>(m.result()) == 0);
}

// One line for schedules.sh, which compares it between schedules and numbers of multiprocessors.
TEST_CASE(
    "the bits of a result depend neither on the grid nor on the order of blocks and threads") {
  using D = Cuda<0>;
  const Data<D> d = on_device<D>(on_host());
  const auto bits = [&](int limit) {
    detail::gpu::grid_limit = limit;
    Tensor<float, 1, Host> w(Shape<1>{{elements}});
    for (std::int64_t i = 0; i < elements; ++i) w(i) = 1.0f / static_cast<float>(i % 1013 + 1);
    auto b = elementwise<D>();
    const auto weights = to<D>(w);
    b.update_state(d.y, d.p, weights);
    auto c = collect<D>(SparseCategoricalCrossentropy{.from_logits = true},
                        F1Score{.average = Average::macro}, ConfusionMatrix{});
    c.update_state(d.labels, d.scores, weights.slice(0, 0, rows));
    auto bytes = b.save();
    const auto more = c.save();
    bytes.insert(bytes.end(), more.begin(), more.end());
    return bytes;
  };
  const auto all = bits(1 << 16);
  CHECK(bits(1) == all);
  CHECK(bits(3) == all);
  detail::gpu::grid_limit = 1 << 16;
  std::uint64_t digest = 1469598103934665603u;
  for (const unsigned char x : all) digest = (digest ^ x) * 1099511628211u;
  std::printf("digest %016llx\n", static_cast<unsigned long long>(digest));
}

}  // namespace
