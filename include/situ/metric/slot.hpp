// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "situ/reduce/histogram.hpp"

// What a metric remembers between updates. The parameters of its result() say which slots there are;
// the element types of an update do not matter, so weighted and unweighted updates, float and float16
// scores all go to one state.
//
//   double, std::int64_t        sum, mean, min, max     (0 before the first update)
//   std::span<const double>     histogram, confusion, column_sum     (empty before the first update)
//   Moments, CoMoments          moments, co_moments
//   std::span<const Moments>    column_moments
//   std::span<const Tuple<..>>  columns
namespace situ::detail {

// How scalars of one slot are joined. Known from the first update on.
enum class Rule : std::int32_t { none, sum, mean, min, max };

template <class R>
inline constexpr Rule rule_of = Rule::none;
template <class E>
inline constexpr Rule rule_of<Reduce<SumOf, E>> = Rule::sum;
template <class E>
inline constexpr Rule rule_of<Reduce<MeanOf, E>> = Rule::mean;
template <class E>
inline constexpr Rule rule_of<Reduce<ExtremeOf<-1>, E>> = Rule::min;
template <class E>
inline constexpr Rule rule_of<Reduce<ExtremeOf<1>, E>> = Rule::max;
template <class B, class W, class N>
inline constexpr Rule rule_of<Reduce<HistogramOf, B, W, N>> = Rule::sum;
template <class E>
inline constexpr Rule rule_of<Reduce<PerColumnOf<SumOf>, E>> = Rule::sum;

// A number that integers and reals are added to without disturbing one another: counts stay exact
// beyond 2^53 even when weighted updates come between.
struct Total {
  std::int64_t integer;
  double real;
  SITU_HD double value() const { return static_cast<double>(integer) + real; }
};
SITU_HD inline Total total_of(std::int64_t x) { return {x, 0}; }
SITU_HD inline Total total_of(double x) { return {0, x}; }
SITU_HD inline Total total_of(float x) { return {0, static_cast<double>(x)}; }
SITU_HD inline Total total_of(std::int32_t x) { return {x, 0}; }
SITU_HD inline Total total_of(std::uint32_t x) { return {static_cast<std::int64_t>(x), 0}; }
SITU_HD inline Total total_of(bool x) { return {x ? 1 : 0, 0}; }
// A mean keeps its sum and its count.
SITU_HD inline Total total_of(const MeanCell& m) { return {m.count, m.sum}; }

SITU_HD inline void join(Rule rule, Total& a, const Total& b) {
  switch (rule) {
    case Rule::none:
      a = b;
      break;
    case Rule::min:
      a = {0, simd::min(a.value(), b.value())};
      break;
    case Rule::max:
      a = {0, simd::max(a.value(), b.value())};
      break;
    case Rule::sum:
    case Rule::mean:
      a.integer += b.integer;
      a.real += b.real;
      break;
  }
}

// Bytes of trivially copyable things, one after the other. A string, because g++ 12 warns falsely of what it
// inlines when a vector grows.
using Bytes = std::string;
template <class T>
void put(Bytes& out, const T* values, std::size_t count) {
  out.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}
struct Reader {
  std::span<const unsigned char> left;
  template <class T>
  void take(T* values, std::size_t count) {
    if (count > left.size() / sizeof(T)) {
      throw format_error("situ: the saved state ends too early; it is damaged or incomplete");
    }
    if (count > 0) std::memcpy(values, left.data(), count * sizeof(T));
    left = left.subspan(count * sizeof(T));
  }
  std::uint64_t count(std::size_t element_bytes) {
    std::uint64_t n = 0;
    take(&n, 1);
    if (n > left.size() / element_bytes) {
      throw format_error("situ: the saved state ends too early; it is damaged or incomplete");
    }
    return n;
  }
};

[[noreturn]] inline void throw_sizes(std::size_t have, std::size_t got) {
  throw state_error("situ: the state has " + std::to_string(have) + " cells and the new data " +
                    std::to_string(got) +
                    "; use the same number of classes, bins or columns in all updates, or call "
                    "reset_state() first");
}

template <class P>
struct Slot {
  static_assert(sizeof(P) == 0,
                "situ: result() of a metric takes double, std::int64_t, Moments, CoMoments or "
                "std::span<const T> of these, one for each reduction that update() names");
};

// ---- scalars -----------------------------------------------------------------------------------------

template <class P>
  requires(std::is_same_v<P, double> || std::is_same_v<P, std::int64_t>)
struct Slot<P> {
  static constexpr char code = std::is_same_v<P, double> ? 'd' : 'i';
  Rule rule = Rule::none;
  Total total{0, 0};

  template <class R>
  static constexpr bool accepts =
      R::kind::layout == Layout::single && rule_of<R> != Rule::none &&
      (std::is_same_v<P, double> || std::is_same_v<typename R::cell, std::int64_t>);
  template <class R>
  void check(std::span<const typename R::cell>) const {}
  template <class R>
  void absorb(std::span<const typename R::cell> cells) {
    join(rule, total, total_of(cells[0]));
    rule = rule_of<R>;
  }
  void check(const Slot&) const {}
  void merge(const Slot& other) {
    if (other.rule == Rule::none) return;
    join(rule, total, other.total);
    rule = other.rule;
  }
  P read() const {
    if (rule == Rule::mean) return static_cast<P>(total.real / static_cast<double>(total.integer));
    if constexpr (std::is_same_v<P, std::int64_t>) {
      return total.integer;
    } else {
      return total.value();
    }
  }
  void save(Bytes& out) const {
    put(out, &rule, 1);
    put(out, &total, 1);
  }
  void load(Reader& in) {
    in.take(&rule, 1);
    in.take(&total, 1);
    if (rule < Rule::none || rule > Rule::max) {
      throw format_error("situ: the saved state names an unknown kind of sum; it is damaged");
    }
  }
};

// ---- arrays of scalars ---------------------------------------------------------------------------------

template <class P>
  requires(std::is_same_v<P, double> || std::is_same_v<P, std::int64_t>)
struct Slot<std::span<const P>> {
  static constexpr char code = std::is_same_v<P, double> ? 'D' : 'I';
  std::vector<Total> totals;

  template <class R>
  static constexpr bool accepts =
      (R::kind::layout == Layout::bins || R::kind::layout == Layout::columns) &&
      rule_of<R> == Rule::sum &&
      (std::is_same_v<P, double> || std::is_same_v<typename R::cell, std::int64_t>);
  template <class R>
  void check(std::span<const typename R::cell> cells) {
    if (!totals.empty() && totals.size() != cells.size()) throw_sizes(totals.size(), cells.size());
    totals.reserve(cells.size());
  }
  template <class R>
  void absorb(std::span<const typename R::cell> cells) {
    totals.resize(cells.size(), Total{0, 0});
    for (std::size_t i = 0; i < cells.size(); ++i) join(Rule::sum, totals[i], total_of(cells[i]));
  }
  void check(const Slot& other) {
    if (!totals.empty() && !other.totals.empty() && totals.size() != other.totals.size()) {
      throw_sizes(totals.size(), other.totals.size());
    }
    totals.reserve(other.totals.size());
  }
  void merge(const Slot& other) {
    totals.resize(std::max(totals.size(), other.totals.size()), Total{0, 0});
    for (std::size_t i = 0; i < other.totals.size(); ++i) {
      join(Rule::sum, totals[i], other.totals[i]);
    }
  }
  std::vector<P> read() const {
    std::vector<P> values(totals.size());
    for (std::size_t i = 0; i < totals.size(); ++i) {
      if constexpr (std::is_same_v<P, std::int64_t>) {
        values[i] = totals[i].integer;
      } else {
        values[i] = totals[i].value();
      }
    }
    return values;
  }
  void save(Bytes& out) const {
    const std::uint64_t n = totals.size();
    put(out, &n, 1);
    put(out, totals.data(), totals.size());
  }
  void load(Reader& in) {
    totals.resize(in.count(sizeof(Total)));
    in.take(totals.data(), totals.size());
  }
};

// ---- moments -------------------------------------------------------------------------------------------

template <class C>
struct kind_of_cell;
template <>
struct kind_of_cell<Moments> {
  using type = MomentsOf;
};
template <>
struct kind_of_cell<CoMoments> {
  using type = CoMomentsOf;
};
template <class C>
concept moment_cell = requires { typename kind_of_cell<C>::type; };

template <moment_cell C>
struct Slot<C> {
  static constexpr char code = sizeof(C) == sizeof(Moments) ? 'm' : 'c';
  using Kind = typename kind_of_cell<C>::type;
  C cell{};
  template <class R>
  static constexpr bool accepts = std::is_same_v<typename R::kind, Kind>;
  template <class R>
  void check(std::span<const C>) const {}
  template <class R>
  void absorb(std::span<const C> cells) {
    Kind::merge(cell, cells[0]);
  }
  void check(const Slot&) const {}
  void merge(const Slot& other) { Kind::merge(cell, other.cell); }
  C read() const { return cell; }
  void save(Bytes& out) const { put(out, &cell, 1); }
  void load(Reader& in) { in.take(&cell, 1); }
};

template <moment_cell C>
struct Slot<std::span<const C>> {
  static constexpr char code = sizeof(C) == sizeof(Moments) ? 'M' : 'C';
  using Kind = typename kind_of_cell<C>::type;
  std::vector<C> cells;
  template <class R>
  static constexpr bool accepts = std::is_same_v<typename R::kind, PerColumnOf<Kind>>;
  template <class R>
  void check(std::span<const C> more) {
    if (!cells.empty() && cells.size() != more.size()) throw_sizes(cells.size(), more.size());
    cells.reserve(more.size());
  }
  template <class R>
  void absorb(std::span<const C> more) {
    cells.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) Kind::merge(cells[i], more[i]);
  }
  void check(const Slot& other) {
    if (!other.cells.empty()) check<void>(other.cells);
  }
  void merge(const Slot& other) {
    if (!other.cells.empty()) absorb<void>(other.cells);
  }
  const std::vector<C>& read() const { return cells; }
  void save(Bytes& out) const {
    const std::uint64_t n = cells.size();
    put(out, &n, 1);
    put(out, cells.data(), cells.size());
  }
  void load(Reader& in) {
    cells.resize(in.count(sizeof(C)));
    in.take(cells.data(), cells.size());
  }
};

// ---- stored rows ---------------------------------------------------------------------------------------

template <class... Ts>
struct Slot<std::span<const Tuple<Ts...>>> {
  static constexpr char code = static_cast<char>('0' + sizeof...(Ts));
  using Record = Tuple<Ts...>;
  std::vector<Record> records;
  template <class R>
  static constexpr bool accepts = std::is_same_v<typename R::kind, ColumnsOf> &&
                                  std::is_same_v<typename R::cell, Record>;
  template <class R>
  void check(std::span<const Record> more) { records.reserve(records.size() + more.size()); }
  template <class R>
  void absorb(std::span<const Record> more) {
    records.insert(records.end(), more.begin(), more.end());
  }
  void check(const Slot& other) { records.reserve(records.size() + other.records.size()); }
  void merge(const Slot& other) {
    const std::vector<Record> copy = other.records;  // the other may be this one
    records.insert(records.end(), copy.begin(), copy.end());
  }
  const std::vector<Record>& read() const { return records; }
  void save(Bytes& out) const {
    const std::uint64_t n = records.size();
    put(out, &n, 1);
    put(out, records.data(), records.size());
  }
  void load(Reader& in) {
    records.resize(in.count(sizeof(Record)));
    in.take(records.data(), records.size());
  }
};

}  // namespace situ::detail
