// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <situ/factories.hpp>
#include <situ/print.hpp>
#include <sstream>
#include <string>

using namespace situ;

namespace {

template <class X>
std::string text(const X& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

template <class X>
concept printable = requires(std::ostream& out, const X& x) { out << x; };
static_assert(printable<Tensor<float, 2, Host>> && printable<View<const bool, 1, Host>>);
static_assert(!printable<Tensor<float, 2, Cuda<0>>> && !printable<View<const bool, 1, Cuda<1>>>);

}  // namespace

TEST_CASE("tensors print as NumPy prints arrays") {
  CHECK(text(Tensor<int, 1, Host>{1, -20, 3}) == "[  1 -20   3]");
  CHECK(text(Tensor<float, 2, Host>{{1, 2.5f}, {-3, 0.125f}}) ==
        "[[ 1.     2.5  ]\n [-3.     0.125]]");
  CHECK(text(Tensor<bool, 1, Host>{true, false}) == "[ true false]");
  CHECK(text(zeros<int, 3>({2, 1, 2})) == "[[[0 0]]\n\n [[0 0]]]");
  CHECK(text(zeros<float, 0>({})) == "0.");
  CHECK(text(zeros<float, 2>({0, 3})) == "[]");
  CHECK(text(full<float16, 1>({2}, float16(0.5f))) == "[0.5 0.5]");
  CHECK(text(Tensor<std::int8_t, 1, Host>{65, 66}) == "[65 66]");  // numbers, not letters
}

TEST_CASE("very large, very small and special values print") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(text(Tensor<float, 1, Host>{1, std::nanf(""), -inf}) == "[  1.  nan -inf]");
  CHECK(text(Tensor<float, 1, Host>{1e30f, -1.5f}) == "[   1e+30 -1.5e+00]");
  CHECK(text(Tensor<double, 1, Host>{0.1, 0.1 + 0.2}) == "[0.1 0.3]");
  CHECK(text(Tensor<double, 1, Host>{1e-5}) == "[1e-05]");
  CHECK(text(Tensor<double, 1, Host>{std::numeric_limits<double>::max()}) == "[1.79769313e+308]");
  CHECK(text(Tensor<double, 1, Host>{-0.0}) == "[-0.]");
}

TEST_CASE("more than a thousand elements are abridged, long rows wrap") {
  CHECK(text(arange<int>(2000)) == "[   0    1    2 ... 1997 1998 1999]");
  const std::string wide = text(zeros<int, 2>({100, 100}));
  CHECK(wide ==
        "[[0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n ...\n"
        " [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]]");
  const std::string all = text(arange<int>(1000));
  CHECK(all.find("...") == std::string::npos);
  CHECK(all.substr(0, 80) ==
        "[  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17\n  18  1");
}

TEST_CASE("strided views print in their own order") {
  Tensor<int, 2, Host> m{{1, 2, 3}, {4, 5, 6}};
  CHECK(text(transpose(m)) == "[[1 4]\n [2 5]\n [3 6]]");
  CHECK(text(m.slice(1, 2, -4, -2)) == "[[3 1]\n [6 4]]");
  const Tensor<int, 1, Host> seven{7};
  CHECK(text(broadcast_to<2>(seven, {2, 2})) == "[[7 7]\n [7 7]]");
}
