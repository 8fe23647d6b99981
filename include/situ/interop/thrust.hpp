// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/situ.hpp"

#ifdef __CUDACC__

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// Where situ and Thrust (and with it CUB) meet: their vectors become views, and situ's expressions
// become iterators. Not part of situ.hpp, because Thrust's headers take long to compile.
namespace situ {

// The elements of a device_vector, which lives on the device that was current when it was made. T
// is deduced.
//   auto x = view_of<Cuda<0>>(vector);
template <device D, class T, class A>
[[nodiscard]] View<T, 1, D> view_of(thrust::device_vector<T, A>& v) {
  return {thrust::raw_pointer_cast(v.data()), Shape<1>{{static_cast<std::int64_t>(v.size())}}};
}
template <device D, class T, class A>
[[nodiscard]] View<const T, 1, D> view_of(const thrust::device_vector<T, A>& v) {
  return {thrust::raw_pointer_cast(v.data()), Shape<1>{{static_cast<std::int64_t>(v.size())}}};
}
template <device D, class T, class A>
void view_of(const thrust::device_vector<T, A>&&)
    SITU_REFUSE("situ: the view of a temporary vector would dangle; give the vector a name");
// The elements [first, last) that Thrust's pointers name.
template <device D, class T>
[[nodiscard]] View<T, 1, D> view_of(thrust::device_ptr<T> first, thrust::device_ptr<T> last) {
  return {thrust::raw_pointer_cast(first), Shape<1>{{last - first}}};
}

namespace detail {

// Element i of a bound rank-1 expression.
template <class E, class Args>
struct ElementAt {
  using V = typename E::value_type;
  Args args;
  struct Context {
    static constexpr int lanes = 0;
    const Args& args;
    std::int64_t i;
    template <int K, class T, int R>
    SITU_HD auto input() const {
      const auto& in = get<K>(args.inputs);
      return simd::convert<compute_t<T>>(in.data[i * in.row_stride]);
    }
    template <class P>
    SITU_HD auto param() const {
      return args.template number<P>();
    }
  };
  SITU_HD V operator()(std::int64_t i) const {
    return cast_value<V>(Eval<E>::at(Context{args, i}));
  }
};

template <class X>
inline constexpr bool is_plain_view = false;
template <class T, int R, class D>
inline constexpr bool is_plain_view<View<T, R, D>> = true;

template <class E, class... Ss>
auto element_function(const E& e, const Tuple<Ss...>& sources) {
  static_assert(
      (is_plain_view<Ss> && ...),
      "situ: an iterator does not own what it reads; evaluate row functions and temporaries "
      "into a tensor with a name first");
  using Sym = Symbol<Index<0, 0, 0>, 1, E>;
  const auto shape = shape_of(e);
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto column = [&]<class T, class D>(const View<T, 1, D>& v) {
      return Column<std::remove_const_t<T>>{v.data(), v.extent(0) == shape[0] ? v.strides()[0] : 0,
                                            0};
    };
    const auto args =
        make_arguments(make_tuple(column(get<I>(sources))...), Sym::numbers(e), shape[0], 1);
    return ElementAt<typename Sym::type, std::remove_cvref_t<decltype(args)>>{args};
  }
  (std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
}

}  // namespace detail

// A random-access iterator over the elements of a rank-1 expression on a CUDA device, computed as
// they are read: for Thrust's and CUB's algorithms. The tensors that the expression views must
// outlive it.
//   auto first = begin_of(square(x - y));
//   double sum = thrust::reduce(thrust::device, first, first + x.size(), 0.0);
template <detail::tensor_expression E>
requires(std::remove_cvref_t<E>::rank == 1 && detail::is_cuda<device_of<E>>)
    [[nodiscard]] auto begin_of(const E& e) {
  using Node = typename detail::node_beside<const E&>::type;
  using Sym = detail::Symbol<detail::Index<0, 0, 0>, 1, Node>;
  const Node node(e);
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                         detail::element_function(node, Sym::sources(node)));
}
template <detail::tensor_expression E>
requires(std::remove_cvref_t<E>::rank == 1 && detail::is_cuda<device_of<E>>)
    [[nodiscard]] auto end_of(const E& e) {
  return begin_of(e) + shape_of(e)[0];
}

}  // namespace situ

#endif  // __CUDACC__
