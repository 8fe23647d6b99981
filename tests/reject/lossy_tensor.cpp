// SPDX-License-Identifier: Apache-2.0
// A tensor takes an expression, a view or another tensor only if it holds all their values.
// expect: match_the_rank_and_convert_the_elements_with_situ_cast
// case: NARROW
// case: ASSIGN
// case: TENSOR
// case: RANK
// nvcc: no
#include <situ/situ.hpp>

using namespace situ;
using Vector = Tensor<float, 1, Host>;

#ifdef CURED
Vector make(View<const double, 1, Host> x) { return cast<float>(x * 2.0); }
#endif
#ifdef NARROW
Vector make(View<const double, 1, Host> x) { return x * 2.0; }
#endif
#ifdef ASSIGN
void assign(Vector& to, View<const double, 1, Host> x) { to = x * 2.0; }
#endif
#ifdef TENSOR
Vector make(const Tensor<std::int64_t, 1, Host>& x) { return Vector(x); }
#endif
#ifdef RANK
Vector make(View<const float, 2, Host> x) { return x * 2.0f; }
#endif
