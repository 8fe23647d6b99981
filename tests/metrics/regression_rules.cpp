// SPDX-License-Identifier: Apache-2.0
// Rules of the errors, margins and divergences: undefined policies, options, domains.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "situ/metrics/divergence.hpp"
#include "situ/metrics/hinge.hpp"

namespace {

using namespace situ;
using Reals = Tensor<float, 1, Host>;
using Table = Tensor<float, 2, Host>;
using Labels = Tensor<std::int32_t, 1, Host>;

double score(auto metric, const auto&... data) {
  Metric<decltype(metric), Host> m(metric);
  m.update_state(data...);
  return m.result();
}
std::string error_of(auto f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}
bool refused(auto metric) {
  const std::string why = error_of([&] { Metric<decltype(metric), Host> m(metric); });
  return why.starts_with("situ: ");
}
doctest::Approx near(double x) { return doctest::Approx(x).epsilon(1e-6); }

}  // namespace

TEST_CASE("errors of a few numbers are those computed by hand") {
  const Reals y{2, -4, 0, 1};
  const Reals p{1, -5, 0, 3};
  CHECK(score(MeanAbsolutePercentageError{}, y, p) == near(100 * (0.5 + 0.25 + 0 + 2) / 4));
  CHECK(score(SymmetricMAPE{}, y, p) == near((2.0 / 3 + 2.0 / 9 + 0 + 1) / 4));
  CHECK(score(WeightedMAPE{}, y, p) == near(4.0 / 7));
  CHECK(score(Huber{}, y, p) == near((0.5 + 0.5 + 0 + 1.5) / 4));
  CHECK(score(Huber{.delta = 0.5}, y, p) == near((0.375 + 0.375 + 0 + 0.875) / 4));
  CHECK(score(Quantile{.quantile = 0.75}, y, p) == near((0.75 + 0.75 + 0 + 0.5) / 4));
  CHECK(score(PSNR{.data_range = 6}, y, p) == near(10 * std::log10(36 / 1.5)));
  CHECK(score(LogCoshError{}, y, p) ==
        near((2 * std::log(std::cosh(1.0)) + std::log(std::cosh(2.0))) / 4));
  const Reals a{0, 3, -1, 1};
  const Reals b{1, 3, -7, 0};
  CHECK(score(MeanSquaredLogarithmicError{}, a, b) == near(std::log(2.0) * std::log(2.0) / 2));
  CHECK(score(LogCoshError{}, Reals{0}, Reals{1000}) == near(1000 - std::log(2.0)));
  CHECK(std::isinf(score(PSNR{.data_range = 1}, y, y)));
}

TEST_CASE("a percentage error of a target of 0 is divided by epsilon") {
  CHECK(score(MeanAbsolutePercentageError{.epsilon = 0.25}, Reals{0}, Reals{1}) == near(400));
  CHECK(score(MeanAbsolutePercentageError{}, Reals{0}, Reals{0}) == 0);
}

TEST_CASE("hinge takes 0 for -1, element by element") {
  const Reals p{0.5f, 0.5f, 2};
  CHECK(score(Hinge{}, Reals{0, 1, 0}, p) == near((1.5 + 0.5 + 3) / 3));
  CHECK(score(Hinge{}, Labels{-1, 1, 0}, p) == near((1.5 + 0.5 + 3) / 3));
  CHECK(score(SquaredHinge{}, Reals{-1, 1, 0}, p) == near((2.25 + 0.25 + 9) / 3));
  const Table one_hot{{0, 1, 0}, {1, 0, 0}};
  CHECK(score(CategoricalHinge{}, one_hot, Table{{0.5f, 1, 2}, {3, -1, -2}}) == near(2.0 / 2));
}

TEST_CASE("divergences of a few numbers are those computed by hand") {
  const Table y{{0.5f, 0.5f}, {1, 0}};
  const Table p{{0.25f, 0.75f}, {0.5f, 0.5f}};
  const double first = 0.5 * std::log(2.0) + 0.5 * std::log(0.5 / 0.75);
  CHECK(score(KLDivergence{}, y, p) == doctest::Approx((first + std::log(2.0)) / 2).epsilon(2e-5));
  CHECK(score(Poisson{.epsilon = 0}, Reals{2, 0}, Reals{1, 3}) == near((1 + 3.0) / 2));
  const Reals t{1, 2};
  const Reals s{2, 1};
  const double log_2 = std::log(2.0);
  CHECK(score(TweedieDeviance{}, t, s) == near(1));
  CHECK(score(TweedieDeviance{.power = 1}, t, s) ==
        near((2 * (1 - log_2) + 2 * (2 * log_2 - 1)) / 2));
  CHECK(score(TweedieDeviance{.power = 2}, t, s) ==
        near((2 * (log_2 - 0.5) + 2 * (1 - log_2)) / 2));
  CHECK(score(TweedieDeviance{.power = 3}, t, s) == near((0.25 + 0.5) / 2));
  CHECK(score(TweedieDeviance{.power = 1.5}, Reals{0}, Reals{4}) == near(8));
}

TEST_CASE("data outside the domain of a Tweedie deviance is refused with row and value") {
  const auto why = [](double power, const Reals& y, const Reals& p) {
    return error_of([&] { (void)score(TweedieDeviance{.power = power}, y, p); });
  };
  for (const double power : {-1.0, 1.0, 1.5, 2.0, 3.0}) {
    CAPTURE(power);
    const std::string zero = why(power, Reals{1, 1, 1}, Reals{1, 1, -2.5f});
    CHECK(zero.find("-2.5") != std::string::npos);
    CHECK(zero.find("row 2") != std::string::npos);
    CHECK(why(power, Reals{1}, Reals{0}) != "");
  }
  CHECK(why(0, Reals{-1}, Reals{-1}) == "");
  CHECK(why(-1, Reals{-1}, Reals{1}) == "");
  CHECK(why(1, Reals{0}, Reals{1}) == "");
  CHECK(why(1.5, Reals{0}, Reals{1}) == "");
  CHECK(why(1, Reals{2, -0.5f}, Reals{1, 1}).find("row 1") != std::string::npos);
  CHECK(why(2, Reals{0}, Reals{1}) != "");
  CHECK(why(3, Reals{0}, Reals{1}) != "");
}

TEST_CASE("perplexity leaves the rows of the ignored class out of the count too") {
  const Table p{{0.5f, 0.25f, 0.25f}, {0.125f, 0.75f, 0.125f}, {0.25f, 0.25f, 0.5f}};
  const Perplexity all{.from_logits = false};
  CHECK(score(all, Labels{0, 1, 2}, p) == near(std::cbrt(1 / (0.5 * 0.75 * 0.5))));
  const Perplexity some{.from_logits = false, .ignore_class = -100};
  CHECK(score(some, Labels{0, -100, 2}, p) == near(2));
  CHECK(score(some, Labels{-100, -100, -100}, p) == 0);
  CHECK(score(Perplexity{.from_logits = true}, Labels{1}, Table{{0, 0, 0, 0}}) == near(4));
}

TEST_CASE("options that have no meaning are refused when the metric is made") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused(PSNR{}));
  CHECK(refused(PSNR{.data_range = nan}));
  CHECK(refused(Huber{.delta = 0}));
  CHECK(refused(Huber{.delta = nan}));
  CHECK(refused(Quantile{.quantile = -0.25}));
  CHECK(refused(Quantile{.quantile = 1.25}));
  CHECK(refused(Quantile{.quantile = nan}));
  CHECK(refused(TweedieDeviance{.power = 0.5}));
  CHECK(refused(TweedieDeviance{.power = nan}));
  CHECK(refused(MeanAbsolutePercentageError{.epsilon = -1}));
  CHECK(refused(MeanSquaredLogarithmicError{.epsilon = nan}));
  CHECK(refused(Poisson{.epsilon = -1}));
  CHECK(refused(KLDivergence{.epsilon = 1}));
  CHECK(refused(Perplexity{}));
  CHECK_FALSE(refused(PSNR{.data_range = 255}));
  CHECK_FALSE(refused(TweedieDeviance{.power = -0.5}));
  CHECK_FALSE(refused(Quantile{.quantile = 1}));
}
