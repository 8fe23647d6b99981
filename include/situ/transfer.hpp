// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/evaluate.hpp"

namespace situ {

// to<Device>(x): the values of a tensor, view or expression in a new tensor on Device. The only way from
// one device to another. Between CUDA devices and the host it needs a file compiled as CUDA.
template <device Device, expression X>
  requires placed<X>
[[nodiscard]] auto to(const X& x) {
  if constexpr (placed_on<Device, X>) {
    return evaluate_now(x);
  } else {
    static_assert(placed_on<Device, X>,
                  "situ: a transfer from or to a CUDA device needs a file compiled as CUDA (nvcc)");
  }
}

}  // namespace situ
