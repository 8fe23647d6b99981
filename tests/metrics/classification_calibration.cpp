// SPDX-License-Identifier: Apache-2.0
// Calibration errors against bins filled by hand, and what is in a bin at its ends.
#include <doctest/doctest.h>

#include <cmath>

#include "situ/metrics/calibration.hpp"

namespace {

using namespace situ;
using Labels = Tensor<std::int32_t, 1, Host>;
using Scores = Tensor<float, 1, Host>;

template <class M, class... Ts>
double score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}

}  // namespace

TEST_CASE("a bin's gap is between its share of ones and its mean probability") {
  const Labels y{0, 1, 1, 1};
  const Scores p{0.125f, 0.25f, 0.75f, 0.5f};  // two bins: {0.125, 0.25} and {0.75, 0.5}
  CHECK(score(CalibrationError{.num_bins = 2}, y, p) == (0.3125 + 0.375) / 2);
  CHECK(score(CalibrationError{2, CalibrationNorm::max}, y, p) == 0.375);
  CHECK(score(CalibrationError{2, CalibrationNorm::l2}, y, p) ==
        doctest::Approx(std::sqrt((0.3125 * 0.3125 + 0.375 * 0.375) / 2)));
  const Scores w{1, 0, 2, 1};
  CHECK(score(CalibrationError{.num_bins = 2}, y, p, w) ==
        doctest::Approx((0.125 + (3 - 2.0)) / 4));
}

TEST_CASE("probabilities 0 and 1 have a bin, and what is certain and right costs nothing") {
  CHECK(score(CalibrationError{}, Labels{0, 1, 1, 0}, Scores{0, 1, 1, 0}) == 0.0);
  CHECK(score(CalibrationError{}, Labels{1, 0}, Scores{0, 1}) == 1.0);
  CHECK(score(CalibrationError{.num_bins = 1}, Labels{1, 0}, Scores{0, 1}) == 0.0);
  // A probability at the edge of two bins is in the upper one: alone there.
  CHECK(score(CalibrationError{2, CalibrationNorm::max}, Labels{0, 1}, Scores{0.25f, 0.5f}) == 0.5);
}

TEST_CASE("of classes the most probable one counts") {
  const Labels y{0, 2, 1};
  const Tensor<float, 2, Host> p{{0.75f, 0.25f, 0}, {0.25f, 0.25f, 0.5f}, {0.5f, 0.5f, 0}};
  // Confidences 0.75, 0.5, 0.5; right, right, wrong.
  CHECK(score(CalibrationError{.num_bins = 4}, y, p) == doctest::Approx(0.25 / 3));
  CHECK(score(CalibrationError{4, CalibrationNorm::max}, y, p) == 0.25);
}

TEST_CASE("rows of weight 0 and other probabilities have no bin") {
  CHECK(score(CalibrationError{}, Labels{1}, Scores{0.25f}, Scores{0}) == 0.0);
  CHECK(Metric<CalibrationError, Host>(CalibrationError{.undefined = undefined::one}).result() ==
        1.0);
  CHECK_THROWS_AS(score(CalibrationError{}, Labels{1}, Scores{1.5f}), value_error);
  CHECK_THROWS_AS(score(CalibrationError{}, Labels{2}, Scores{0.5f}), value_error);
  CHECK_THROWS_AS((Metric<CalibrationError, Host>(CalibrationError{.num_bins = 0})),
                  argument_error);
}
