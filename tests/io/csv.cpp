// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <situ/io/csv.hpp>
#include <situ/io/npy.hpp>
#include <string>
#include <vector>

#include "temporary.hpp"

using namespace situ;
using namespace situ_test;

namespace {

// All numbers of some columns of a text, as doubles.
std::vector<double> numbers(const std::string& text, const std::vector<std::string>& columns,
                            CsvOptions options = {}) {
  const Temporary file(text, ".csv");
  CsvFile csv(file.path(), options);
  std::vector<int> chosen;
  for (const std::string& c : columns) chosen.push_back(csv.column(c));
  std::vector<double> all;
  std::vector<double> part(3 * chosen.size());
  while (true) {
    const std::int64_t n = csv.read_rows(3, CsvTarget<double>{chosen, part});
    if (n == 0) return all;
    all.insert(all.end(), part.begin(),
               part.begin() + n * static_cast<std::int64_t>(chosen.size()));
  }
}
using Doubles = std::vector<double>;

std::string complaint(const std::string& text, const std::vector<std::string>& columns = {"0"},
                      CsvOptions options = {}) {
  const std::string message = message_of([&] { (void)numbers(text, columns, options); });
  CHECK((message.empty() || well_formed(message)));
  return message;
}

// One number as type T.
template <class T>
T one(const std::string& text) {
  const Temporary file(text, ".csv");
  CsvFile csv(file.path(), {.header = CsvHeader::absent});
  T value[1] = {};
  const std::int64_t rows = csv.read_rows(1, CsvTarget<T>{{0}, value});
  CHECK(rows == 1);
  return value[0];
}

}  // namespace

TEST_CASE("columns are chosen by name or number") {
  const std::string text = "y_true,y_pred,weight\n1,0.5,2\n0,0.25,3\n1,1e-3,4\n0,.5,5\n";
  CHECK(numbers(text, {"y_pred"}) == Doubles{0.5, 0.25, 1e-3, 0.5});
  CHECK(numbers(text, {"weight", "y_true"}) == Doubles{2, 1, 3, 0, 4, 1, 5, 0});
  CHECK(numbers(text, {"2"}) == Doubles{2, 3, 4, 5});
  const Temporary file(text, ".csv");
  const CsvFile csv(file.path());
  CHECK(csv.names() == std::vector<std::string>{"y_true", "y_pred", "weight"});
  CHECK(csv.columns() == 3);
  CHECK_THROWS_AS(csv.column("y_Pred"), argument_error);
  CHECK_THROWS_AS(csv.column("3"), argument_error);
  CHECK_THROWS_AS(csv.column("-1"), argument_error);
  CHECK(contains(message_of([&] { csv.column("label"); }), "y_true, y_pred, weight"));
}

TEST_CASE("a file may have no header") {
  CHECK(numbers("1,2\n3,4\n", {"1"}) == Doubles{2, 4});
  CHECK(numbers("cat,2\ndog,4\n", {"1"}) == Doubles{2, 4});  // not all of the first line is text
  CHECK(numbers("7,8\n1,2\n", {"7"}, {.header = CsvHeader::present}) == Doubles{1});
  CHECK(contains(complaint("1,2\n", {"y_true"}), "no header, choose by number"));
  CHECK(contains(complaint("a,b\n1,2\n", {"0"}, {.header = CsvHeader::absent}), "line 1 has 'a'"));
  CHECK(numbers("a,b\n", {"a"}).empty());
}

TEST_CASE("line ends, blank lines, spaces, quotes and byte order marks of all kinds") {
  CHECK(numbers("a,b\r\n1,2\r\n3,4", {"b"}) == Doubles{2, 4});
  CHECK(numbers("\n\na,b\n\n1,2\n  \n\r\n3,4\n\n", {"b"}) == Doubles{2, 4});
  CHECK(numbers("a, b \n 1 ,\t2 \n+3,+4e0\n", {"b"}) == Doubles{2, 4});
  CHECK(numbers("\xEF\xBB\xBF"
                "a,b\n1,2\n",
                {"a"}) == Doubles{1});
  CHECK(numbers("\"a\",\"b\"\n\"1\",\"2\"\n", {"b"}) == Doubles{2});
  CHECK(numbers("name,x\n\"O'Neill, \"\"Bo\"\"\",5\n\"two\nlines\",6\n\"\",7\n", {"x"}) ==
        Doubles{5, 6, 7});
  CHECK(numbers("say \"hi\",x\na \" b,1\n", {"x"}) == Doubles{1});  // a quote within plain text
  CHECK(numbers("a;b\n1;2,5\n", {"a"}, {.delimiter = ';'}) == Doubles{1});
  CHECK(numbers("a\tb\n1\t2\n", {"b"}, {.delimiter = '\t'}) == Doubles{2});
  const Temporary quoted("\"the \"\"x\"\", really\",y\n1,2\n", ".csv");
  CHECK(CsvFile(quoted.path()).names()[0] == "the \"x\", really");
}

TEST_CASE("numbers are read exactly and in every usual notation") {
  CHECK(one<double>("0.1") == 0.1);
  CHECK(one<double>("-1.7976931348623157e308") == -std::numeric_limits<double>::max());
  CHECK(one<double>("4.9406564584124654e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(std::isinf(one<double>("inf")));
  CHECK(one<double>("-Infinity") == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(one<double>("NaN")));
  CHECK(one<float>("0.1") == 0.1f);
  CHECK(one<float>("16777217") == 16777216.0f);
  CHECK(one<float>("1e-60") == 0.0f);
  CHECK(one<float>("-1e-44") == -1e-44f);
  CHECK(one<std::int64_t>("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(one<std::int8_t>("-128") == -128);
  CHECK(one<std::uint8_t>("255") == 255);
  CHECK(one<bool>("True"));
  CHECK_FALSE(one<bool>("0"));
}

TEST_CASE("what is not a number is refused with its line and column") {
  CHECK(contains(complaint("a,b\n1,2\n3,x\n", {"b"}), "line 3 has 'x' in column 'b'"));
  CHECK(contains(complaint("1,2\n3,x\n", {"1"}), "line 2 has 'x' in column number 1"));
  CHECK(contains(complaint("a,b\n\n\"\n\",2\n3,x\n", {"b"}), "line 5 has 'x'"));
  CHECK(contains(complaint("a,b\n1,\n", {"b"}), "line 2 has nothing in column 'b'; write nan"));
  for (const char* bad :
       {"1.2.3", "0x10", "1 2", "1e", "--1", "+-1", "1,5", "e5", "1d", "nanx", "\x1b[2J"}) {
    INFO(bad);
    CHECK(contains(complaint(std::string("a\n\"") + bad + "\"\n", {"a"}), "is not a number"));
  }
  CHECK(contains(complaint("a\n1e999\n"), "outside the range of float64"));
  CHECK(contains(message_of([] { one<float>("1e39"); }), "outside the range of float32"));
  CHECK(contains(message_of([] { one<std::uint8_t>("256"); }), "outside the range of uint8"));
  CHECK(contains(message_of([] { one<std::uint8_t>("-1"); }), "not a number of type uint8"));
  CHECK(contains(message_of([] { one<std::int32_t>("3.0"); }), "not a number of type int32"));
  CHECK(contains(message_of([] { one<bool>("2"); }), "not a number of type bool"));
}

TEST_CASE("what is not a table is refused with its line") {
  CHECK(contains(complaint(""), "has no lines"));
  CHECK(contains(complaint("\n\n"), "has no lines"));
  CHECK(contains(complaint("a,b\n1,2\n3\n"), "line 3 has 1 fields where the first line has 2"));
  CHECK(contains(complaint("a,b\n1,2,\n"), "line 2 has 3 fields"));
  CHECK(contains(complaint(std::string("a,b\n1,2\n\0,3\n", 13)), "line 3 has a NUL byte"));
  CHECK(contains(complaint("a,b\n1,2\n\"3,4\n5,6\n"), "line 3 opens a quote that is not closed"));
  CHECK(contains(complaint("a,b\n\"1\"2,3\n"), "line 2 has text after a closing quote"));
  CHECK(contains(complaint("a\n1\n" + std::string(100, '1') + "\n", {"0"}, {.longest_line = 50}),
                 "line 3 is longer than 50 bytes"));
  CHECK(contains(complaint("a\n1\n" + std::string(3 << 20, '1')),
                 "line 3 is longer than 1048576 bytes"));
  CHECK(contains(complaint("a\n1\n\"" + std::string(3 << 20, '\n')), "line 3 opens a quote"));
  CHECK(contains(complaint("a,a\n1,2\n", {"a"}), "several columns named 'a'"));
  CHECK_THROWS_AS(CsvFile("/nowhere/x.csv"), format_error);
  CHECK_THROWS_AS(CsvFile(SITU_TEST_BINARY_DIR), format_error);
  CHECK_THROWS_AS(CsvFile("/dev/null"), format_error);
  CHECK_THROWS_AS(CsvFile(bundled("breast_cancer.csv"), {.delimiter = '"'}), argument_error);
}

TEST_CASE("several targets of different types are read in one pass and in parts") {
  std::string text = "label,p0,p1\n";
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i % 2) + "," + std::to_string(i) + ".5," + std::to_string(-i) + "\n";
  }
  const Temporary file(text, ".csv");
  CsvFile csv(file.path());
  CHECK(csv.bytes() == static_cast<std::int64_t>(text.size()));
  std::vector<std::uint8_t> labels(700);
  std::vector<float> scores(1400);
  std::int64_t rows = 0;
  bool right = true;
  while (const std::int64_t n = csv.read_rows(700, CsvTarget{{0}, std::span(labels)},
                                              CsvTarget{{2, 1}, std::span(scores)})) {
    for (std::int64_t i = 0; i < n; ++i, ++rows) {
      const auto at = static_cast<std::size_t>(i);
      right = right && labels[at] == rows % 2 && scores[2 * at] == static_cast<float>(-rows) &&
              scores[2 * at + 1] == static_cast<float>(rows) + 0.5f;
    }
    CHECK(csv.bytes_read() <= csv.bytes());
  }
  CHECK(right);
  CHECK(rows == 5000);
  CHECK(csv.bytes_read() == csv.bytes());
  CHECK(csv.read_rows(5, CsvTarget{{0}, std::span(labels)}) == 0);
  CHECK_THROWS_AS(csv.read_rows(701, CsvTarget{{0}, std::span(labels)}), shape_error);
  CHECK_THROWS_AS(csv.read_rows(-1, CsvTarget{{0}, std::span(labels)}), shape_error);
  CHECK_THROWS_AS(csv.read_rows(1, CsvTarget{{3}, std::span(labels)}), argument_error);
}

TEST_CASE("a real table equals the arrays that were saved beside it") {
  CsvFile csv(bundled("breast_cancer.csv"));
  const auto labels = load_npy<std::uint8_t, 1>(bundled("breast_cancer_labels.npy"));
  const auto scores = load_npy<float, 1>(bundled("breast_cancer_scores.npy"));
  std::vector<std::uint8_t> y_true(400);
  std::vector<float> y_pred(400);
  const std::int64_t n = csv.read_rows(400, CsvTarget<std::uint8_t>{{csv.column("y_true")}, y_true},
                                       CsvTarget<float>{{csv.column("y_pred")}, y_pred});
  CHECK(n == labels.size());
  bool equal = true;
  for (std::int64_t i = 0; i < labels.size(); ++i) {
    equal = equal && y_true[static_cast<std::size_t>(i)] == labels(i) &&
            y_pred[static_cast<std::size_t>(i)] == scores(i);
  }
  CHECK(equal);
}

TEST_CASE("records that straddle the parts in which a file is read are whole") {
  // Lines whose ends fall on every position around the end of a part of 65536 bytes.
  for (int shift = 0; shift < 40; ++shift) {
    std::string text =
        "a,b\n" + std::string(static_cast<std::size_t>(65500 - 4 + shift - 3), ' ') + "1,\n";
    text.replace(text.size() - 3, 3, "1,2\n");
    text += "\"x\"\"\n,y\",3\r\n\"\"\"\",4\n5,\"6\"\r\n";
    const std::vector<double> b = numbers(text, {"b"});
    REQUIRE(b == Doubles{2, 3, 4, 6});
  }
}

TEST_CASE("no damage to a table does more than a refusal") {
  const char* const words[] = {"\"",  "\"\"",  "\n", "\r\n",         ",", ",,",
                               "nan", "1e999", "x",  "\xEF\xBB\xBF", "-"};
  const std::string seed =
      "y_true,y_pred,weight\n1,0.5,2\n0,0.25,3\r\n1,\"1e-3\",4\n\n0,.5,\"5\"\n";
  Dice dice(7);
  int refused = 0;
  int read = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = damaged(seed, dice, words);
    try {
      (void)numbers(text, {"1", "2"}, {.longest_line = 100});
      ++read;
    } catch (const format_error& e) {
      REQUIRE(well_formed(e.what()));
      ++refused;
    } catch (const argument_error& e) {  // too few columns are left
      REQUIRE(well_formed(e.what()));
      ++refused;
    }
  }
  CHECK(refused > 2000);
  CHECK(read > 500);
}
