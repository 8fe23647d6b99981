// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metric/slot.hpp"

#ifdef __CUDACC__

#include "situ/engine/cuda.hpp"

// How each kind of slot lies in device memory, and how the last block of a pass commits to it.
namespace situ::detail {

// Where the last block of a pass commits what it has accumulated.
struct ScalarSlot {
  Rule rule;
  Total total;
};
template <class R>
struct ScalarTarget {
  ScalarSlot* slot;
  __device__ void commit(std::int64_t, const typename R::cell& cell) const {
    join(slot->rule, slot->total, total_of(cell));
    slot->rule = rule_of<R>;
  }
};
struct TotalsTarget {
  Total* totals;
  template <class Cell>
  __device__ void commit(std::int64_t k, const Cell& cell) const {
    join(Rule::sum, totals[k], total_of(cell));
  }
};
template <class C>
struct MomentsTarget {
  C* cells;
  __device__ void commit(std::int64_t k, const C& cell) const {
    kind_of_cell<C>::type::merge(cells[k], cell);
  }
};
template <class Record>
struct RecordsTarget {
  Record* records;
  std::int64_t* count;
  __device__ void store(std::int64_t row, const Record& record) const {
    records[*count + row] = record;
  }
  __device__ void advance(std::int64_t rows) const { *count += rows; }
};

// How a slot lies in device memory:
//   Fixed     in its 64 bytes
//   Element   in memory of its own; void when it has none
template <class S>
struct Placed;
template <class P>
requires(std::is_same_v<P, double> || std::is_same_v<P, std::int64_t>) struct Placed<Slot<P>> {
  using Element = void;
  static void get(Slot<P>& s, const void* fixed, const void*, std::int64_t) {
    ScalarSlot x;
    std::memcpy(&x, fixed, sizeof x);
    s.rule = x.rule;
    s.total = x.total;
  }
  static void put(const Slot<P>& s, void* fixed) {
    const ScalarSlot x{s.rule, s.total};
    std::memcpy(fixed, &x, sizeof x);
  }
  template <class R>
  static auto target(void* fixed, void*) {
    return ScalarTarget<R>{static_cast<ScalarSlot*>(fixed)};
  }
};
template <class C>
requires moment_cell<C>
struct Placed<Slot<C>> {
  using Element = void;
  static void get(Slot<C>& s, const void* fixed, const void*, std::int64_t) {
    std::memcpy(&s.cell, fixed, sizeof s.cell);
  }
  static void put(const Slot<C>& s, void* fixed) { std::memcpy(fixed, &s.cell, sizeof s.cell); }
  template <class R>
  static auto target(void* fixed, void*) {
    return MomentsTarget<C>{static_cast<C*>(fixed)};
  }
};
// Slots with many elements: `elements` is the vector they are in on the host.
template <class S, class E, std::vector<E> S::*Elements>
struct PlacedArray {
  using Element = E;
  static void get(S& s, const void*, const void* data, std::int64_t n) {
    (s.*Elements).resize(static_cast<std::size_t>(n));
    if (n > 0) std::memcpy((s.*Elements).data(), data, static_cast<std::size_t>(n) * sizeof(E));
  }
  static std::span<const E> elements(const S& s) { return s.*Elements; }
  static void put(const S& s, void* fixed) {
    const auto n = static_cast<std::int64_t>((s.*Elements).size());
    std::memcpy(fixed, &n, sizeof n);
  }
};
template <class P>
requires(std::is_same_v<P, double> ||
         std::is_same_v<P, std::int64_t>) struct Placed<Slot<std::span<const P>>>
    : PlacedArray<Slot<std::span<const P>>, Total, &Slot<std::span<const P>>::totals> {
  static constexpr bool grows = false;
  template <class R>
  static auto target(void*, void* data) {
    return TotalsTarget{static_cast<Total*>(data)};
  }
};
template <class C>
requires moment_cell<C>
struct Placed<Slot<std::span<const C>>>
    : PlacedArray<Slot<std::span<const C>>, C, &Slot<std::span<const C>>::cells> {
  static constexpr bool grows = false;
  template <class R>
  static auto target(void*, void* data) {
    return MomentsTarget<C>{static_cast<C*>(data)};
  }
};
template <class... Ts>
struct Placed<Slot<std::span<const Tuple<Ts...>>>>
    : PlacedArray<Slot<std::span<const Tuple<Ts...>>>, Tuple<Ts...>,
                  &Slot<std::span<const Tuple<Ts...>>>::records> {
  static constexpr bool grows = true;
  template <class R>
  static auto target(void* fixed, void* data) {
    return RecordsTarget<Tuple<Ts...>>{static_cast<Tuple<Ts...>*>(data),
                                       static_cast<std::int64_t*>(fixed)};
  }
};

// The slots that one reduction is committed to, one after the other.
struct NoTarget {
  template <class Cell>
  __device__ void commit(std::int64_t, const Cell&) const {}
  template <class Record>
  __device__ void store(std::int64_t, const Record&) const {}
  __device__ void advance(std::int64_t) const {}
};
template <class First, class Rest>
struct Targets {
  First first;
  Rest rest;
  template <class Cell>
  __device__ void commit(std::int64_t k, const Cell& cell) const {
    first.commit(k, cell);
    rest.commit(k, cell);
  }
  template <class Record>
  __device__ void store(std::int64_t row, const Record& record) const {
    first.store(row, record);
    rest.store(row, record);
  }
  __device__ void advance(std::int64_t rows) const {
    first.advance(rows);
    rest.advance(rows);
  }
};
// Those among the slots K, K + 1 ... whose reduction is R.
template <class R, int K, class... Rs, class Memory>
auto targets_of(Memory& m) {
  if constexpr (K == static_cast<int>(sizeof...(Rs))) {
    return NoTarget{};
  } else if constexpr (std::is_same_v<type_at_t<K, Types<Rs...>>, R>) {
    auto rest = targets_of<R, K + 1, Rs...>(m);
    using First = decltype(m.template target<K, R>());
    return Targets<First, decltype(rest)>{m.template target<K, R>(), rest};
  } else {
    return targets_of<R, K + 1, Rs...>(m);
  }
}

}  // namespace situ::detail

#endif  // __CUDACC__
