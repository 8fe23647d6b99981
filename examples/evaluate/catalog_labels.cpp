// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

namespace evaluate {
namespace {

void refuse_weights(const Batch& batch) {
  if (batch.weighted) {
    throw situ::argument_error("situ: a metric of clusters counts rows; leave out --sample-weight");
  }
}

}  // namespace

std::span<const Entry> labels_catalog() {
  using namespace situ;
  constexpr auto labels = [](const Batch& b, auto f) { return f(b.labels, b.predicted, b.weight); };
  constexpr auto clusters = [](const Batch& b, auto f) {
    refuse_weights(b);
    return f(b.labels, b.predicted);
  };
  static const std::vector<Entry> entries{
      entry("MeanIoU", "mean of TP / (TP + FP + FN) over classes that occur or are predicted",
            labels, [](const Options& o) { return MeanIoU{.num_classes = o.classes}; }),
      entry("IoU:0", "TP / (TP + FP + FN) of class 0", labels,
            [](const Options& o) {
              return IoU{.num_classes = o.classes, .target_class_ids = {whole_value(o)}};
            }),
      entry("RandScore", "share of pairs of rows that are together or apart on both sides",
            clusters, [](const Options& o) { return RandScore{o.classes}; }),
      entry("AdjustedRandScore", "RandScore adjusted for chance", clusters,
            [](const Options& o) { return AdjustedRandScore{o.classes}; }),
      entry("FowlkesMallowsScore", "geometric mean of precision and recall of pairs", clusters,
            [](const Options& o) { return FowlkesMallowsScore{o.classes}; }),
      entry("MutualInformation", "mutual information in nats", clusters,
            [](const Options& o) { return MutualInformation{o.classes}; }),
      entry("NormalizedMutualInformation", "the same by the mean of both entropies", clusters,
            [](const Options& o) { return NormalizedMutualInformation{o.classes}; }),
      entry("AdjustedMutualInformation", "the former adjusted for chance", clusters,
            [](const Options& o) { return AdjustedMutualInformation{o.classes}; }),
      entry("Homogeneity", "how far each cluster has rows of one class", clusters,
            [](const Options& o) { return Homogeneity{o.classes}; }),
      entry("Completeness", "how far each class is in one cluster", clusters,
            [](const Options& o) { return Completeness{o.classes}; }),
      entry("VMeasure", "harmonic mean of Homogeneity and Completeness", clusters,
            [](const Options& o) { return VMeasure{o.classes}; })};
  return entries;
}

}  // namespace evaluate
