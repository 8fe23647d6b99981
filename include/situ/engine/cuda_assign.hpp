// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include "situ/engine/cuda_store.hpp"
#include "situ/engine/sources.hpp"
#include "situ/runtime/ambient_stream.hpp"

// Evaluating expressions and full reductions on a CUDA device: each is one kernel launch on a
// stream.
namespace situ::detail {

namespace gpu {

inline unsigned grid_for(std::int64_t work) {
  const std::int64_t blocks = (work + block_threads - 1) / block_threads;
  return static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, std::min(grid_limit, 1 << 14)));
}
template <int N, int R, class T, int Q, class D>
Placement<R> placement(const View<T, Q, D>& v, const Shape<R>& shape) {
  Placement<R> p{};
  const auto wide = broadcast_to(v, shape);
  for (int a = 0; a < R; ++a) p.strides[a] = wide.strides()[a];
  return p;
}

template <class S, int N, class Sources, class Numbers, class T, int R>
void store(cudaStream_t stream, const Sources& sources, const Numbers& numbers,
           const View<T, R, Cuda<N>>& to) {
  constexpr int inputs = S::inputs;
  const auto shape = to.shape();
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto columns = make_tuple(
        Column<std::remove_const_t<
            typename std::remove_cvref_t<decltype(view_of(situ::get<I>(sources)))>::value_type>>{
            view_of(situ::get<I>(sources)).data(), 0, 1}...);
    const auto args = make_arguments(columns, numbers, 1, 1);
    using Args = std::remove_cvref_t<decltype(args)>;
    ElementsParameters<Args, T, R, inputs> p{args, to.data(), to.size(), {}, {}, {}, false};
    for (int a = 0; a < R; ++a) {
      p.extents[a] = shape[a];
      p.of_result.strides[a] = to.strides()[a];
    }
    ((p.of_inputs[I] = placement<N>(view_of(situ::get<I>(sources)), shape)), ...);
    p.flat = to.is_contiguous() && ((view_of(situ::get<I>(sources)).is_contiguous() &&
                                     view_of(situ::get<I>(sources)).size() == to.size()) &&
                                    ...);
    launch("assignment",
           reinterpret_cast<const void*>(&store_elements<typename S::type, Args, T, R, inputs>),
           grid_for(to.size()), p, 0,
           (static_cast<std::int64_t>(sizeof(*view_of(situ::get<I>(sources)).data())) + ... + 0) *
               to.size(),
           static_cast<std::int64_t>(sizeof(T)) * to.size(), N, stream);
  }
  (std::make_integer_sequence<int, inputs>{});
}

// Rows that break a promise are found by the kernel and told by the host, which waits for it: only
// expressions that look up elements by label do.
template <class P, class Args, int N>
void throw_if_bad(Workspace& workspace, SharedState* shared, const Args& args,
                  cudaStream_t stream) {
  DeviceGuard guard(N);
  SharedState seen{};
  read_on(N, &seen, shared, sizeof seen, stream);
  synchronize_stream(N, stream);
  if (seen.first_bad == Violation::none) return;
  auto* on_device = reinterpret_cast<Violation*>(workspace.scratch(sizeof(Violation), stream));
  ExplainParameters<Args> p{args, seen.first_bad, on_device};
  launch("explanation", reinterpret_cast<const void*>(&explain_row<P, Args>), 1, p, 0, 0,
         sizeof(Violation), N, stream);
  Violation v{};
  read_on(N, &v, on_device, sizeof v, stream);
  synchronize_stream(N, stream);
  throw_violation(P{}, v);
}

template <class E, int N, class Args, class T>
void store_rows_on(cudaStream_t stream, const Args& args, T* to, std::int64_t row_stride) {
  using P = plan_for<E>;
  constexpr bool checks = []<class... Ns>(Types<Ns...>) {
    return (is_checked<Ns> || ...);
  }(typename P::nodes{});
  if (args.rows == 0) return;
  const int lanes = lanes_for(args.rows, args.columns);
  RowsParameters<Args, T> p{args, to, row_stride, lanes, nullptr};
  Workspace workspace(N);
  if constexpr (checks) p.shared = workspace.zeroed(0, stream);
  launch("row function", reinterpret_cast<const void*>(&store_rows<P, E, Args, T>),
         grid_for(args.rows * lanes), p, 0, bytes_of_inputs(args, typename P::inputs{}),
         static_cast<std::int64_t>(sizeof(T)) * args.rows * (E::rank == 2 ? args.columns : 1), N,
         stream);
  if constexpr (checks) throw_if_bad<P, Args, N>(workspace, p.shared, args, stream);
}

}  // namespace gpu

template <int N>
struct Copy<Cuda<N>> {
  template <class T, class S, int R>
  static void run(const View<T, R, Cuda<N>>& to, const View<S, R, Cuda<N>>& from) {
    using Sym = Symbol<Index<0, 0, 0>, 2, View<S, R, Cuda<N>>>;
    if (to.size() == 0) return;
    gpu::store<Sym, N>(ambient_stream(N), Sym::sources(from), Sym::numbers(from), to);
  }
};

template <int N, class E, class T, int R>
void assign_on(const Stream<Cuda<N>>& stream, const View<T, R, Cuda<N>>& to, const E& e) {
  using S = Symbol<Index<0, 0, 0>, 2, E>;
  const StreamScope scope(N, stream.get());
  const auto sources = S::sources(e);
  if (to.size() == 0) return;
  if (any_clobbered(to, sources)) {
    Tensor<T, R, Cuda<N>> temporary(to.shape(), uninitialized);
    gpu::store<S, N>(stream.get(), sources, S::numbers(e), temporary.view());
    Copy<Cuda<N>>::run(to, View<const T, R, Cuda<N>>(temporary.view()));
  } else {
    gpu::store<S, N>(stream.get(), sources, S::numbers(e), to);
  }
}
template <int N, class Fn, class... As, class T, int R>
void assign_on(const Stream<Cuda<N>>& stream, const View<T, R, Cuda<N>>& to,
               const Composite<Fn, As...>& e) {
  const StreamScope scope(N, stream.get());
  const RowFunction<Composite<Fn, As...>> f(e);
  if (!to.is_contiguous() || any_clobbered(to, f.sources)) {
    Tensor<T, R, Cuda<N>> temporary(to.shape(), uninitialized);
    gpu::store_rows_on<typename decltype(f)::form, N>(stream.get(), f.args, temporary.data(),
                                                      f.stride);
    Copy<Cuda<N>>::run(to, View<const T, R, Cuda<N>>(temporary.view()));
  } else {
    gpu::store_rows_on<typename decltype(f)::form, N>(stream.get(), f.args, to.data(), f.stride);
  }
}

// ---- full reductions
// -----------------------------------------------------------------------------------

template <class R>
struct CellTarget {
  typename R::cell* to;
  __device__ void commit(std::int64_t, const typename R::cell& cell) const { *to = cell; }
};

// The cells of single-valued reductions over args; waits for them.
template <class P, int N, class Args>
auto reduce_on(const Stream<Cuda<N>>& stream, P, const Args& args) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    auto cells = make_tuple(cell_traits<type_at_t<I, typename P::wanted>>::empty()...);
    if (args.rows == 0) return cells;
    gpu::Workspace workspace(N);
    gpu::DeviceBuffer out(N);
    out.reserve(64 + 64 * sizeof...(I), stream.get());
    gpu::clear_on(N, out.data(), 64, stream.get());
    auto* report = reinterpret_cast<gpu::Report*>(out.data());
    gpu::CudaPass<P, Args> pass(args);
    const auto targets = make_tuple(CellTarget<type_at_t<I, typename P::wanted>>{
        reinterpret_cast<typename type_at_t<I, typename P::wanted>::cell*>(out.data() + 64 +
                                                                           64 * I)}...);
    pass.launch(workspace, stream.get(), targets, report, 0);
    std::vector<unsigned char> copy(64 + 64 * sizeof...(I));
    gpu::read_on(N, copy.data(), out.data(), copy.size(), stream.get());
    stream.synchronize();
    gpu::Report seen;
    std::memcpy(&seen, copy.data(), sizeof seen);
    if (seen.recorded) throw_violation(P{}, seen.violation);
    (std::memcpy(&situ::get<I>(cells), copy.data() + 64 + 64 * I, sizeof(situ::get<I>(cells))),
     ...);
    return cells;
  }
  (std::make_integer_sequence<int, P::wanted_count>{});
}

}  // namespace situ::detail

#endif  // __CUDACC__
