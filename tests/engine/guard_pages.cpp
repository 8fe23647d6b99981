// SPDX-License-Identifier: Apache-2.0
// No load goes past an input: each ends, or begins, where a page without access does.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "situ/situ.hpp"

using namespace situ;

namespace {

// Room for `bytes` between two pages that must not be touched, at the end of what lies between or
// at its beginning.
class Guarded {
 public:
  Guarded(std::size_t bytes, bool at_end) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    const std::size_t inner = (bytes + page_ - 1) / page_ * page_ + page_;
    size_ = inner + 2 * page_;
    void* all = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(all != MAP_FAILED);
    start_ = static_cast<unsigned char*>(all);
    REQUIRE(mprotect(start_ + page_, inner, PROT_READ | PROT_WRITE) == 0);
    data_ = start_ + page_ + (at_end ? inner - bytes : 0);
  }
  ~Guarded() { munmap(start_, size_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::size_t page_;
  std::size_t size_ = 0;
  unsigned char* start_ = nullptr;
  unsigned char* data_ = nullptr;
};

// y_true, y_pred and weights of all sizes up to a few vectors, each in guarded memory of its own.
template <class Y, class P, class Metrics>
void rank_1(Metrics make) {
  for (const bool at_end : {true, false}) {
    for (std::int64_t n = 0; n < 140; n += n < 70 ? 1 : 13) {
      const auto count = static_cast<std::size_t>(n);
      const Guarded y(count * sizeof(Y), at_end);
      const Guarded p(count * sizeof(P), at_end);
      const Guarded w(count * sizeof(float), at_end);
      double ones = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        y.as<Y>()[i] = static_cast<Y>(i % 3 == 0);
        p.as<P>()[i] = P(static_cast<float>(i % 8) / 8.0f);
        w.as<float>()[i] = 1;
        ones += i % 3 == 0 ? 1 : 0;
      }
      auto m = make();
      m.update_state(View<const Y, 1, Host>(y.as<Y>(), {{n}}),
                     View<const P, 1, Host>(p.as<P>(), {{n}}));
      m.update_state(View<const Y, 1, Host>(y.as<Y>(), {{n}}),
                     View<const P, 1, Host>(p.as<P>(), {{n}}),
                     View<const float, 1, Host>(w.as<float>(), {{n}}));
      CHECK(m.template result<TruePositives>() + m.template result<FalseNegatives>() == 2 * ones);
    }
  }
}

// Rows of one length; a row is read in whole vectors only as far as it goes.
template <class P>
void rank_2() {
  for (const bool at_end : {true, false}) {
    for (const std::int64_t columns : {1, 2, 3, 5, 8, 10, 17, 31, 33, 64, 65, 100, 257}) {
      for (const std::int64_t rows : {1, 2, 3, 17}) {
        const Guarded y(static_cast<std::size_t>(rows) * sizeof(std::int32_t), at_end);
        const Guarded p(static_cast<std::size_t>(rows * columns) * sizeof(P), at_end);
        for (std::int64_t i = 0; i < rows; ++i) {
          y.as<std::int32_t>()[i] = static_cast<std::int32_t>(i % columns);
          for (std::int64_t j = 0; j < columns; ++j) {
            p.as<P>()[i * columns + j] = P(j == i % columns ? 1.0f : 0.25f);
          }
        }
        auto m =
            collect<Host>(SparseCategoricalAccuracy{}, SparseTopKCategoricalAccuracy{.k = 2},
                          SparseCategoricalCrossentropy{.from_logits = true}, ConfusionMatrix{});
        const View<const P, 2, Host> scores(p.as<P>(), {{rows, columns}});
        m.update_state(View<const std::int32_t, 1, Host>(y.as<std::int32_t>(), {{rows}}), scores);
        CHECK(m.template result<SparseCategoricalAccuracy>() == 1);
        CHECK(evaluate(sum(scores)) ==
              doctest::Approx(static_cast<double>(rows) *
                              (1 + 0.25 * static_cast<double>(columns - 1))));
      }
    }
  }
}

// Assignments write exactly their elements.
void assignments() {
  for (const bool at_end : {true, false}) {
    for (std::int64_t n = 1; n < 140; n += n < 70 ? 1 : 13) {
      const Guarded a(static_cast<std::size_t>(n) * sizeof(float), at_end);
      const Guarded b(static_cast<std::size_t>(n) * sizeof(std::uint8_t), at_end);
      const View<float, 1, Host> x(a.as<float>(), {{n}});
      const View<std::uint8_t, 1, Host> k(b.as<std::uint8_t>(), {{n}});
      std::memset(k.data(), 3, static_cast<std::size_t>(n));
      assign(x, sqrt(cast<float>(k) * 3.0f));
      CHECK(evaluate(min(x)) == 3);
      CHECK(evaluate(max(x)) == 3);
    }
  }
}

}  // namespace

TEST_CASE("loads of rank-1 inputs stay inside them") {
  const auto make = [] {
    return collect<Host>(TruePositives{}, FalseNegatives{}, MeanSquaredError{},
                         AUC{.num_thresholds = 5});
  };
  rank_1<std::int32_t, float>(make);
  rank_1<std::uint8_t, float16>(make);
}

TEST_CASE("loads of rows stay inside them") { rank_2<float>(); }

TEST_CASE("assignments stay inside their destination") { assignments(); }
