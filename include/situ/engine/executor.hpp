// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "situ/error.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

// Who runs the parts of a pass on the host. The parts depend on the problem's size only and their results
// are joined in order, so an executor decides how fast a result comes, never what it is.
//
// An executor has run(parts, f): calls f(0) ... f(parts - 1), in any order, on any threads, and returns
// when all are done; and is_parallel(): false keeps small problems from asking.
namespace situ {

// A part of a pass as executors see it: f(part number). Not a template, so that an executor is compiled
// once and not for every pass.
class PartFunction {
 public:
  template <class F>
  PartFunction(F& f)
      : object_(&f), call_([](void* object, std::int64_t part) { (*static_cast<F*>(object))(part); }) {}
  void operator()(std::int64_t part) const { call_(object_, part); }

 private:
  void* object_;
  void (*call_)(void*, std::int64_t);
};

// The calling thread.
struct serial {
  static constexpr bool is_parallel() { return false; }
  void run(std::int64_t parts, PartFunction f) const {
    for (std::int64_t p = 0; p < parts; ++p) f(p);
  }
};

// `count` threads of the standard library, made for each pass. Costs some 20 microseconds a thread, and
// ThreadSanitizer understands it.
struct std_threads {
  int count = 0;  // 0: as many as the machine has

  bool is_parallel() const { return count != 1; }
  void run(std::int64_t parts, PartFunction f) const {
    std::int64_t n = count > 0 ? count : static_cast<std::int64_t>(std::thread::hardware_concurrency());
    n = n < parts ? n : parts;
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    auto work = [&] {
      try {
        for (std::int64_t p = next++; p < parts; p = next++) f(p);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    };
    std::vector<std::thread> team;
    for (std::int64_t t = 1; t < n; ++t) team.emplace_back(work);
    work();
    for (auto& t : team) t.join();
    if (failure) std::rethrow_exception(failure);
  }
};

#ifdef _OPENMP
// OpenMP's team.
struct openmp {
  int count = 0;  // 0: OpenMP's own default

  bool is_parallel() const { return count != 1; }
  void run(std::int64_t parts, PartFunction f) const {
    std::exception_ptr failure;
    const int team = count > 0 ? count : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic) num_threads(team)
    for (std::int64_t p = 0; p < parts; ++p) {
      try {
        f(p);
      } catch (...) {
#pragma omp critical(situ_failure)
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }
};
using default_executor = openmp;
#else
using default_executor = std_threads;
#endif

// threads(4): at most four threads, of OpenMP where the unit is compiled with it.
using threads = default_executor;

namespace detail {
template <class X>
concept executor = requires(const X& x, PartFunction f) {
  x.is_parallel();
  x.run(std::int64_t{}, f);
};

// Any executor, so that a pass is compiled once and not for every one of them. Does not own it.
class AnyExecutor {
 public:
  template <executor X>
  AnyExecutor(const X& x)
      : object_(&x), is_parallel_(x.is_parallel()), run_([](const void* object, std::int64_t parts,
                                                            PartFunction f) {
          static_cast<const X*>(object)->run(parts, f);
        }) {}
  bool is_parallel() const { return is_parallel_; }
  void run(std::int64_t parts, PartFunction f) const { run_(object_, parts, f); }

 private:
  const void* object_;
  bool is_parallel_;
  void (*run_)(const void*, std::int64_t, PartFunction);
};
}  // namespace detail

// The leading argument of update_state, evaluate and assign that says where a pass runs.
template <class X>
struct On {
  X resource;
};
template <class X>
[[nodiscard]] constexpr On<X> on(X resource) {
  return {resource};
}

}  // namespace situ
