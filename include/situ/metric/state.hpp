// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "situ/engine/host.hpp"
#include "situ/metric/saved.hpp"
#include "situ/metric/slot.hpp"

// Where the slots of a collection live: in the object on the host, in device memory on a CUDA
// device. Reading them is all that results, merging and saving need.
namespace situ::detail {

template <class Device, class Slots>
class State {
 public:
  const Slots& read() const { return slots_; }
  void write(Slots slots) { slots_ = std::move(slots); }
  void reset() { slots_ = Slots{}; }
  template <class Resource>
  std::function<Slots()> read_later(const Resource&) const {
    return [slots = slots_] { return slots; };
  }

  // Throws when a batch that was already accepted turns out to be bad: never on the host.
  void check() const {}

  // One pass over the arguments. Slot k gets the cells of the k-th of `reductions`, which the plan
  // has once each.
  template <class P, class... Rs, class Args>
  void update(P, Types<Rs...> reductions, const AnyExecutor& executor, const Args& args) {
    Cells<typename P::wanted> cells;
    HostPass<P, Args, simd::native_lanes> pass(args);
    if (const Violation v = pass.run(executor, cells); v.row != Violation::none) {
      throw_violation(P{}, v);
    }
    commit(P{}, reductions, cells);
  }

 private:
  // All checks come before the first change, and they reserve the memory that the change needs.
  template <class P, class... Rs, class AllCells>
  void commit(P, Types<Rs...>, const AllCells& cells) {
    auto all = slot_pointers(slots_);
    for_each_index<static_cast<int>(sizeof...(Rs))>([&]<int K>() {
      using R = type_at_t<K, Types<Rs...>>;
      std::get<K>(all)->template check<R>(
          situ::get<position_in<R, typename P::wanted>>(cells).cells());
    });
    for_each_index<static_cast<int>(sizeof...(Rs))>([&]<int K>() {
      using R = type_at_t<K, Types<Rs...>>;
      std::get<K>(all)->template absorb<R>(
          situ::get<position_in<R, typename P::wanted>>(cells).cells());
    });
  }

  Slots slots_{};
};

// On a CUDA device. Units that are not compiled as CUDA know the type and may call the functions
// that are only declared here: they are instantiated in a unit that is.
template <int N, class Slots>
class State<Cuda<N>, Slots> {
 public:
  State() = default;
  // Not inlined, so that the unit that instantiates them has them for others.
  [[gnu::noinline]] State(const State& other);
  State(State&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), release_(other.release_) {}
  State& operator=(State other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~State() {
    if (memory_ != nullptr) release_(memory_);
  }

  // Waits for the device; throws what check() throws.
  [[gnu::noinline]] Slots read() const;
  // Asks for the slots in the order of the stream; calling the result waits for them.
  std::function<Slots()> read_later(const Stream<Cuda<N>>& stream) const;
  [[gnu::noinline]] void write(const Slots& slots);
  [[gnu::noinline]] void reset();
  // Waits for the device and throws value_error when a batch since the last check was rejected.
  [[gnu::noinline]] void check() const;

  template <class P, class... Rs, class S, class Args>
  void update(P, Types<Rs...> reductions, const S& stream, const Args& args);

 private:
  struct Memory;
  struct Snapshot;
  Memory& memory() const;

  mutable Memory* memory_ = nullptr;  // made by the first use
  mutable void (*release_)(Memory*) noexcept = nullptr;
};

}  // namespace situ::detail

#ifdef __CUDACC__
#include "situ/metric/cuda_state.hpp"
#endif
