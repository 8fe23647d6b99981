// SPDX-License-Identifier: Apache-2.0
// Mixing devices does not compile, and one can ask without an error.
//
//   y_pred - y_true
//   error: use of deleted function 'void situ::operator-(A&&, B&&) [with A = View<const float, 1, Cuda<0> >&;
//          B = View<const float, 1, Host>&; Cure = move_one_operand_with_situ_to_Device]'
#include <cstdio>
#include <situ/situ.hpp>

using namespace situ;

template <class A, class B>
concept subtractable = requires(A a, B b) { a - b; };
template <class M, class A, class B>
concept updatable = requires(M m, A a, B b) { m.update_state(a, b); };

using OnHost = View<const float, 1, Host>;
using OnCuda = View<const float, 1, Cuda<0>>;
static_assert(subtractable<OnHost, OnHost>);
static_assert(subtractable<OnCuda, OnCuda>);
static_assert(!subtractable<OnHost, OnCuda>);
static_assert(!updatable<Metric<MeanSquaredError, Host>, OnHost, OnCuda>);

int main() {
  const Tensor<float, 1, Host> x{1, 2, 3};
  // The cure: an explicit transfer, here from Host to Host, elsewhere to<Cuda<0>>(x).
  const auto y = to<Host>(x * 2.0f);
  std::printf("placed on %s: %g\n", device_name<device_of<decltype(y)>>().c_str(), static_cast<double>(y(2)));
  return y(2) == 6 ? 0 : 1;
}
