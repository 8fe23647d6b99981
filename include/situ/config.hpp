// SPDX-License-Identifier: Apache-2.0
#pragma once

// The only macros of the library; none is needed in a user's code.

#if __cplusplus < 202002L
#error "situ: these headers are C++20; compile with -std=c++20 or later"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "situ: with -ffast-math a compiler assumes that there is no NaN, and checks of labels and scores vanish; leave it out, or add -fno-finite-math-only"
#endif

// Marks what host and device share. Empty in a plain C++ unit.
#ifdef __CUDACC__
#define SITU_HD __host__ __device__
// Goes before the `template` of a SITU_HD function template that also serves host-only SIMD packs:
// nvcc would warn about the host-only operators although no kernel ever instantiates them.
#define SITU_EXEC_CHECK_OFF _Pragma("nv_exec_check_disable")
#else
#define SITU_HD
#define SITU_EXEC_CHECK_OFF
#endif

// Pack operators and node evaluation must vanish into the loop that calls them, also at -O2. Not under
// sanitizers, whose checks would multiply: a unit took ten times as long to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SITU_INLINE inline
#else
#define SITU_INLINE inline __attribute__((always_inline))
#endif

// A deleted function that says why, where the compiler can print it (C++26) and in the source line
// that every compiler quotes.
#if __cpp_deleted_function >= 202403L
#define SITU_REFUSE(sentence) = delete (sentence)
#else
#define SITU_REFUSE(sentence) = delete
#endif
