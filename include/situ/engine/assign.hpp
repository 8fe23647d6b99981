// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/engine/copy.hpp"
#include "situ/engine/host.hpp"
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

// ---- aliasing ----------------------------------------------------------------------------------------

// Bytes that a view may touch, as [begin, end).
template <class T, int R, class D>
std::pair<const char*, const char*> bytes_of(const View<T, R, D>& v) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (int a = 0; a < R; ++a) {
    if (v.extent(a) == 0) return {nullptr, nullptr};
    const std::int64_t reach = (v.extent(a) - 1) * v.strides()[a];
    (reach < 0 ? low : high) += reach;
  }
  return {reinterpret_cast<const char*>(v.data() + low),
          reinterpret_cast<const char*>(v.data() + high + 1)};
}
// True when writing `to` in order may overwrite what a later read of `from` needs. Reading and writing
// the same element at the same index is harmless.
template <class T, int R, class S, int RS, class D>
bool clobbers(const View<T, R, D>& to, const View<S, RS, D>& from) {
  const auto [a, b] = bytes_of(to);
  const auto [c, d] = bytes_of(from);
  if (a == b || c == d || b <= c || d <= a) return false;
  if constexpr (R == RS && std::is_same_v<std::remove_const_t<T>, std::remove_const_t<S>>) {
    return to.data() != from.data() || !(to.shape() == from.shape()) ||
           !(to.strides() == from.strides());
  } else {
    return true;
  }
}
template <class T, int R, class D, class S, int RS>
bool any_clobbered(const View<T, R, D>& to, const View<S, RS, D>& from) {
  return clobbers(to, from);
}
template <class T, int R, class D, class S, int RS>
bool any_clobbered(const View<T, R, D>&, const Tensor<S, RS, D>&) {
  return false;  // computed for this very assignment
}
template <class T, int R, class D, class... Ss>
bool any_clobbered(const View<T, R, D>& to, const Tuple<Ss...>& sources) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return (any_clobbered(to, get<I>(sources)) || ...);
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Ss))>{});
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

// Fn of bare symbolic inputs, whose types say everything.
template <class Fn, class... Es>
constexpr auto apply_types(Types<Es...>) {
  return Fn{}(Es{}...);
}

template <class Fn, class... As, class T, int R>
void assign_host(const AnyExecutor& executor, const View<T, R, Host>& to,
                 const Composite<Fn, As...>& e) {
  constexpr int highest = largest<As::rank...>;
  using List = ArgumentList<Index<0, 0, 0>, highest, true, As...>;
  const auto sources = List::sources(e.args);
  const auto full = shape_of(get<0>(e.args));
  KeepAlive keep;
  const auto columns = List::columns(e.args, sources, keep);
  const auto form = apply_types<Fn>(typename List::types{});
  using Form = std::remove_cvref_t<decltype(form)>;
  using S = Symbol<Index<0, List::params, 0>, 1, Form>;
  const std::int64_t n = full[highest - 1];
  std::int64_t rows = 1;
  for (int a = 0; a < highest - 1; ++a) rows *= full[a];
  const auto args = make_arguments(columns, concat(List::numbers(e.args), S::numbers(form)), rows, n);
  constexpr bool elementwise = S::type::rank == 2;
  const std::int64_t stride = elementwise ? n : 1;
  if (!to.is_contiguous() || any_clobbered(to, sources)) {
    Tensor<T, R, Host> temporary(to.shape(), uninitialized);
    store_on_host<typename S::type>(executor, args, temporary.data(), stride);
    copy_elements(to, View<const T, R, Host>(temporary.view()));
  } else {
    store_on_host<typename S::type>(executor, args, to.data(), stride);
  }
}

}  // namespace detail
}  // namespace situ
