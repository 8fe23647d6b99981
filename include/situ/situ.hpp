// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything but file formats (situ/io/...).
#include "situ/device.hpp"
#include "situ/dtype.hpp"
#include "situ/error.hpp"
#include "situ/factories.hpp"
#include "situ/print.hpp"
#include "situ/random.hpp"
#include "situ/tensor.hpp"
#include "situ/transfer.hpp"
#include "situ/view.hpp"

// CUDA devices; of these, plain C++ units see the types only.
#include "situ/runtime/device_list.hpp"
#include "situ/runtime/pinned.hpp"
#include "situ/runtime/placement.hpp"
#include "situ/runtime/settings.hpp"
#include "situ/runtime/stream.hpp"
#include "situ/runtime/trace_table.hpp"
#include "situ/runtime/with_device.hpp"

#include "situ/engine/axis.hpp"
#include "situ/explain.hpp"
#include "situ/expression/functions.hpp"
#include "situ/expression/operators.hpp"
#include "situ/expression/rows.hpp"

#include "situ/engine/evaluate.hpp"
#include "situ/metric.hpp"

#include "situ/metrics/accuracy.hpp"
#include "situ/metrics/agreement.hpp"
#include "situ/metrics/at_thresholds.hpp"
#include "situ/metrics/auc.hpp"
#include "situ/metrics/calibration.hpp"
#include "situ/metrics/class_scores.hpp"
#include "situ/metrics/clustering.hpp"
#include "situ/metrics/confusion.hpp"
#include "situ/metrics/constrained.hpp"
#include "situ/metrics/crossentropy.hpp"
#include "situ/metrics/mean.hpp"
#include "situ/metrics/overlap.hpp"
#include "situ/metrics/regression.hpp"
#include "situ/metrics/top_k.hpp"
