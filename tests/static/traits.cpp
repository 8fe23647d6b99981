// SPDX-License-Identifier: Apache-2.0
// What templates and kernels rely on: operators are detectable, and what travels to a kernel is
// plain memory.
#include <type_traits>

#include "situ/situ.hpp"

using namespace situ;

namespace {

template <class A, class B>
concept adds = requires(const A& a, const B& b) {
  a + b;
};
template <class A, class B>
concept compares = requires(const A& a, const B& b) {
  a < b;
};
template <class A, class B>
concept chooses = requires(const A& a, const B& b) {
  where(a < 1.0f, a, b);
};
template <class A, class B>
concept takes_maximum = requires(const A& a, const B& b) {
  maximum(a, b);
};
template <class To, class From>
concept assigns = requires(To& to, const From& from) {
  to = from;
};
template <class M, class... Xs>
concept updates = requires(M& m, const Xs&... xs) {
  m.update_state(xs...);
};
template <class A, class B>
concept merges = requires(A& a, const B& b) {
  a.merge_state(b);
};

using OnHost = View<const float, 1, Host>;
using OnGpu = View<const float, 1, Cuda<0>>;
using OnOther = View<const float, 1, Cuda<1>>;

// The same device: yes. Two devices: no, and asking is no error.
static_assert(adds<OnHost, OnHost> && adds<OnGpu, OnGpu> && adds<OnHost, float>);
static_assert(!adds<OnHost, OnGpu> && !adds<OnGpu, OnHost> && !adds<OnGpu, OnOther>);
static_assert(compares<OnHost, OnHost> && !compares<OnHost, OnGpu>);
static_assert(chooses<OnHost, OnHost> && !chooses<OnHost, OnGpu>);
static_assert(takes_maximum<OnGpu, OnGpu> && !takes_maximum<OnGpu, OnOther>);
static_assert(!assigns<Tensor<float, 1, Host>, OnGpu>);
static_assert(updates<Metric<MeanSquaredError, Host>, OnHost, OnHost>);
static_assert(!updates<Metric<MeanSquaredError, Host>, OnHost, OnGpu>);
static_assert(!updates<Metric<MeanSquaredError, Host>, OnGpu, OnGpu>);
static_assert(merges<Metric<Accuracy, Host>, Metric<Accuracy, Host>>);
static_assert(!merges<Metric<Accuracy, Host>, Metric<Accuracy, Cuda<0>>>);
static_assert(!merges<Metric<Accuracy, Host>, Metric<Recall, Host>>);

// Element types without a common one.
using Long = View<const std::int64_t, 1, Host>;
using Unsigned = View<const std::uint64_t, 1, Host>;
static_assert(adds<Long, Long> && !adds<Long, OnHost> && !adds<Long, Unsigned>);
static_assert(assigns<Tensor<double, 1, Host>, decltype(OnHost{} * 2.0f)>);
static_assert(!assigns<Tensor<float, 1, Host>, decltype(View<const double, 1, Host>{} * 2.0)>);

// Views are cheap to copy; 16-bit floats are two plain bytes, as in CUDA and PyTorch.
static_assert(std::is_trivially_copyable_v<OnHost> && std::is_standard_layout_v<OnHost>);
template <class T>
inline constexpr bool plain_16_bits =
    sizeof(T) == 2 && alignof(T) == 2 && std::is_trivial_v<T>&& std::is_standard_layout_v<T>;
static_assert(plain_16_bits<float16> && plain_16_bits<bfloat16>);

// What a kernel gets: no device index, no ownership, plain memory.
using In = Column<float>;
using Args = Arguments<Tuple<In, In>, Types<>>;
static_assert(std::is_trivially_copyable_v<In> && std::is_standard_layout_v<In>);
static_assert(std::is_trivially_copyable_v<Args>);
static_assert(std::is_trivially_copyable_v<Moments> && std::is_trivially_copyable_v<CoMoments>);
static_assert(std::is_empty_v<Input<0, float, 1>> && std::is_empty_v<One> &&
              std::is_empty_v<ColumnIndex>);

// Tensors and metrics move; metrics copy with a state of their own.
static_assert(std::is_nothrow_move_constructible_v<Tensor<float, 2, Host>>);
static_assert(std::is_move_constructible_v<Metric<AUC, Host>> &&
              std::is_copy_constructible_v<Metric<AUC, Host>>);

// What is computed from const elements has the types of what is computed from others.
template <class T>
using Reads = View<const T, 1, Host>;
template <class T>
using Writes = View<T, 1, Host>;
template <class E>
using element_of = std::remove_const_t<typename E::value_type>;
template <class A, class B>
constexpr bool alike() {
  if constexpr (promotable<A, B>) {
    static_assert(std::is_same_v<element_of<decltype(Reads<A>{} * Reads<B>{})>,
                                 element_of<decltype(Writes<A>{} * Writes<B>{})>>);
    static_assert(std::is_same_v<element_of<decltype(maximum(Reads<A>{}, Reads<B>{}))>,
                                 element_of<decltype(maximum(Writes<A>{}, Writes<B>{}))>>);
  }
  return true;
}
template <class T, class... Ts>
constexpr bool alike_with_all() {
  static_assert(std::is_same_v<compute_t<const T>, compute_t<T>>);
  static_assert(
      std::is_same_v<decltype(evaluate(sum(Reads<T>{}), min(Reads<T>{}), max(Reads<T>{}))),
                     decltype(evaluate(sum(Writes<T>{}), min(Writes<T>{}), max(Writes<T>{})))>);
  static_assert(
      std::is_same_v<element_of<decltype(Reads<T>{} * 2)>, element_of<decltype(Writes<T>{} * 2)>>);
  static_assert(std::is_same_v<element_of<decltype(abs(Reads<T>{}))>,
                               element_of<decltype(abs(Writes<T>{}))>>);
  return (alike<T, Ts>() && ...);
}
template <class... Ts>
inline constexpr bool all_alike = (alike_with_all<Ts, Ts...>() && ...);
static_assert(
    all_alike<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
              std::uint32_t, std::int64_t, std::uint64_t, float16, bfloat16, float, double>);

}  // namespace
