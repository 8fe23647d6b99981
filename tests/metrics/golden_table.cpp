// SPDX-License-Identifier: Apache-2.0
// After all tests: which recorded answers were met, and why others were not.
#include <cstdio>
#include <string>

#include "golden.hpp"

namespace {

struct Table : doctest::IReporter {
  explicit Table(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats&) override {
    const auto& rows = golden::table();
    if (rows.empty()) return;
    std::printf("\n%-30s %6s %13s %11s %13s %13s  %s\n", "metric", "cases", "off by <=", "Keras",
                "scikit-learn", "TorchMetrics", "differences and cases skipped");
    for (const golden::Row& r : rows) {
      std::string notes;
      for (const auto& [why, n] : r.differences) notes += why + " " + std::to_string(n) + "; ";
      for (const auto& [why, n] : r.skipped) notes += "skipped, " + why + " " + std::to_string(n) + "; ";
      const auto share = [](int agreed, int asked) {
        return asked == 0 ? std::string("-") : std::to_string(agreed) + "/" + std::to_string(asked);
      };
      std::printf("%-30s %6d %13.1e %11s %13s %13s  %s\n", r.metric.c_str(), r.cases, r.worst,
                  share(r.keras, r.keras_asked).c_str(), share(r.sklearn, r.sklearn_asked).c_str(),
                  share(r.torchmetrics, r.torchmetrics_asked).c_str(), notes.c_str());
    }
    std::fflush(stdout);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

REGISTER_LISTENER("golden_table", 1, Table);
