// SPDX-License-Identifier: Apache-2.0
// Class labels are integers; a floating-point label would be rounded or lose classes beyond 2^24.
// The refusal stands where the metric asks for a label, deep inside an update.
// lines: 60
// expect: situ: class labels must be integers, not floating-point numbers
#include <situ/situ.hpp>

#ifdef CURED
using Label = std::int64_t;
#else
using Label = float;
#endif

void use(situ::Metric<situ::SparseCategoricalAccuracy, situ::Host>& metric,
         const situ::View<const Label, 1, situ::Host>& y_true,
         const situ::View<const float, 2, situ::Host>& y_pred) {
  metric.update_state(y_true, y_pred);
}
