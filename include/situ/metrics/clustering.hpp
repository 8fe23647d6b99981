// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "situ/metrics/contingency.hpp"

// How well clusters match classes when the numbers of the clusters mean nothing. y_true, y_pred:
// integer labels [rows] within [0, num_classes), which must hold both the classes and the clusters;
// others reject the update. Rows are counted, so there is no sample weight. State: num_classes^2
// counts. Source of all: Rosenberg and Hirschberg (2007), Hubert and Arabie (1985), Fowlkes and
// Mallows (1983), and scikit-learn's functions of the same names, whose answers for empty data they
// share.
namespace situ {

namespace detail {
inline void check_clusters(std::int32_t num_classes) {
  check_num_classes(num_classes);
  if (num_classes == 0) {
    throw argument_error(
        "situ: a clustering score needs the number of labels; set .num_classes to one more than "
        "the "
        "largest class or cluster");
  }
}

// Pairs of rows by whether they share a class and whether they share a cluster; ordered pairs, so
// all are even integers, exact below 2^53.
struct Pairs {
  double together = 0;      // same class, same cluster
  double same_class = 0;    // same class
  double same_cluster = 0;  // same cluster
  double all = 0;

  explicit Pairs(const ContingencyTable& table) : all(pairs(table.total())) {
    for (std::size_t i = 0; i < table.classes(); ++i) {
      same_class += pairs(table.actual(i));
      same_cluster += pairs(table.predicted(i));
      for (std::size_t j = 0; j < table.classes(); ++j) together += pairs(table.at(i, j));
    }
  }

 private:
  static double pairs(double n) { return n * (n - 1); }
};

// Entropies in nats of classes, of clusters and of the pair.
struct Entropies {
  double classes = 0;
  double clusters = 0;
  double mutual = 0;  // mutual information

  explicit Entropies(const ContingencyTable& table) {
    const double n = table.total();
    for (std::size_t i = 0; i < table.classes(); ++i) {
      classes += entropy(table.actual(i), n);
      clusters += entropy(table.predicted(i), n);
      for (std::size_t j = 0; j < table.classes(); ++j) {
        const double both = table.at(i, j);
        if (both == 0) continue;
        mutual += both / n * (std::log(both / table.actual(i)) + std::log(n / table.predicted(j)));
      }
    }
    mutual = std::clamp(mutual, 0.0, std::min(classes, clusters));
  }

 private:
  static double entropy(double count, double n) {
    return count == 0 ? 0 : count / n * std::log(n / count);
  }
};
}  // namespace detail

// Each score is a function of the table alone.
#define SITU_CLUSTER_SCORE(Name)                                                           \
  struct Name {                                                                            \
    std::int32_t num_classes = 0;                                                          \
    auto update(auto y_true, auto y_pred) const {                                          \
      static_assert(decltype(y_true)::rank < 2 && decltype(y_pred)::rank < 2,              \
                    "situ: a clustering score takes integer labels [rows] on both sides"); \
      return states(confusion(y_true, y_pred, num_classes));                               \
    }                                                                                      \
    double result(std::span<const double> counts) const {                                  \
      return score(ContingencyTable(counts));                                              \
    }                                                                                      \
    static double score(const ContingencyTable& table);                                    \
    void validate() const { detail::check_clusters(num_classes); }                         \
    bool operator==(const Name&) const = default;                                          \
  };                                                                                       \
  inline double Name::score(const ContingencyTable& table)

// The share of pairs of rows on which classes and clusters agree; 1 for fewer than two rows.
SITU_CLUSTER_SCORE(RandScore) {
  const detail::Pairs p(table);
  return p.all == 0 ? 1 : (p.all + 2 * p.together - p.same_class - p.same_cluster) / p.all;
}

// The Rand score adjusted for chance: 0 for random clusters, 1 for equal partitions, at least -0.5.
SITU_CLUSTER_SCORE(AdjustedRandScore) {
  const detail::Pairs p(table);
  const double only_class = p.same_class - p.together;
  const double only_cluster = p.same_cluster - p.together;
  const double neither = p.all - p.same_class - p.same_cluster + p.together;
  if (only_class == 0 && only_cluster == 0) return 1;
  return 2 * (p.together * neither - only_class * only_cluster) /
         (p.same_class * (only_class + neither) + p.same_cluster * (only_cluster + neither));
}

// The geometric mean of pairwise precision and recall, TP / sqrt((TP + FP) (TP + FN)); 0 without
// pairs in one class and cluster.
SITU_CLUSTER_SCORE(FowlkesMallowsScore) {
  const detail::Pairs p(table);
  if (p.together == 0) return 0;
  return std::sqrt(p.together / p.same_cluster) * std::sqrt(p.together / p.same_class);
}

// Mutual information of class and cluster in nats; 0 without rows.
SITU_CLUSTER_SCORE(MutualInformation) { return detail::Entropies(table).mutual; }

// 1 - H(class | cluster) / H(class): 1 when each cluster has members of one class only.
SITU_CLUSTER_SCORE(Homogeneity) {
  const detail::Entropies h(table);
  return h.classes == 0 ? 1 : h.mutual / h.classes;
}

// 1 - H(cluster | class) / H(cluster): 1 when all members of a class are in one cluster.
SITU_CLUSTER_SCORE(Completeness) {
  const detail::Entropies h(table);
  return h.clusters == 0 ? 1 : h.mutual / h.clusters;
}
#undef SITU_CLUSTER_SCORE

// (1 + beta) homogeneity completeness / (beta homogeneity + completeness): beta above 1 weighs
// completeness more. 0 when both are 0. scikit-learn: v_measure_score.
struct VMeasure {
  std::int32_t num_classes = 0;
  double beta = 1;
  auto update(auto y_true, auto y_pred) const {
    return Homogeneity{num_classes}.update(y_true, y_pred);
  }
  double result(std::span<const double> counts) const {
    const ContingencyTable table(counts);
    const double h = Homogeneity::score(table);
    const double c = Completeness::score(table);
    return ratio((1 + beta) * h * c, beta * h + c, undefined::zero);
  }
  void validate() const {
    detail::check_clusters(num_classes);
    if (!(beta >= 0)) throw argument_error("situ: beta of a V-measure must be 0 or more");
  }
  bool operator==(const VMeasure&) const = default;
};

// What mutual information is divided by: a mean of the two entropies.
enum class EntropyMean { arithmetic, geometric, min, max };

namespace detail {
inline double entropy_mean(EntropyMean mean, const Entropies& h) {
  switch (mean) {
    case EntropyMean::geometric:
      return std::sqrt(h.classes) * std::sqrt(h.clusters);
    case EntropyMean::min:
      return std::min(h.classes, h.clusters);
    case EntropyMean::max:
      return std::max(h.classes, h.clusters);
    default:
      return (h.classes + h.clusters) / 2;
  }
}
}  // namespace detail

// Mutual information / mean(H(class), H(cluster)), within [0, 1]: 1 for equal partitions; 1 when
// there is one class and one cluster, or no row. scikit-learn: normalized_mutual_info_score.
struct NormalizedMutualInformation {
  std::int32_t num_classes = 0;
  EntropyMean mean = EntropyMean::arithmetic;
  auto update(auto y_true, auto y_pred) const {
    return MutualInformation{num_classes}.update(y_true, y_pred);
  }
  double result(std::span<const double> counts) const {
    const detail::Entropies h{ContingencyTable(counts)};
    if (h.classes == 0 && h.clusters == 0) return 1;
    return ratio(h.mutual, detail::entropy_mean(mean, h), undefined::zero);
  }
  void validate() const { detail::check_clusters(num_classes); }
  bool operator==(const NormalizedMutualInformation&) const = default;
};

}  // namespace situ
