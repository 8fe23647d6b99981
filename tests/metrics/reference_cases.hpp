// SPDX-License-Identifier: Apache-2.0
#pragma once

// Golden cases: what other libraries answer (reference_file.hpp), and the inputs that they were
// given (reference_inputs.hpp). Standard library only.

#include "reference_file.hpp"
#include "reference_inputs.hpp"
