// SPDX-License-Identifier: Apache-2.0
// Clustering scores against pairs counted one by one and entropies from their definitions.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "situ/metrics/clustering.hpp"

namespace {

using namespace situ;
using Labels = Tensor<std::int32_t, 1, Host>;

template <class M>
double score(M metric, const Labels& y_true, const Labels& y_pred) {
  Metric<M, Host> m(metric);
  m.update_state(y_true, y_pred);
  return m.result();
}
const Labels y{0, 0, 0, 1, 1, 2, 2, 2, 2, 1};
const Labels p{3, 3, 0, 0, 1, 1, 1, 1, 3, 0};

struct PairCounts {
  double together = 0, only_class = 0, only_cluster = 0, neither = 0;
  PairCounts() {
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < i; ++j) {
        const bool t = y(i) == y(j);
        const bool c = p(i) == p(j);
        (t ? (c ? together : only_class) : (c ? only_cluster : neither)) += 1;
      }
    }
  }
};

double entropy(const std::vector<int>& labels) {
  std::map<int, int> counts;
  for (int l : labels) ++counts[l];
  double h = 0;
  for (auto [l, n] : counts) {
    const double share = n / static_cast<double>(labels.size());
    h -= share * std::log(share);
  }
  return h;
}

}  // namespace

TEST_CASE("pair scores are those of all pairs of rows") {
  const PairCounts c;
  CHECK(score(RandScore{4}, y, p) == doctest::Approx((c.together + c.neither) / 45));
  CHECK(score(FowlkesMallowsScore{4}, y, p) ==
        doctest::Approx(c.together /
                        std::sqrt((c.together + c.only_class) * (c.together + c.only_cluster))));
  const double expected = (c.together + c.only_class) * (c.together + c.only_cluster) / 45;
  const double most = (2 * c.together + c.only_class + c.only_cluster) / 2;
  CHECK(score(AdjustedRandScore{4}, y, p) ==
        doctest::Approx((c.together - expected) / (most - expected)));
}

TEST_CASE("entropy scores follow from the entropies of classes, clusters and pairs") {
  std::vector<int> a, b, ab;
  for (int i = 0; i < 10; ++i) {
    a.push_back(y(i));
    b.push_back(p(i));
    ab.push_back(y(i) * 4 + p(i));
  }
  const double mutual = entropy(a) + entropy(b) - entropy(ab);
  CHECK(score(MutualInformation{4}, y, p) == doctest::Approx(mutual));
  CHECK(score(Homogeneity{4}, y, p) == doctest::Approx(mutual / entropy(a)));
  CHECK(score(Completeness{4}, y, p) == doctest::Approx(mutual / entropy(b)));
  CHECK(score(VMeasure{4}, y, p) == doctest::Approx(2 * mutual / (entropy(a) + entropy(b))));
  CHECK(score(NormalizedMutualInformation{4}, y, p) == doctest::Approx(score(VMeasure{4}, y, p)));
  CHECK(score(NormalizedMutualInformation{4, EntropyMean::geometric}, y, p) ==
        doctest::Approx(mutual / std::sqrt(entropy(a) * entropy(b))));
}

TEST_CASE("renaming clusters changes nothing, and equal partitions are exactly 1") {
  const Labels renamed{2, 2, 1, 1, 0, 0, 0, 0, 2, 1};
  const auto check = [&](auto metric, bool one) {
    CHECK(score(metric, y, p) == doctest::Approx(score(metric, y, renamed)));
    if (one) CHECK(score(metric, p, renamed) == doctest::Approx(1.0).epsilon(1e-15));
  };
  check(RandScore{4}, true);
  check(AdjustedRandScore{4}, true);
  check(FowlkesMallowsScore{4}, true);
  check(MutualInformation{4}, false);
  check(Homogeneity{4}, true);
  check(Completeness{4}, true);
  check(VMeasure{4}, true);
  CHECK(score(RandScore{4}, p, renamed) == 1.0);
  CHECK(score(AdjustedRandScore{4}, p, renamed) == 1.0);
}

TEST_CASE("without rows, clusters match as well as scikit-learn says") {
  CHECK(Metric<RandScore, Host>(RandScore{4}).result() == 1.0);
  CHECK(Metric<AdjustedRandScore, Host>(AdjustedRandScore{4}).result() == 1.0);
  CHECK(Metric<MutualInformation, Host>(MutualInformation{4}).result() == 0.0);
  CHECK(Metric<NormalizedMutualInformation, Host>(NormalizedMutualInformation{4}).result() == 1.0);
  CHECK(Metric<VMeasure, Host>(VMeasure{4}).result() == 1.0);
  CHECK_THROWS_AS((Metric<RandScore, Host>(RandScore{})), argument_error);
  CHECK_THROWS_AS((Metric<VMeasure, Host>(VMeasure{4, -1.0})), argument_error);
}
