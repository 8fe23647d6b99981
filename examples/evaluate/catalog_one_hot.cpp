// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

namespace evaluate {

// The metrics of multiclass tasks that take one row of ones and zeros for each label.
std::span<const Entry> one_hot_catalog() {
  using namespace situ;
  constexpr auto one_hot = [](const Batch& b, auto f) {
    Table y(b.class_scores.shape());
    for (std::int64_t i = 0; i < b.labels.size(); ++i) {
      // The collection of the task has refused labels outside the classes.
      y(i, b.labels(i)) = 1;
    }
    return f(y, b.class_scores, b.weight);
  };
  static const std::vector<Entry> entries{
      entry("CategoricalAccuracy", "SparseCategoricalAccuracy from one-hot labels", one_hot,
            CategoricalAccuracy{}),
      entry("TopKCategoricalAccuracy:5", "share of rows whose label is among the 5 best scores",
            one_hot, [](const Options& o) { return TopKCategoricalAccuracy{.k = whole_value(o)}; }),
      entry("CategoricalCrossentropy", "SparseCategoricalCrossentropy from one-hot labels", one_hot,
            CategoricalCrossentropy{.from_logits = false}),
      entry("CategoricalHinge", "mean of max(best other score - score of the class + 1, 0)",
            one_hot, CategoricalHinge{}),
      entry("KLDivergence", "sum of y log(y / p) over the classes", one_hot, KLDivergence{}),
      entry("CosineSimilarity", "mean cosine of one-hot labels and scores", one_hot,
            CosineSimilarity{}),
      entry("PearsonCorrelation", "mean correlation of one-hot labels and scores", one_hot,
            PearsonCorrelation{}),
      entry("ConcordanceCorrelation", "mean concordance of one-hot labels and scores", one_hot,
            ConcordanceCorrelation{})};
  return entries;
}

}  // namespace evaluate
