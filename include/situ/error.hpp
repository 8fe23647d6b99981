// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace situ {

// One type per kind of mistake. Every message reads "situ: <what is wrong>; <what to do>".

// Shapes that do not fit together, an axis or an index out of range.
struct shape_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// An option or argument that makes no sense (a negative threshold count, a class count of zero).
struct argument_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// An element type that cannot be used here, found at run time (in a file, say).
struct dtype_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A value in the data that an update refuses: a label out of range, a probability above one.
// The whole batch was rejected and the state is as it was before.
struct value_error : std::domain_error {
  value_error(const std::string& message, std::int64_t row, double bad)
      : std::domain_error(message), index(row), value(bad) {}
  std::int64_t index;  // row of the first offending value within the batch
  double value;        // the offending value itself
};

// Bytes or files that are not what they should be: damaged, truncated or made by something else.
struct format_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A device that is missing, out of memory or otherwise failing.
struct device_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An object used in a state that does not allow it: merging metrics with different options, say.
struct state_error : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace situ
