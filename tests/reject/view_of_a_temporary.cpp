// SPDX-License-Identifier: Apache-2.0
// A view of something that is about to disappear would dangle.
// case: OF_TENSOR
// case: OF_VECTOR
// expect-gcc: use of deleted function
// expect-clang: deleted
// expect-nvcc: deleted function
#include <situ/tensor.hpp>

situ::Tensor<float, 1, situ::Host> make_tensor();
std::vector<float> make_vector();

#ifndef OF_VECTOR
std::int64_t tensor() {
#ifdef CURED
  const auto named = make_tensor();
  return named.view().size();
#else
  return make_tensor().view().size();
#endif
}
#endif

#ifndef OF_TENSOR
std::int64_t vector() {
#ifdef CURED
  const auto named = make_vector();
  return situ::View<const float, 1, situ::Host>(named).size();
#else
  return situ::View<const float, 1, situ::Host>(make_vector()).size();
#endif
}
#endif
