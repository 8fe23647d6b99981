// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

namespace situ {

// The place of a tensor is part of its type. These tags are the places.

struct Host {};

// The CUDA device that the process sees as number N.
template <int N>
struct Cuda {
  static_assert(N >= 0, "situ: a CUDA device number starts at 0; write Cuda<0>");
};

namespace detail {
template <class D>
inline constexpr bool is_device = false;
template <>
inline constexpr bool is_device<Host> = true;
template <int N>
inline constexpr bool is_device<Cuda<N>> = true;

template <class D>
inline constexpr bool is_cuda = false;
template <int N>
inline constexpr bool is_cuda<Cuda<N>> = true;
}  // namespace detail

template <class D>
concept device = detail::is_device<D>;

// Anything that lives somewhere: tensors, views, expressions over them.
template <class X>
concept placed = requires { typename std::remove_cvref_t<X>::device_type; } &&
                 device<typename std::remove_cvref_t<X>::device_type>;

template <placed X>
using device_of = typename std::remove_cvref_t<X>::device_type;

// "X lives on D". False, not an error, for things that live nowhere.
template <class D, class X>
inline constexpr bool placed_on = false;
template <class D, placed X>
inline constexpr bool placed_on<D, X> = std::is_same_v<D, device_of<X>>;

template <class A, class B>
concept on_same_device = placed<A> && placed<B> && std::is_same_v<device_of<A>, device_of<B>>;

template <class A, class B>
concept on_different_devices =
    placed<A> && placed<B> && !std::is_same_v<device_of<A>, device_of<B>>;

// The same questions as values, for `if constexpr` and for those who want no error.
template <class A, class B>
inline constexpr bool same_device = on_same_device<A, B>;

// "Host", "Cuda<1>": the words used in every message.
template <device D>
std::string device_name() {
  if constexpr (std::is_same_v<D, Host>) {
    return "Host";
  } else {
    return []<int N>(Cuda<N>) { return "Cuda<" + std::to_string(N) + ">"; }(D{});
  }
}

// Compilers print these names as the value of a template parameter called Cure, in the first lines of
// their message; only the names matter.
struct move_one_operand_with_situ_to_Device;
struct copy_it_first_with_situ_to_Host;

}  // namespace situ
