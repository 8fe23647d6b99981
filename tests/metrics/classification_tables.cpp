// SPDX-License-Identifier: Apache-2.0
// Scores that are read from a table of true and predicted classes.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "situ/metrics/agreement.hpp"
#include "situ/metrics/overlap.hpp"

namespace {

using namespace situ;
using Labels = Tensor<std::int32_t, 1, Host>;

template <class M, class... Ts>
auto score(M metric, const Ts&... inputs) {
  Metric<M, Host> m(metric);
  m.update_state(inputs...);
  return m.result();
}

}  // namespace

TEST_CASE("kappa is one minus the mistakes over those of chance, linearly or by squares if asked") {
  const Labels y{0, 0, 1, 1, 2, 2};
  const Labels p{0, 1, 1, 1, 2, 0};
  // Mistakes 2 of 6; by chance 1 - (2*2 + 2*3 + 2*1) / 36.
  CHECK(score(CohenKappa{.num_classes = 3}, y, p) == doctest::Approx(1 - (2.0 / 6) / (24.0 / 36)));
  // Distances: 1 + 2 of 6; by chance the sum of |i - j| n_i m_j = 2*3+2*2*1 + 2*2+2*1 + 2*2*2+2*3
  // = 30.
  CHECK(score(CohenKappa{.num_classes = 3, .weights = KappaWeights::linear}, y, p) ==
        doctest::Approx(1 - 3.0 * 6 / 30));
  CHECK(score(CohenKappa{.num_classes = 3, .weights = KappaWeights::quadratic}, y, p) ==
        doctest::Approx(1 - 5.0 * 6 / (2 * 3 + 2 * 4 * 1 + 2 * 2 + 2 * 1 + 2 * 4 * 2 + 2 * 3)));
  CHECK(score(CohenKappa{.num_classes = 3}, y, y) == 1.0);
}

TEST_CASE("chance without mistakes leaves kappa and correlation undefined") {
  const Labels one{1, 1, 1};
  CHECK(score(CohenKappa{.num_classes = 2}, one, one) == 0.0);
  CHECK(std::isnan(score(CohenKappa{.num_classes = 2, .undefined = undefined::nan}, one, one)));
  CHECK(std::isnan(
      score(MatthewsCorrelation{.num_classes = 2, .undefined = undefined::nan}, one, one)));
  CHECK(std::isnan(
      Metric<BalancedAccuracy, Host>(BalancedAccuracy{.num_classes = 2, .undefined = undefined::nan}).result()));
}

TEST_CASE("the correlation of two classes is that of Matthews, and exactly 1 and -1 at the ends") {
  const Labels y{1, 1, 1, 0, 0, 1, 0};
  const Labels p{1, 0, 1, 0, 1, 1, 0};
  const double tp = 3, tn = 2, fp = 1, fn = 1;
  CHECK(score(MatthewsCorrelation{.num_classes = 2}, y, p) ==
        doctest::Approx((tp * tn - fp * fn) /
                        std::sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))));
  CHECK(score(MatthewsCorrelation{.num_classes = 2}, y, y) == 1.0);
  CHECK(score(MatthewsCorrelation{.num_classes = 2}, y, 1 - y) == -1.0);
}

TEST_CASE("balanced accuracy is the mean recall of the classes that occur") {
  const Labels y{0, 0, 0, 0, 2, 2};
  const Labels p{0, 0, 0, 1, 2, 3};
  CHECK(score(BalancedAccuracy{.num_classes = 4}, y, p) == (0.75 + 0.5) / 2);
  CHECK(score(BalancedAccuracy{.num_classes = 4, .adjusted = true}, y, p) == (0.625 - 0.5) / 0.5);
}

TEST_CASE("scores and one-hot rows stand for their classes") {
  const Labels y{0, 1, 2, 2};
  const Tensor<float, 2, Host> p{{0.9f, 0, 0}, {0, 0.2f, 0.8f}, {0, 0, 1}, {0.4f, 0.4f, 0.1f}};
  const Labels label{0, 2, 2, 0};
  CHECK(score(CohenKappa{}, y, p) == score(CohenKappa{.num_classes = 3}, y, label));
  CHECK(score(OneHotMeanIoU{.num_classes = 3}, y, p) == score(MeanIoU{.num_classes = 3}, y, label));
  CHECK(score(OneHotMeanIoU{.num_classes = 3}, p, y) == score(MeanIoU{.num_classes = 3}, label, y));
}

TEST_CASE("overlap is the mean over the classes that occur") {
  const Labels y{0, 0, 1, 1};
  const Labels p{0, 1, 0, 1};
  const Tensor<float, 1, Host> w{0.3f, 0.3f, 0.3f, 0.1f};
  CHECK(score(MeanIoU{.num_classes = 5}, y, p) == doctest::Approx(1.0 / 3));
  CHECK(score(IoU{.num_classes = 2, .target_class_ids = {0}}, y, p, w) ==
        doctest::Approx(0.3 / 0.9));
  CHECK(score(IoU{.num_classes = 5, .target_class_ids = {4}, .undefined = undefined::one}, y, p) ==
        1.0);
  CHECK(score(BinaryIoU{}, y, Tensor<float, 1, Host>{0.1f, 0.5f, 0.4f, 0.7f}) ==
        doctest::Approx((1.0 / 3 + 1.0 / 3) / 2));
  CHECK(score(BinaryIoU{.target_class_ids = {1}, .threshold = 0.3}, y,
              Tensor<float, 1, Host>{0.1f, 0.2f, 0.4f, 0.7f}) == 1.0);
}

TEST_CASE("rows of the ignored class count on neither side") {
  const Labels y{0, 255, 1, 1};
  const Labels p{0, 1, 0, 1};
  const Labels y_kept{0, 1, 1};
  const Labels p_kept{0, 0, 1};
  CHECK(score(MeanIoU{.num_classes = 2, .ignore_class = 255}, y, p) ==
        score(MeanIoU{.num_classes = 2}, y_kept, p_kept));
  CHECK_THROWS_AS(score(MeanIoU{.num_classes = 2}, y, p), value_error);
}

TEST_CASE("wrong options of table metrics are refused when the metric is made") {
  CHECK_THROWS_AS((Metric<MeanIoU, Host>(MeanIoU{})), argument_error);
  CHECK_THROWS_AS((Metric<IoU, Host>(IoU{.num_classes = 3})), argument_error);
  CHECK_THROWS_AS((Metric<IoU, Host>(IoU{.num_classes = 3, .target_class_ids = {3}})), argument_error);
  CHECK_THROWS_AS((Metric<BinaryIoU, Host>(BinaryIoU{.target_class_ids = {2}})), argument_error);
  CHECK_THROWS_AS((Metric<CohenKappa, Host>(CohenKappa{.num_classes = -1})), argument_error);
  const Labels y{0, 1};
  CHECK_THROWS_AS(score(CohenKappa{}, y, y), argument_error);
}
