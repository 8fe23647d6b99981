// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metrics/contingency.hpp"

// Intersection over union of true and predicted classes: TP / (TP + FP + FN) for a class, and its
// mean over the classes that occur in either. All but the last axis are rows (pictures need no
// reshaping). A label outside [0, num_classes) rejects the update, except `ignore_class`, whose
// rows are dropped. State: classes^2 counts (int64 without weights).
namespace situ {

namespace detail {
template <auto Member, symbolic T, symbolic P, symbolic W>
auto overlap_states(T y_true, P y_pred, std::int32_t num_classes,
                    std::optional<std::int64_t> ignore_class, W weight) {
  const auto label = label_of(y_true);
  const auto keep = not_ignored<Member>(label, ignore_class);
  return states(confusion(where(keep, label, constant<0>),
                          label_of(where(keep, y_pred, constant<0>)), num_classes,
                          where(keep, weight, constant<0>)));
}

// The mean over `ids` (all classes when empty) of those whose union is not empty.
inline double mean_overlap(std::span<const double> counts, const std::vector<std::int32_t>& ids,
                           Undefined undefined) {
  const ContingencyTable table(counts);
  double sum = 0;
  double valid = 0;
  const auto add = [&](std::size_t c) {
    const double all = table.actual(c) + table.predicted(c) - table.at(c, c);
    if (all == 0) return;
    sum += table.at(c, c) / all;
    ++valid;
  };
  if (table.classes() == 0) return undefined.value;
  if (ids.empty()) {
    for (std::size_t c = 0; c < table.classes(); ++c) add(c);
  } else {
    for (const std::int32_t c : ids) add(static_cast<std::size_t>(c));
  }
  return ratio(sum, valid, undefined);
}

inline void check_overlap(std::int32_t num_classes) {
  check_num_classes(num_classes);
  if (num_classes == 0) {
    throw argument_error(
        "situ: intersection over union needs the number of classes; set .num_classes");
  }
}
inline void check_overlap(std::int32_t num_classes, const std::vector<std::int32_t>& ids) {
  check_overlap(num_classes);
  if (ids.empty()) {
    throw argument_error(
        "situ: no target class is named; set .target_class_ids, or use a Mean... metric for all");
  }
  for (const std::int32_t c : ids) {
    if (c < 0 || c >= num_classes) {
      throw argument_error("situ: target class " + std::to_string(c) + " is outside [0, " +
                           std::to_string(num_classes) + "); correct .target_class_ids");
    }
  }
}
}  // namespace detail

// Over the target classes. y_true, y_pred: integer labels [rows]. Keras: metrics.IoU.
struct IoU {
  std::int32_t num_classes = 0;
  std::vector<std::int32_t> target_class_ids{};
  std::optional<std::int64_t> ignore_class{};
  Undefined undefined = undefined::zero;  // no target class occurs
  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(decltype(y_true)::rank < 2 && decltype(y_pred)::rank < 2,
                  "situ: IoU takes integer labels [rows]; use OneHotIoU for rows of classes");
    return detail::overlap_states<&IoU::ignore_class>(y_true, y_pred, num_classes, ignore_class,
                                                      weight);
  }
  double result(std::span<const double> counts) const {
    return detail::mean_overlap(counts, target_class_ids, undefined);
  }
  void validate() const { detail::check_overlap(num_classes, target_class_ids); }
  bool operator==(const IoU&) const = default;
};

// Over all classes. y_true, y_pred: integer labels [rows]. Keras: metrics.MeanIoU.
struct MeanIoU {
  std::int32_t num_classes = 0;
  std::optional<std::int64_t> ignore_class{};
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    static_assert(
        decltype(y_true)::rank < 2 && decltype(y_pred)::rank < 2,
        "situ: MeanIoU takes integer labels [rows]; use OneHotMeanIoU for rows of classes");
    return detail::overlap_states<&MeanIoU::ignore_class>(y_true, y_pred, num_classes, ignore_class,
                                                          weight);
  }
  double result(std::span<const double> counts) const {
    return detail::mean_overlap(counts, {}, undefined);
  }
  void validate() const { detail::check_overlap(num_classes); }
  bool operator==(const MeanIoU&) const = default;
};

// Over the target classes, when at least one side is rows [rows, num_classes]: one-hot or scores,
// whose first maximum is the class. The other may be integer labels [rows]: the shapes say what
// Keras's sparse_y_true and sparse_y_pred say. Keras: metrics.OneHotIoU.
struct OneHotIoU {
  std::int32_t num_classes = 0;
  std::vector<std::int32_t> target_class_ids{};
  std::optional<std::int64_t> ignore_class{};
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::overlap_states<&OneHotIoU::ignore_class>(y_true, y_pred, num_classes,
                                                            ignore_class, weight);
  }
  double result(std::span<const double> counts) const {
    return detail::mean_overlap(counts, target_class_ids, undefined);
  }
  void validate() const { detail::check_overlap(num_classes, target_class_ids); }
  bool operator==(const OneHotIoU&) const = default;
};

// The same over all classes. Keras: metrics.OneHotMeanIoU.
struct OneHotMeanIoU {
  std::int32_t num_classes = 0;
  std::optional<std::int64_t> ignore_class{};
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    return detail::overlap_states<&OneHotMeanIoU::ignore_class>(y_true, y_pred, num_classes,
                                                                ignore_class, weight);
  }
  double result(std::span<const double> counts) const {
    return detail::mean_overlap(counts, {}, undefined);
  }
  void validate() const { detail::check_overlap(num_classes); }
  bool operator==(const OneHotMeanIoU&) const = default;
};

// Of class 0 and/or 1, where y_pred is class 1 from the threshold on (y_pred >= threshold, as in
// Keras). y_true: 0 or 1 of any type, else the update is rejected; y_pred: scores; both of one
// shape, of which all elements count alike. Keras: metrics.BinaryIoU.
struct BinaryIoU {
  std::vector<std::int32_t> target_class_ids{0, 1};
  double threshold = 0.5;
  Undefined undefined = undefined::zero;
  auto update(auto y_true, auto y_pred, auto weight) const {
    const auto t = detail::binary_target(y_true, y_pred);
    const auto p = y_pred >= option<&BinaryIoU::threshold>(threshold);
    return states(sum(weight * (!t && !p)), sum(weight * (!t && p)), sum(weight * (t && !p)),
                  sum(weight * (t && p)));
  }
  double result(double tn, double fp, double fn, double tp) const {
    const double counts[] = {tn, fp, fn, tp};
    return detail::mean_overlap(counts, target_class_ids, undefined);
  }
  void validate() const {
    detail::check_overlap(2, target_class_ids);
    detail::check_threshold(threshold);
  }
  bool operator==(const BinaryIoU&) const = default;
};

}  // namespace situ
