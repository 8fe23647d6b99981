// SPDX-License-Identifier: Apache-2.0
// Arguments of an update that are expressions, with numbers of their own beside those of the metric.
#include <doctest/doctest.h>

#include "situ/situ.hpp"

using namespace situ;

TEST_CASE("numbers in the arguments of an update are not taken for those of the metric") {
  const Tensor<float, 1, Host> y{0, 1, 1, 0};
  const Tensor<float, 1, Host> p{1, 3, 5, 7};
  auto direct = collect<Host>(BinaryAccuracy{.threshold = 0.4}, MeanSquaredError{},
                              Precision{.threshold = 0.7});
  auto copied = direct;
  direct.update_state(1.0f - y, p * 0.125f, y * 2.0f + 0.5f);
  copied.update_state(evaluate_now(1.0f - y), evaluate_now(p * 0.125f), evaluate_now(y * 2.0f + 0.5f));
  CHECK(direct.result() == copied.result());
  CHECK(direct.result<BinaryAccuracy>() == 3.0 / 6);  // misses the first and the third row
}

TEST_CASE("numbers in rows of scores are found too") {
  const Tensor<std::int32_t, 1, Host> y{0, 1};
  const Tensor<float, 2, Host> p{{1, 2, 3}, {4, 9, 6}};
  auto direct = collect<Host>(SparseTopKCategoricalAccuracy{.k = 2}, SparseCategoricalAccuracy{});
  direct.update_state(y, p * -1.0f);
  CHECK(direct.result() == std::tuple{0.5, 0.5});
}
