// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "situ/metric.hpp"

// explain(metrics, y_true, y_pred): what an update will do, in words.
namespace situ {
namespace detail {

// ---- expressions in words
// ------------------------------------------------------------------------------

template <class E>
struct Words;
// "a, b" of a list of expressions.
template <class... Es>
std::string words_of(Types<Es...>, int arguments) {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + Words<Es>::text(arguments)), ...);
  return text;
}
// The last word of a type's name in snake case: "op::RowMax" is row_max.
template <class T>
std::string type_word() {
  std::string_view s = type_signature<T>();
  s.remove_prefix(s.find("T = ") + 4);
  return snake_case(s.substr(0, s.find_first_of(";]")));
}
template <class Op>
std::string operation_word() {
  if constexpr (std::is_same_v<Op, op::RowMax>) {
    return "row_max";
  } else if constexpr (std::is_same_v<Op, op::RowMin>) {
    return "row_min";
  } else if constexpr (std::is_same_v<Op, op::RowArgMax>) {
    return "argmax";
  } else if constexpr (std::is_same_v<Op, op::RowBestClass>) {
    return "best_class";
  } else if constexpr (std::is_same_v<Op, op::RowArgMin>) {
    return "argmin";
  } else if constexpr (std::is_same_v<Op, op::RowAny>) {
    return "row_any";
  } else if constexpr (std::is_same_v<Op, op::RowAll>) {
    return "row_all";
  } else {
    return type_word<Op>();
  }
}
template <int K, class T, int R>
struct Words<Input<K, T, R>> {
  static std::string text(int arguments) { return argument_name(K, arguments); }
};
template <class K, class T>
struct Words<Param<K, T>> {
  static std::string text(int) { return "option"; }
};
template <class T, int V>
struct Words<Fixed<T, V>> {
  static std::string text(int) { return std::to_string(V); }
};
template <>
struct Words<One> {
  static std::string text(int) { return "1"; }
};
template <>
struct Words<ColumnIndex> {
  static std::string text(int) { return "column"; }
};
template <>
struct Words<ColumnCount> {
  static std::string text(int) { return "columns"; }
};
template <class R, class V, class L>
struct Words<Checked<R, V, L>> {
  static std::string text(int n) { return Words<V>::text(n); }
};
template <class T, class X, class L>
struct Words<Gather<T, X, L>> {
  static std::string text(int n) { return "gather(" + words_of(Types<X, L>{}, n) + ")"; }
};
template <class T, class O, class A, class B>
struct Words<Choose<T, O, A, B>> {
  static std::string text(int n) { return "one of (" + words_of(Types<A, B>{}, n) + ")"; }
};
template <template <class, class...> class Node, class Op, class... As>
struct Words<Node<Op, As...>> {
  static std::string text(int n) {
    return operation_word<Op>() + "(" + words_of(Types<As...>{}, n) + ")";
  }
};
template <class Kind, class... As>
struct Words<Reduce<Kind, As...>> {
  static std::string text(int n) {
    std::string kind = type_word<Kind>();
    if (kind.ends_with("_of")) kind.resize(kind.size() - 3);
    return kind + "(" + words_of(Types<As...>{}, n) + ")";
  }
};

// A long text without what is nested deeper than `depth` parentheses.
inline std::string shortened(const std::string& text, int depth) {
  if (text.size() <= 80 || depth == 0) return text;
  std::string s;
  int level = 0;
  for (const char c : text) {
    if (c == ')') {
      if (level == depth) s += "...";
      --level;
    }
    if (level < depth) s += c;
    if (c == '(') ++level;
  }
  return s.size() > 80 ? shortened(text, depth - 1) : s;
}

// ---- the plan in words
// ---------------------------------------------------------------------------------

template <class Node, class R>
inline constexpr bool mentions = position_in<Node, typename collect_nodes<Types<>, R>::type> >= 0;

// Metric of every reduction of the plan.
template <class... Ms>
std::vector<int> owners_of_reductions() {
  std::vector<int> owners;
  int m = 0;
  ((owners.insert(owners.end(), static_cast<std::size_t>(metric_traits<Ms>::count), m++)), ...);
  return owners;
}

struct Explain {
  template <class P, class Rs, class Args, class Device, class... Ms, class... Xs>
  static std::string say(P, Rs, const Args& args, const Collection<Device, Ms...>& metrics,
                         const Tuple<Xs...>& nodes, Extent extent) {
    constexpr int arguments = static_cast<int>(sizeof...(Xs));
    std::string s = "An update of " + std::to_string(sizeof...(Ms)) + " metric" +
                    (sizeof...(Ms) == 1 ? "" : "s") + " on " + device_name<Device>() + ", in one " +
                    (std::is_same_v<Device, Host> ? "pass over memory" : "kernel launch") +
                    " over " + std::to_string(extent.rows) + " rows.\n\nInputs:\n";
    double bytes = 0;
    for_each_index<arguments>([&]<int K>() {
      using X = type_at_t<K, Types<Xs...>>;
      using V = std::remove_const_t<typename X::value_type>;
      const auto shape = shape_of(get<K>(nodes));
      s += std::string("  ") + argument_name(K, arguments) + ": " + dtype_name<V>() + " of shape " +
           to_string(shape) + " on " + device_name<device_of<X>>() + "\n";
      bytes += static_cast<double>(shape.size()) * static_cast<double>(sizeof(V));
    });
    const auto owners = owners_of_reductions<Ms...>();
    const auto names = metrics.names();
    s += row_values(P{}, typename P::nodes{}, Rs{}, owners, names, arguments);
    s += accumulators(typename P::wanted{}, Rs{}, args, owners, names, arguments);
    const auto per_row = bytes / static_cast<double>(extent.rows > 0 ? extent.rows : 1);
    std::string number = std::to_string(per_row);
    number.resize(number.find('.') + 2);
    s += "\nReads " + number + " bytes per row, each once" +
         (P::levels > 1 ? "; later walks over a row find it in cache" : "") + ".\n";
    return s;
  }

 private:
  template <class P, class... Ns, class... Ws>
  static std::string row_values(P, Types<Ns...>, Types<Ws...>, const std::vector<int>& owners,
                                const std::vector<std::string>& names, int arguments) {
    std::string s;
    [[maybe_unused]] const auto line = [&]<class N>(N*) {
      if constexpr (is_row_reduce<N> || is_gather<N>) {
        s += "  " + shortened(Words<N>::text(arguments), 3) + ", " +
             (is_gather<N> ? std::string("looked up") : "walk " + std::to_string(ready_at<N>)) +
             ": for ";
        constexpr bool used[] = {mentions<N, Ws>..., false};
        s += users(used, owners, names) + "\n";
      }
    };
    (line(static_cast<Ns*>(nullptr)), ...);
    if (s.empty()) return s;
    return "\nComputed once per row, in " + std::to_string(P::levels) + " walk" +
           (P::levels == 1 ? "" : "s") + " over it:\n" + s;
  }
  // The metrics that own one of several reductions for which `used` holds, by name.
  static std::string users(const bool* used, const std::vector<int>& owners,
                           const std::vector<std::string>& names) {
    std::string text;
    int last = -1;
    for (std::size_t w = 0; w < owners.size(); ++w) {
      if (!used[w] || owners[w] == last) continue;
      last = owners[w];
      text += (text.empty() ? "" : ", ") + names[static_cast<std::size_t>(last)];
    }
    return text;
  }
  template <class... Ws, class... Rs, class Args>
  static std::string accumulators(Types<Ws...>, Types<Rs...>, const Args& args,
                                  const std::vector<int>& owners,
                                  const std::vector<std::string>& names, int arguments) {
    std::string s = "\nAccumulated:\n";
    std::int64_t total = 0;
    const auto line = [&]<class W>(W*) {
      using Cell = typename W::cell;
      const std::int64_t cells = cell_traits<W>::count(args);
      const std::int64_t bytes = cells * static_cast<std::int64_t>(sizeof(Cell));
      total += bytes;
      std::string type = "record";
      if constexpr (element<Cell>) {
        type = dtype_name<Cell>();
      } else if constexpr (cell_traits<W>::layout != Layout::rows) {
        type = type_word<Cell>();
      }
      constexpr bool used[] = {std::is_same_v<W, Rs>..., false};
      s += "  " + shortened(Words<W>::text(arguments), 3) + ", " + std::to_string(cells) + " x " +
           type + ", " + std::to_string(bytes) + " bytes: for " + users(used, owners, names) + "\n";
    };
    (line(static_cast<Ws*>(nullptr)), ...);
    return s + "  in all " + std::to_string(total) + " bytes\n";
  }
};

}  // namespace detail

// What metrics.update_state(xs...) will do, in words: the inputs, what is computed once per row and
// for which metrics, what is accumulated in which types, how many passes, how many bytes. Computes
// nothing. Throws shape_error as the update would.
template <device Device, class... Ms, detail::argument... Xs>
requires(sizeof...(Xs) > 0) && (!detail::any_elsewhere<Device, Xs...>) [[nodiscard]] std::string
    explain(const Collection<Device, Ms...>& metrics, const Xs&... xs) {
  using namespace detail;
  constexpr int highest = largest<Xs::rank...>;
  auto nodes = make_tuple(make_node<const Xs&>(xs)...);
  return metrics.with_plan(nodes, std::integral_constant<int, highest>{},
                           [&](auto plan, auto reductions, const auto& args, Extent extent) {
                             return Explain::say(plan, reductions, args, metrics, nodes, extent);
                           });
}

}  // namespace situ
