// SPDX-License-Identifier: Apache-2.0
// Classes that neither occur nor are predicted, in plain means over classes.
#include <doctest/doctest.h>

#include "situ/metrics/confusion.hpp"

namespace {

using namespace situ;

template <class M>
double score(M metric) {
  const Tensor<std::int32_t, 1, Host> y{0, 0, 1, 1};
  const Tensor<float, 2, Host> p{{3, 1, 0}, {1, 3, 0}, {0, 3, 1}, {1, 3, 0}};
  Metric<M, Host> m(metric);
  m.update_state(y, p);
  return m.result();
}

}  // namespace

TEST_CASE("an absent class counts as undefined, or not at all, as the policy says") {
  const double zero = 2.0 / 3;  // of class 0: one hit, none predicted wrongly, one missed
  const double one = 0.8;       // of class 1: two hits, one predicted wrongly
  const auto f1 = [](Undefined undefined) {
    return score(F1Score{.average = Average::macro, .threshold = {}, .undefined = undefined});
  };
  CHECK(f1(undefined::keras) == doctest::Approx((zero + one) / 3));
  CHECK(f1(undefined::sklearn) == doctest::Approx((zero + one) / 2));
  CHECK(f1(undefined::torchmetrics) == doctest::Approx((zero + one) / 2));
  CHECK(f1(undefined::one) == doctest::Approx((zero + one + 1) / 3));
  CHECK(score(JaccardIndex{
            .average = Average::macro, .threshold = {}, .undefined = undefined::sklearn}) ==
        doctest::Approx((0.5 + 2.0 / 3) / 2));
}
