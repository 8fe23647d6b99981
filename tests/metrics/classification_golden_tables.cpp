// SPDX-License-Identifier: Apache-2.0
// Recorded cases of scores that are read from a table of classes.
#include "golden_classification.hpp"
#include "situ/metrics/adjusted_mutual_information.hpp"
#include "situ/metrics/agreement.hpp"
#include "situ/metrics/clustering.hpp"
#include "situ/metrics/overlap.hpp"

// scikit-learn gives NaN where kappa or an adjusted score is undefined, or minus infinity.
namespace {

using namespace situ;
using namespace golden_classification;

std::int32_t classes(const Case& c) { return static_cast<std::int32_t>(c.cols); }
std::vector<std::int32_t> targets(const Case& c) {
  return reference::as<std::int32_t>(reference::numbers(c.option("target_class_ids")));
}
std::optional<std::int64_t> ignored(const Case& c) {
  if (!c.has_option("ignore_class")) return std::nullopt;
  return static_cast<std::int64_t>(c.number("ignore_class", 0));
}
template <class M>
std::vector<double> of_labels(const M& metric, const Case& c) {
  return answer<1, 1, std::int32_t, std::int32_t>(metric, c);
}
template <class M>
void clusters(const char* name) {
  compare(name, "sklearn", [](const Case& c) {
    return answer<1, 1, std::int32_t, std::int32_t, false>(M{classes(c)}, c);
  });
}
template <class M>
void of_entropies(const char* name) {
  compare(name, "sklearn", [](const Case& c) {
    const std::string how = c.option("mean");
    const auto mean = how == "geometric" ? EntropyMean::geometric
                      : how == "min"     ? EntropyMean::min
                      : how == "max"     ? EntropyMean::max
                                         : EntropyMean::arithmetic;
    return answer<1, 1, std::int32_t, std::int32_t, false>(M{classes(c), mean}, c);
  });
}

}  // namespace

TEST_CASE("CohenKappa agrees with scikit-learn") {
  compare("CohenKappa", "sklearn", [](const Case& c) {
    const std::string how = c.option("weights");
    return of_labels(CohenKappa{.num_classes = classes(c),
                                .weights = how == "linear"      ? KappaWeights::linear
                                           : how == "quadratic" ? KappaWeights::quadratic
                                                                : KappaWeights::none,
                                .undefined = undefined::nan},
                     c);
  });
}
TEST_CASE("MatthewsCorrelation agrees with scikit-learn") {
  compare("MatthewsCorrelation", "sklearn", [](const Case& c) {
    return of_labels(MatthewsCorrelation{.num_classes = classes(c)}, c);
  });
}
TEST_CASE("BalancedAccuracy agrees with scikit-learn") {
  compare("BalancedAccuracy", "sklearn", [](const Case& c) {
    return of_labels(BalancedAccuracy{classes(c), c.option("adjusted") == "1", undefined::nan}, c);
  });
}
TEST_CASE("IoU and MeanIoU agree with Keras") {
  compare("IoU", "keras", [](const Case& c) {
    return of_labels(IoU{classes(c), targets(c), ignored(c)}, c);
  });
  compare("MeanIoU", "keras", [](const Case& c) {
    return of_labels(MeanIoU{classes(c), ignored(c)}, c);
  });
}
TEST_CASE("OneHotIoU and OneHotMeanIoU agree with Keras") {
  compare("OneHotIoU", "keras", [](const Case& c) {
    return answer<2, 2, float, float>(OneHotIoU{classes(c), targets(c), ignored(c)}, c);
  });
  compare("OneHotMeanIoU", "keras", [](const Case& c) {
    return answer<2, 2, float, float>(OneHotMeanIoU{classes(c), ignored(c)}, c);
  });
}
TEST_CASE("BinaryIoU agrees with Keras") {
  compare("BinaryIoU", "keras", [](const Case& c) {
    return answer<1, 1, std::int32_t, float>(BinaryIoU{targets(c), c.number("threshold", 0.5)}, c);
  });
}
TEST_CASE("clustering scores agree with scikit-learn") {
  clusters<RandScore>("RandScore");
  clusters<AdjustedRandScore>("AdjustedRandScore");
  clusters<FowlkesMallowsScore>("FowlkesMallowsScore");
  clusters<MutualInformation>("MutualInformation");
  clusters<Homogeneity>("Homogeneity");
  clusters<Completeness>("Completeness");
  compare("VMeasure", "sklearn", [](const Case& c) {
    return answer<1, 1, std::int32_t, std::int32_t, false>(
        VMeasure{classes(c), c.number("beta", 1)}, c);
  });
  of_entropies<NormalizedMutualInformation>("NormalizedMutualInformation");
  of_entropies<AdjustedMutualInformation>("AdjustedMutualInformation");
}
