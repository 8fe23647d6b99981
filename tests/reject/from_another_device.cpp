// SPDX-License-Identifier: Apache-2.0
// Construction and assignment never copy between devices by themselves, in either direction.
// expect-gcc: Host
// expect-nvcc: Host
// expect: Cuda<0>
// expect: move_one_operand_with_situ_to_Device
// case: HOST_FROM_CUDA
// case: CUDA_FROM_HOST
// case: FROM_VIEW
// case: FROM_EXPRESSION
// case: IMPLICIT
// case: ASSIGN_TENSOR
// case: ASSIGN_EXPRESSION
// case: VIEW_OF_TENSOR
// case: VIEW_OF_VIEW
#include <situ/situ.hpp>

using namespace situ;

#ifdef CURED
Tensor<float, 1, Host> host_from_host(const Tensor<float, 1, Host>& x) {
  return Tensor<float, 1, Host>(x);
}
Tensor<float, 1, Cuda<0>> cuda_from_cuda(Tensor<float, 1, Cuda<0>>& x) {
  return Tensor<float, 1, Cuda<0>>(std::move(x));
}
Tensor<float, 1, Host> from_view(View<const float, 1, Host> x) { return to<Host>(x); }
Tensor<float, 1, Host> from_expression(View<const float, 1, Host> x) { return to<Host>(x + 1.0f); }
void assign(Tensor<float, 1, Host>& target, View<const float, 1, Host> x) {
  target = to<Host>(x * 2.0f);
}
View<const float, 1, Host> view_of(const Tensor<float, 1, Host>& x) { return x; }
#endif
#ifdef HOST_FROM_CUDA
Tensor<float, 1, Host> make(const Tensor<float, 1, Cuda<0>>& x) {
  return Tensor<float, 1, Host>(x);
}
#endif
#ifdef CUDA_FROM_HOST
Tensor<float, 1, Cuda<0>> make(const Tensor<float, 1, Host>& x) {
  return Tensor<float, 1, Cuda<0>>(x);
}
#endif
#ifdef FROM_VIEW
Tensor<float, 1, Host> make(const View<const float, 1, Cuda<0>>& x) {
  return Tensor<float, 1, Host>(x);
}
#endif
#ifdef FROM_EXPRESSION
Tensor<float, 1, Host> make(const View<const float, 1, Cuda<0>>& x) {
  return Tensor<float, 1, Host>(x + 1.0f);
}
#endif
#ifdef IMPLICIT
Tensor<float, 1, Host> make(const Tensor<float, 1, Cuda<0>>& x) { return x; }
#endif
#ifdef ASSIGN_TENSOR
void assign(Tensor<float, 1, Host>& target, const Tensor<float, 1, Cuda<0>>& x) { target = x; }
#endif
#ifdef ASSIGN_EXPRESSION
void assign(Tensor<float, 1, Host>& target, const View<const float, 1, Cuda<0>>& x) {
  target = x * 2.0f;
}
#endif
#ifdef VIEW_OF_TENSOR
View<const float, 1, Host> view_of(const Tensor<float, 1, Cuda<0>>& x) {
  return View<const float, 1, Host>(x);
}
#endif
#ifdef VIEW_OF_VIEW
View<const float, 1, Host> view_of(const View<const float, 1, Cuda<0>>& x) {
  return View<const float, 1, Host>(x);
}
#endif
