// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/copy.hpp"
#include "situ/engine/host.hpp"
#include "situ/engine/operands.hpp"
#include "situ/engine/sources.hpp"

// Evaluating an expression into memory: one pass, like an update, that stores instead of accumulating.
namespace situ {
namespace detail {

// Writes E of every row (rank 1) or every element (rank 2) of the plan to `to`, whose rows are
// `row_stride` elements apart.
template <class Plan, class E, class Args, class T, int N, bool Stretched>
struct StorePass {
  const Args& args;
  T* to;
  std::int64_t row_stride;

  Violation run(const AnyExecutor& executor) const {
    const Partition cut = partition(args.rows, args.columns, 0);
    const std::int64_t safe = safe_rows(typename Plan::inputs{});
    std::vector<Violation> found(static_cast<std::size_t>(cut.parts));
    auto part = [&](std::int64_t p) {
      const std::int64_t first = p * cut.rows_per_part;
      const std::int64_t last = std::min(first + cut.rows_per_part, args.rows);
      found[static_cast<std::size_t>(p)].row = Violation::none;
      for (std::int64_t i = first; i < last; ++i) {
        ColumnsWalk<Plan, Args, N, Stretched> walk{args, {}, i, i < safe};
        if (!walk.run(typename Plan::nodes{})) {
          found[static_cast<std::size_t>(p)] = find_violation<Plan>(args, i, last);
          return;
        }
        store_row(walk, i);
      }
    };
    if (cut.parts >= parallel_parts && executor.is_parallel()) {
      executor.run(cut.parts, part);
    } else {
      for (std::int64_t p = 0; p < cut.parts; ++p) part(p);
    }
    for (const Violation& v : found) {
      if (v.row != Violation::none) return v;
    }
    return {Violation::none, 0, 0, 0};
  }

 private:
  template <class... Is>
  std::int64_t safe_rows(Types<Is...>) const {
    return std::min({args.rows, safe(static_cast<Is*>(nullptr))...});
  }
  template <int K, class S, int R>
  std::int64_t safe(Input<K, S, R>*) const {
    const auto& in = get<K>(args.inputs);
    if (R == 1 || in.column_stride == 0) return args.rows;
    return std::min(rows_safe_to_overread<N>(in, args.rows, args.columns),
                    rows_safe_to_overread<logical_lanes>(in, args.rows, args.columns));
  }
  template <class Walk>
  SITU_INLINE void store_row(const Walk& walk, std::int64_t i) const {
    T* row = to + i * row_stride;
    if constexpr (E::rank == 1) {
      *row = cast_value<T>(Eval<E>::at(walk.here()));
    } else {
      walk.each_pack([&](const auto& at, std::int32_t j, int n) __attribute__((always_inline)) {
        const auto x = as_pack<compute_t<T>, N>(Eval<E>::at(at));
        if (n == N) {
          simd::store(row + j, x);
        } else {
          simd::store_partial(row + j, x, n);
        }
      });
    }
  }
};

template <class... Ts>
bool any_stretched(const Tuple<Column<Ts>...>& inputs) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return ((get<I>(inputs).column_stride == 0) || ...);
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Ts))>{});
}
template <class E, class Cs, class Ps, class T>
void store_on_host(const AnyExecutor& executor, const Arguments<Cs, Ps>& args, T* to,
                   std::int64_t row_stride) {
  using P = plan_for<E>;
  using Args = Arguments<Cs, Ps>;
  const auto run = [&]<bool Stretched>(std::bool_constant<Stretched>) {
    const StorePass<P, E, Args, T, simd::native_lanes, Stretched> pass{args, to, row_stride};
    if (const Violation v = pass.run(executor); v.row != Violation::none) throw_violation(P{}, v);
  };
  if (any_stretched(args.inputs)) {
    run(std::true_type{});
  } else {
    run(std::false_type{});
  }
}

// An operand of an elementwise expression. Broadcasting along columns or rows is a stride of zero; what
// has no single row stride is copied.
template <class T, int R, class D>
Column<std::remove_const_t<T>> elementwise_column(const View<T, R, D>& v, KeepAlive& keep) {
  const RowLayout l = layout_of(v);
  if (l.regular && (l.column_stride == 0 || l.column_stride == 1 || v.size() == 0)) {
    return {v.data(), l.row_stride, l.column_stride};
  }
  const auto& copy = keep.add(packed_copy(v));
  return {copy.data(), l.columns, 1};
}

// ---- elementwise ---------------------------------------------------------------------------------------

// Long stretches of equal layout are cut into rows of this length, so that they can be shared out.
inline constexpr std::int64_t stretch = 4096;

template <class T, int R, class D>
Column<std::remove_const_t<T>> make_flat(const View<T, R, D>& v, std::int64_t offset,
                                         std::int64_t columns) {
  return {v.data() + offset, columns, 1};
}

template <class S, class Tuple_, class Params, class T, int R>
void store_elementwise(const AnyExecutor& executor, const Tuple_& sources, const Params& numbers,
                       const View<T, R, Host>& to) {
  constexpr int n = S::inputs;
  const auto shape = to.shape();
  const bool uniform = [&]<int... I>(std::integer_sequence<int, I...>) {
    return ([&](const auto& v) { return v.is_contiguous() && v.size() == to.size(); }(
                view_of(get<I>(sources))) &&
            ...);
  }(std::make_integer_sequence<int, n>{});
  const auto all = std::make_integer_sequence<int, n>{};
  if (uniform) {
    const std::int64_t whole = to.size() / stretch;
    const auto run = [&](std::int64_t offset, std::int64_t rows, std::int64_t columns) {
      [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto args = make_arguments(
            make_tuple(make_flat(view_of(get<I>(sources)), offset, columns)...), numbers, rows, columns);
        store_on_host<typename S::type>(executor, args, to.data() + offset, columns);
      }(all);
    };
    if (whole > 0) run(0, whole, stretch);
    if (to.size() % stretch != 0) run(whole * stretch, 1, to.size() % stretch);
    return;
  }
  [&]<int... I>(std::integer_sequence<int, I...>) {
    KeepAlive keep;
    const RowLayout l = layout_of(to);
    const auto args =
        make_arguments(make_tuple(elementwise_column(broadcast_to(view_of(get<I>(sources)), shape),
                                                     keep)...),
                       numbers, l.rows, l.columns);
    store_on_host<typename S::type>(executor, args, to.data(), l.columns);
  }(all);
}
template <class E, class T, int R>
void assign_host(const AnyExecutor& executor, const View<T, R, Host>& to, const E& e) {
  using S = Symbol<Index<0, 0, 0>, 2, E>;
  const auto sources = S::sources(e);
  if (!to.is_contiguous() || any_clobbered(to, sources)) {
    Tensor<T, R, Host> temporary(to.shape(), uninitialized);
    store_elementwise<S>(executor, sources, S::numbers(e), temporary.view());
    copy_elements(to, View<const T, R, Host>(temporary.view()));
  } else {
    store_elementwise<S>(executor, sources, S::numbers(e), to);
  }
}

// ---- row functions -------------------------------------------------------------------------------------

template <class Fn, class... As, class T, int R>
void assign_host(const AnyExecutor& executor, const View<T, R, Host>& to,
                 const Composite<Fn, As...>& e) {
  const RowFunction<Composite<Fn, As...>> f(e);
  using Form = typename RowFunction<Composite<Fn, As...>>::form;
  if (!to.is_contiguous() || any_clobbered(to, f.sources)) {
    Tensor<T, R, Host> temporary(to.shape(), uninitialized);
    store_on_host<Form>(executor, f.args, temporary.data(), f.stride);
    copy_elements(to, View<const T, R, Host>(temporary.view()));
  } else {
    store_on_host<Form>(executor, f.args, to.data(), f.stride);
  }
}
template <class E, class T, int R>
void assign_on(const AnyExecutor& executor, const View<T, R, Host>& to, const E& e) {
  assign_host(executor, to, e);
}

}  // namespace detail
}  // namespace situ

#ifdef __CUDACC__
#include "situ/engine/cuda_assign.hpp"
#endif
