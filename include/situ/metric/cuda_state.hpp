// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "situ/metric/state.hpp"

#ifdef __CUDACC__

#include "situ/metric/cuda_slots.hpp"
#include "situ/runtime/pinned.hpp"

// The slots of a collection in device memory. A block of fixed size has the report of rejected
// batches and 64 bytes for each slot; slots with many cells have memory of their own.
namespace situ::detail {

// What a violation of a plan means; plans are numbered in the order of their first use.
using Meanings = std::vector<void (*)(const Violation&)>;
inline void raise_report(const Meanings& plans, const unsigned char* bytes) {
  gpu::Report r;
  std::memcpy(&r, bytes, sizeof r);
  if (r.recorded) plans[static_cast<std::size_t>(r.plan)](r.violation);
}

// A point in a stream that the host can wait for.
class EventMark {
 public:
  EventMark(int device, cudaStream_t stream) : device_(device) {
    const DeviceGuard guard(device);
    check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate",
               device);
    check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord", device);
  }
  ~EventMark() { (void)cudaEventDestroy(event_); }
  EventMark(const EventMark&) = delete;
  EventMark& operator=(const EventMark&) = delete;
  void wait() const {
    const auto traced = trace_wait("cudaEventSynchronize", device_, nullptr);
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize", device_);
  }

 private:
  int device_;
  cudaEvent_t event_ = nullptr;
};

template <int N, class Slots>
struct State<Cuda<N>, Slots>::Memory {
  static constexpr std::size_t line = 64;
  static constexpr int count =
      static_cast<int>(std::tuple_size_v<decltype(slot_pointers(std::declval<Slots&>()))>);
  template <int K>
  using SlotAt =
      std::remove_pointer_t<std::tuple_element_t<static_cast<std::size_t>(K),
                                                 decltype(slot_pointers(std::declval<Slots&>()))>>;
  template <int K>
  using At = Placed<SlotAt<K>>;
  template <int K>
  static constexpr bool is_array = !std::is_void_v<typename At<K>::Element>;

  // Memory of a slot with many elements. `size` is exact for a fixed number; of what grows it is
  // the most that the device may have stored, because only the device knows of rejected batches.
  struct Array {
    gpu::DeviceBuffer data{N};
    std::int64_t size = 0;
  };

  Stream<Cuda<N>>
      stream;  // of the last update; outlives the memory, which is released in its order
  gpu::DeviceBuffer fixed{N};
  std::vector<Array> arrays{static_cast<std::size_t>(count)};
  gpu::Workspace workspace{N};
  Meanings plans;

  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* fixed_of(int k) const { return fixed.data() + line * static_cast<std::size_t>(k + 1); }
  gpu::Report* report() const { return reinterpret_cast<gpu::Report*>(fixed.data()); }
  static constexpr std::size_t fixed_bytes = line * static_cast<std::size_t>(count + 1);

  void start(cudaStream_t s) {
    if (fixed.reserve(fixed_bytes, s)) gpu::clear_on(N, fixed.data(), fixed_bytes, s);
  }
  // Work on another stream than last time comes after it.
  void use(const Stream<Cuda<N>>& s) {
    if (!(s == stream)) {
      if (fixed.data() != nullptr) s.wait(stream);
      stream = s;
    }
    start(s.get());
  }
  int plan_id(void (*meaning)(const Violation&)) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i] == meaning) return static_cast<int>(i);
    }
    plans.push_back(meaning);
    return static_cast<int>(plans.size()) - 1;
  }

  // Before anything is changed: throws when an update has another number of cells than the state.
  template <int K>
  void check_size(std::int64_t n) const {
    if constexpr (is_array<K>) {
      const Array& a = arrays[K];
      if (!At<K>::grows && a.size != 0 && a.size != n) {
        throw_sizes(static_cast<std::size_t>(a.size), static_cast<std::size_t>(n));
      }
    }
  }
  template <int K>
  void make_room(std::int64_t n) {
    if constexpr (is_array<K>) {
      Array& a = arrays[K];
      using E = typename At<K>::Element;
      const std::int64_t wanted = At<K>::grows ? a.size + n : n;
      const auto bytes = static_cast<std::size_t>(wanted) * sizeof(E);
      if (bytes > a.data.bytes()) {
        gpu::DeviceBuffer larger(N);
        larger.reserve(At<K>::grows ? bytes + bytes / 2 : bytes, stream.get());
        if (a.size > 0) {
          gpu::copy_on(N, larger.data(), a.data.data(), a.data.bytes(), stream.get());
        }
        a.data.swap(larger);
      }
      if (a.size == 0 && !At<K>::grows) gpu::clear_on(N, a.data.data(), bytes, stream.get());
      a.size = wanted;
    }
  }
  template <int K, class R>
  auto target() {
    return At<K>::template target<R>(fixed_of(K), arrays[K].data.data());
  }

  void upload(void* to, const void* from, std::size_t bytes) const {
    gpu::write_on(N, to, from, bytes, stream.get());
    stream.synchronize();
  }
  // Throws what the first rejected batch since the last check had wrong, once.
  void raise(const unsigned char* fixed_copy) const {
    gpu::Report r;
    std::memcpy(&r, fixed_copy, sizeof r);
    if (!r.recorded) return;
    gpu::clear_on(N, report(), sizeof r, stream.get());
    stream.synchronize();
    raise_report(plans, fixed_copy);
  }
};

template <class P>
void mean_violation(const Violation& v) {
  throw_violation(P{}, v);
}

template <int N, class Slots>
auto State<Cuda<N>, Slots>::memory() const -> Memory& {
  if (memory_ == nullptr) {
    memory_ = new Memory;
    release_ = [](Memory* m) noexcept { delete m; };
  }
  return *memory_;
}

template <int N, class Slots>
State<Cuda<N>, Slots>::State(const State& other) {
  write(other.read());
}

// A copy of the device's memory on its way to the host.
template <int N, class Slots>
struct State<Cuda<N>, Slots>::Snapshot {
  using Bytes = Tensor<std::uint8_t, 1, Host>;
  Bytes fixed;
  std::vector<Bytes> arrays{static_cast<std::size_t>(Memory::count)};

  // `allocate(n)` gives n bytes of host memory.
  template <class Allocate>
  Snapshot(const Memory& m, cudaStream_t stream, Allocate allocate)
      : fixed(allocate(Memory::fixed_bytes)) {
    gpu::read_on(N, fixed.data(), m.fixed.data(), Memory::fixed_bytes, stream);
    for_each_index<Memory::count>([&]<int K>() {
      if constexpr (Memory::template is_array<K>) {
        const std::size_t bytes = static_cast<std::size_t>(m.arrays[K].size) *
                                  sizeof(typename Memory::template At<K>::Element);
        arrays[K] = allocate(bytes);
        gpu::read_on(N, arrays[K].data(), m.arrays[K].data.data(), bytes, stream);
      }
    });
  }
  // What it says, once the stream is done.
  Slots slots() const {
    Slots s{};
    auto all = slot_pointers(s);
    for_each_index<Memory::count>([&]<int K>() {
      using At = typename Memory::template At<K>;
      using Element = std::conditional_t<Memory::template is_array<K>, typename At::Element, char>;
      const std::uint8_t* mine = fixed.data() + Memory::line * (K + 1);
      std::int64_t n = 0;
      if constexpr (Memory::template is_array<K>) {
        n = arrays[K].size() / static_cast<std::int64_t>(sizeof(Element));
        if constexpr (At::grows) std::memcpy(&n, mine, sizeof n);
      }
      At::get(*std::get<K>(all), mine, arrays[K].data(), n);
    });
    return s;
  }
};

template <int N, class Slots>
Slots State<Cuda<N>, Slots>::read() const {
  if (memory_ == nullptr || memory_->fixed.data() == nullptr) return Slots{};
  const Memory& m = *memory_;
  const Snapshot copy(m, m.stream.get(), [](std::size_t n) {
    return Tensor<std::uint8_t, 1, Host>(Shape<1>{{static_cast<std::int64_t>(n)}}, uninitialized);
  });
  m.stream.synchronize();
  m.raise(copy.fixed.data());
  return copy.slots();
}

template <int N, class Slots>
std::function<Slots()> State<Cuda<N>, Slots>::read_later(const Stream<Cuda<N>>& stream) const {
  if (memory_ == nullptr || memory_->fixed.data() == nullptr) return [] { return Slots{}; };
  memory_->use(stream);
  auto copy = std::make_shared<const Snapshot>(*memory_, stream.get(), [](std::size_t n) {
    return pinned_tensor<std::uint8_t>(Shape<1>{{static_cast<std::int64_t>(n)}});
  });
  auto done = std::make_shared<const EventMark>(N, stream.get());
  return [copy, done, plans = memory_->plans] {
    done->wait();
    raise_report(plans, copy->fixed.data());
    return copy->slots();
  };
}

template <int N, class Slots>
void State<Cuda<N>, Slots>::write(const Slots& slots) {
  reset();
  Slots copy = slots;
  Memory& m = memory();
  m.start(m.stream.get());
  std::vector<unsigned char> fixed(Memory::fixed_bytes);
  auto all = slot_pointers(copy);
  for_each_index<Memory::count>([&]<int K>() {
    using At = typename Memory::template At<K>;
    At::put(*std::get<K>(all), fixed.data() + Memory::line * (K + 1));
    if constexpr (Memory::template is_array<K>) {
      const auto elements = At::elements(*std::get<K>(all));
      if (!elements.empty()) {
        m.template make_room<K>(static_cast<std::int64_t>(elements.size()));
        m.upload(m.arrays[K].data.data(), elements.data(), elements.size_bytes());
      }
    }
  });
  m.upload(m.fixed.data(), fixed.data(), fixed.size());
}

template <int N, class Slots>
void State<Cuda<N>, Slots>::reset() {
  if (memory_ == nullptr || memory_->fixed.data() == nullptr) return;
  gpu::clear_on(N, memory_->fixed.data(), Memory::fixed_bytes, memory_->stream.get());
  for (auto& a : memory_->arrays) a.size = 0;
}

template <int N, class Slots>
void State<Cuda<N>, Slots>::check() const {
  if (memory_ == nullptr || memory_->fixed.data() == nullptr) return;
  unsigned char copy[sizeof(gpu::Report)];
  gpu::read_on(N, copy, memory_->fixed.data(), sizeof copy, memory_->stream.get());
  memory_->stream.synchronize();
  memory_->raise(copy);
}

template <int N, class Slots>
template <class P, class... Rs, class S, class Args>
void State<Cuda<N>, Slots>::update(P, Types<Rs...>, const S& stream, const Args& args) {
  Memory& m = memory();
  gpu::CudaPass<P, Args> pass(args);
  constexpr int slots = static_cast<int>(sizeof...(Rs));
  const auto count = [&]<class R>(std::type_identity<R>) {
    return pass.count(position_in<R, typename P::wanted>);
  };
  for_each_index<slots>([&]<int K>() {
    m.template check_size<K>(count(std::type_identity<type_at_t<K, Types<Rs...>>>{}));
  });
  if (args.rows == 0) return;
  m.use(stream);
  for_each_index<slots>([&]<int K>() {
    m.template make_room<K>(count(std::type_identity<type_at_t<K, Types<Rs...>>>{}));
  });
  const auto targets = [&]<int... I>(std::integer_sequence<int, I...>) {
    return make_tuple(targets_of<type_at_t<I, typename P::wanted>, 0, Rs...>(m)...);
  }
  (std::make_integer_sequence<int, P::wanted_count>{});
  pass.launch(m.workspace, stream.get(), targets, m.report(), m.plan_id(&mean_violation<P>));
}

}  // namespace situ::detail

#endif  // __CUDACC__
