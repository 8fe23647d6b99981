// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "situ/engine/evaluate.hpp"
#include "situ/metric/name.hpp"
#include "situ/metric/state.hpp"
#include "situ/metric/update.hpp"

namespace situ {

// Compilers print these as the value of Cure.
struct move_the_data_with_situ_to_Device;
struct merge_on_one_device;

namespace detail {
template <class Device, class X>
concept elsewhere = placed<X> && !placed_on<Device, X>;
template <class Device, class... Xs>
concept any_elsewhere = (elsewhere<Device, Xs> || ...);
template <class X>
concept argument = expression<X> && placed<X>;

template <class X>
inline constexpr bool is_on = false;
template <class X>
inline constexpr bool is_on<On<X>> = true;
}  // namespace detail

// Metrics that are updated together: one pass over the data for all of them, with everything they have
// in common computed once. Made by collect<Device>(metrics...); a Metric<M, Device> is a collection of
// one. Different objects may be used from different threads at once; one object by one thread at a time.
template <device Device, class... Ms>
class Collection {
 public:
  using device_type = Device;
  static constexpr int size = static_cast<int>(sizeof...(Ms));

  Collection() { validate(); }
  // Throws argument_error when an option of a metric makes no sense.
  explicit Collection(Ms... metrics) : metrics_(std::move(metrics)...) { validate(); }
  // Copies have a state of their own. Written out, so that an explicit instantiation in a unit compiled as
  // CUDA has them for the units that are not.
  Collection(const Collection& other) : metrics_(other.metrics_), state_(other.state_) {}
  Collection(Collection&&) = default;
  Collection& operator=(const Collection& other) { return *this = Collection(other); }
  Collection& operator=(Collection&&) = default;
  ~Collection() = default;

  // Adds a batch: update_state([on(executor),] y_true, y_pred[, sample_weight]) or, for metrics of one
  // input such as Mean, update_state(values[, sample_weight]). The arguments are tensors, views or
  // expressions on Device; labels and weights have one value per row of y_pred, or its shape.
  // Throws shape_error when shapes do not fit, value_error when the data break a promise such as
  // "labels are below the number of classes", state_error when the number of classes or bins differs
  // from that of earlier batches. Whenever it throws, the state is as it was before.
  template <detail::argument... Xs>
    requires(sizeof...(Xs) > 0) && (!detail::any_elsewhere<Device, Xs...>)
  void update_state(Xs&&... xs) {
    update_with(on(detail::default_resource<Device>()), std::forward<Xs>(xs)...);
  }
  template <class E, detail::argument... Xs>
    requires(sizeof...(Xs) > 0) && (!detail::any_elsewhere<Device, Xs...>)
  void update_state(On<E> where, Xs&&... xs) {
    update_with(where, std::forward<Xs>(xs)...);
  }
  template <class... Xs, class Cure = move_the_data_with_situ_to_Device>
    requires detail::any_elsewhere<Device, Xs...>
  void update_state(Xs&&...) SITU_REFUSE(
      "situ: the data live on another device than the metric; move them with situ::to<Device>(x)");

  // The value of all data since the last reset; a tuple when there are several metrics.
  [[nodiscard]] auto result() const { return detail::unwrap(values(state_.read())); }

  // Asks for the result without waiting for the device: result_async(on(stream)) or
  // result_async() for the default stream. The call of what it returns waits, throws what check() throws, and gives what
  // result() gives. The state may be updated and reset in the meantime.
  //   auto later = metrics.result_async(on(stream));  ...  auto [accuracy, loss] = later();
  template <class E>
  [[nodiscard]] auto result_async(On<E> where) const {
    return [metrics = metrics_, slots = state_.read_later(where.resource)] {
      return detail::unwrap(values_of(metrics, slots()));
    };
  }
  [[nodiscard]] auto result_async() const {
    return result_async(on(detail::default_resource<Device>()));
  }

  // The value of metric M alone.
  template <class M>
  [[nodiscard]] auto result() const {
    constexpr int i = detail::position<M, Ms...>();
    static_assert(i >= 0, "situ: this collection has no metric of that type");
    return std::get<static_cast<std::size_t>(i)>(values(state_.read()));
  }
  // The value of the metric with this name, when it is a number and there is one such; throws
  // argument_error otherwise.
  [[nodiscard]] double result(std::string_view name) const {
    std::string known;
    std::optional<double> found;
    int count = 0;
    const auto all = values(state_.read());
    detail::for_each_index<size>([&]<int I>() {
      const std::string mine = name_of<I>();
      known += (known.empty() ? "" : ", ") + mine;
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(std::get<I>(all))>>) {
        if (mine == name) {
          found = static_cast<double>(std::get<I>(all));
          ++count;
        }
      }
    });
    if (count > 1) {
      throw argument_error("situ: " + std::to_string(count) + " metrics are named \"" + std::string(name) +
                           "\"; take them from the tuple that result() gives");
    }
    if (!found) {
      throw argument_error("situ: no metric named \"" + std::string(name) +
                           "\" with a single number as its value; there are " + known);
    }
    return *found;
  }

  // The value of one batch alone, which the state does not learn about.
  template <class... Xs>
    requires requires(Collection& c, Xs&&... xs) { c.update_state(std::forward<Xs>(xs)...); }
  [[nodiscard]] auto batch_result(Xs&&... xs) const {
    Collection alone(*this);
    alone.reset_state();
    alone.update_state(std::forward<Xs>(xs)...);
    return alone.result();
  }

  // Waits until all updates are done and throws value_error when the data of one broke a promise; that
  // update changed nothing. On Host update_state() itself has thrown, and there is nothing to wait for.
  void check() const { state_.check(); }

  void reset_state() { state_.reset(); }

  // Adds what another collection of the same metrics has seen. The other must have the same options.
  void merge_state(const Collection& other) {
    detail::for_each_index<size>([&]<int I>() {
      using M = detail::type_at_t<I, Types<Ms...>>;
      if constexpr (std::equality_comparable<M>) {
        if (!(std::get<I>(metrics_) == std::get<I>(other.metrics_))) {
          throw state_error("situ: cannot merge two " + name_of<I>() +
                            " metrics with different options; merge metrics made alike");
        }
      }
    });
    const Slots& theirs = other.state_.read();
    Slots sum = state_.read();
    each_slot_of(sum, [](auto& a, const auto& b) { a.check(b); }, theirs);
    each_slot_of(sum, [](auto& a, const auto& b) { a.merge(b); }, theirs);
    state_.write(std::move(sum));
  }
  template <device D, class Cure = merge_on_one_device>
    requires(!std::is_same_v<D, Device>)
  void merge_state(const Collection<D, Ms...>&) SITU_REFUSE(
      "situ: the metrics live on different devices; move one with situ::to<Device>(metric)");

  // The state as bytes that load() of the same metrics accepts, on any machine of the same byte order.
  [[nodiscard]] std::vector<unsigned char> save() const {
    detail::Bytes body;
    const Slots& slots = state_.read();
    each_slot_of(slots, [&](const auto& slot, const auto&) { slot.save(body); }, slots);
    return detail::seal(signature(), body);
  }
  // Replaces the state. Throws format_error when the bytes are damaged or of other metrics; the state is
  // then as it was before.
  void load(std::span<const unsigned char> bytes) {
    detail::Reader in{detail::unseal(signature(), bytes)};
    Slots fresh{};
    detail::for_each_index<size>([&]<int I>() {
      load_all(in, std::get<I>(fresh));
    });
    if (!in.left.empty()) {
      throw format_error("situ: the saved state is longer than this metric's; it is damaged");
    }
    state_.write(std::move(fresh));
  }

  // The names of the metrics; for a single metric its name.
  [[nodiscard]] auto name() const {
    if constexpr (size == 1) {
      return name_of<0>();
    } else {
      return names();
    }
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    detail::for_each_index<size>([&]<int I>() { all.push_back(name_of<I>()); });
    return all;
  }
  // For explain(): f(plan, reductions, arguments, extent) of an update with these operands. Equal reductions of
  // several metrics are accumulated once; `reductions` are those of all metrics, one after the other.
  template <class... Ns, int Highest, class F>
  auto with_plan(const Tuple<Ns...>& nodes, std::integral_constant<int, Highest>, F&& f) const {
    using namespace detail;
    using List = ArgumentList<Index<0, 0, 0>, Highest, false, Ns...>;
    const Extent extent = common_extent<Highest>(nodes);
    KeepAlive keep;
    const auto sources = List::sources(nodes);
    const auto columns = List::columns(nodes, sources, keep);
    const auto bound = bind_all<0>(Index<0, List::params, 0>{}, typename List::types{});
    const auto args = make_arguments(columns, concat(List::numbers(nodes), bound.numbers),
                                     extent.rows, extent.columns);
    using Reductions = typename decltype(bound)::types;
    return f(typename shared_plan_of<Reductions>::type{}, Reductions{}, args, extent);
  }

  // The descriptions themselves, with their options.
  [[nodiscard]] const std::tuple<Ms...>& metrics() const { return metrics_; }

 private:
  using Slots = std::tuple<typename detail::metric_traits<Ms>::slots...>;

  // A metric may have validate() const, which throws when its options are wrong.
  void validate() const {
    detail::for_each_index<size>([&]<int I>() {
      if constexpr (requires { std::get<I>(metrics_).validate(); }) std::get<I>(metrics_).validate();
    });
  }
  template <int I>
  std::string name_of() const {
    return detail::metric_name(std::get<I>(metrics_));
  }
  // What a saved state must agree on: the metrics' names and the kinds of their slots.
  std::string signature() const {
    std::string s;
    for (const std::string& n : names()) s += n + ";";
    const Slots none{};
    each_slot_of(none, [&](const auto& slot, const auto&) { s += slot.code; }, none);
    return s;
  }

  auto values(const Slots& slots) const { return values_of(metrics_, slots); }
  static auto values_of(const std::tuple<Ms...>& metrics, const Slots& slots) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      // The types are named because a tuple deduced from a pair would take it apart.
      return std::tuple<decltype(value(std::get<I>(metrics), std::get<I>(slots)))...>(
          value(std::get<I>(metrics), std::get<I>(slots))...);
    }(std::make_index_sequence<sizeof...(Ms)>{});
  }
  template <class M, class... Ss>
  static auto value(const M& metric, const Tuple<Ss...>& slots) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return metric.result(get<I>(slots).read()...);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
  }

  // f(slot, same slot of `others`) for all slots.
  template <class S, class F>
  static void each_slot_of(S& mine, F&& f, const Slots& others) {
    detail::for_each_index<size>([&]<int I>() {
      auto& a = std::get<I>(mine);
      const auto& b = std::get<I>(others);
      detail::for_each_index<
          detail::metric_traits<detail::type_at_t<I, Types<Ms...>>>::count>(
          [&]<int J>() { f(situ::get<J>(a), situ::get<J>(b)); });
    });
  }
  template <class... Ss>
  static void load_all(detail::Reader& in, Tuple<Ss...>& slots) {
    detail::for_each_index<static_cast<int>(sizeof...(Ss))>(
        [&]<int J>() { situ::get<J>(slots).load(in); });
  }

  template <class E, class... Xs>
  void update_with(On<E> where, Xs&&... xs) {
    static_assert(detail::runs_here<Device>,
                  "situ: a CUDA metric is updated in a file compiled as CUDA (nvcc)");
    static_assert(!detail::runs_here<Device> || detail::runs_on<E, Device>,
                  "situ: on(...) of a Host metric takes serial{}, threads{n} or std_threads{n}, and that "
                  "of a CUDA metric a situ::Stream of its device");
    using namespace detail;
    constexpr int highest = largest<std::remove_cvref_t<Xs>::rank...>;
    static_assert(highest >= 1, "situ: update_state takes tensors with at least one axis");
    auto nodes = make_tuple(make_node<Xs>(std::forward<Xs>(xs))...);
    if constexpr (detail::runs_here<Device> && detail::runs_on<E, Device>) {
      run(detail::any_resource(where.resource), nodes, std::integral_constant<int, highest>{});
    }
  }
  template <class Resource, class... Ns, int Highest>
  void run(const Resource& resource, const Tuple<Ns...>& nodes,
           std::integral_constant<int, Highest> highest) {
    [[maybe_unused]] const auto& scope = detail::scope_of(resource);
    with_plan(nodes, highest,
              [&](auto plan, auto reductions, const auto& args, const detail::Extent&) {
                state_.update(plan, reductions, resource, args);
              });
  }
  // The reductions of metric M and those after it in symbolic form, with their numbers.
  template <int M, class Ix, class... Es>
  auto bind_all(Ix, Types<Es...>) const {
    using namespace detail;
    if constexpr (M == size) {
      return BoundStates<Types<>, Tuple<>>{};
    } else {
      const auto reductions = states_of(std::get<M>(metrics_), Es{}...);
      return join_bound(reductions, Ix{}, [&](auto next) {
        return bind_all<M + 1>(next, Types<Es...>{});
      });
    }
  }

  std::tuple<Ms...> metrics_;
  detail::State<Device, Slots> state_;
};

// One metric on a device: Metric<Accuracy, Host> m; or Metric<WithinTolerance, Host> m{{.tolerance = 1}};
template <class M, device Device>
class Metric : public Collection<Device, M> {
 public:
  Metric() = default;  // the metric with its default options
  Metric(M metric) : Collection<Device, M>(std::move(metric)) {}
};

// Several metrics, updated in one pass.
template <device Device, class... Ms>
[[nodiscard]] auto collect(Ms... metrics) {
  static_assert(sizeof...(Ms) > 0, "situ: collect() needs at least one metric");
  return Collection<Device, Ms...>(std::move(metrics)...);
}

// to<Device>(metrics): the same metrics with their options and what they have seen, on another device. Waits
// for their updates; throws value_error if one was rejected, as result() does.
template <device To, device From, class... Ms>
[[nodiscard]] Collection<To, Ms...> to(const Collection<From, Ms...>& metrics) {
  auto there = std::make_from_tuple<Collection<To, Ms...>>(metrics.metrics());
  there.load(metrics.save());
  return there;
}
template <device To, class M, device From>
[[nodiscard]] Metric<M, To> to(const Metric<M, From>& metric) {
  Metric<M, To> there(std::get<0>(metric.metrics()));
  there.load(metric.save());
  return there;
}

}  // namespace situ
