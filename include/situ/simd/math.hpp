// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/simd/exponential.hpp"
#include "situ/simd/logarithm.hpp"

// Exponentials and logarithms of packs and scalars, from one source: short polynomials,
// near-minimax fits made with Chebyshev interpolation in 40 digits. Products are never contracted
// into fused multiply-adds, so the bits are the same for every instruction set and compiler, and
// for a scalar and a lane (of NaN only that it is one). Largest errors in units in the last place,
// as tests/simd asserts them: exp, exp2, log 1.05; log1p 1.5; expm1, softplus, log2 2; log10 2.1;
// tanh, sigmoid 2.5. Zeros, denormals, infinities and NaN are right.
namespace situ::simd {

// The C library's, lane by lane.
template <detail::number T>
SITU_HD SITU_INLINE T pow(T x, T y) {
  return std::pow(x, y);
}
template <class T, int N>
inline Pack<T, N> pow(const Pack<T, N>& x, const Pack<T, N>& y) {
  Pack<T, N> r;
  for (int i = 0; i < N; ++i) r.v[i] = std::pow(x.v[i], y.v[i]);
  return r;
}

}  // namespace situ::simd
