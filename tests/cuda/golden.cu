// SPDX-License-Identifier: Apache-2.0
// The recorded answers of Keras and scikit-learn, met on a CUDA device.
#include "../metrics/golden_binary.cpp"
#include "../metrics/golden_classes.cpp"
#include "../metrics/golden_errors.cpp"
#include "../metrics/golden_losses.cpp"
#include "../metrics/golden_table.cpp"
