// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "situ/device.hpp"
#include "situ/error.hpp"

namespace situ {

// The bridge from a number known at run time to the type: f(Cuda<n>{}), for n from 0 to 7. f is
// compiled for each of the eight and must return the same type for all. Throws argument_error for
// other numbers; whether the device is there shows when f uses it.
template <class F>
decltype(auto) with_device(int n, F&& f) {
  switch (n) {
    case 0:
      return std::forward<F>(f)(Cuda<0>{});
    case 1:
      return std::forward<F>(f)(Cuda<1>{});
    case 2:
      return std::forward<F>(f)(Cuda<2>{});
    case 3:
      return std::forward<F>(f)(Cuda<3>{});
    case 4:
      return std::forward<F>(f)(Cuda<4>{});
    case 5:
      return std::forward<F>(f)(Cuda<5>{});
    case 6:
      return std::forward<F>(f)(Cuda<6>{});
    case 7:
      return std::forward<F>(f)(Cuda<7>{});
    default:
      throw argument_error("situ: with_device reaches Cuda<0> to Cuda<7> and not device " +
                           std::to_string(n) + "; use a number from 0 to 7");
  }
}

}  // namespace situ
