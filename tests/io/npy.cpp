// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <situ/factories.hpp>
#include <situ/io/npy.hpp>
#include <situ/random.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "temporary.hpp"

using namespace situ;
using namespace situ_test;

namespace {

// A file with any text as its header.
std::string npy(const std::string& header, const std::string& data, int major = 1) {
  std::string s = "\x93NUMPY";
  s += static_cast<char>(major);
  s += '\0';
  const std::size_t bytes = major == 1 ? 2 : 4;
  for (std::size_t b = 0; b < bytes; ++b) {
    s += static_cast<char>((header.size() >> (8 * b)) & 0xFF);
  }
  return s + header + data;
}
std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
std::string complaint(const std::string& content) {
  const Temporary file(content);
  std::string message = message_of([&] { NpyFile{file.path()}; });
  if (!message.empty()) {
    CHECK(well_formed(message));
    CHECK(contains(message, file.path()));
  }
  return message;
}
template <class T>
std::string bytes_of(const std::vector<T>& v) {
  std::string s(v.size() * sizeof(T), '\0');
  std::memcpy(s.data(), v.data(), s.size());
  return s;
}
template <class T, int R>
bool same(const Tensor<T, R, Host>& a, const Tensor<T, R, Host>& b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}
template <class T>
void round_trip(const Tensor<T, 2, Host>& t) {
  const Temporary file;
  save_npy(file.path(), t);
  const NpyFile opened(file.path());
  CHECK(opened.holds<T>());
  CHECK(opened.shape() == std::vector<std::int64_t>{t.extent(0), t.extent(1)});
  CHECK(same(load_npy<T, 2>(file.path()), t));
}

template <class X>
concept savable = requires(const X& x) { save_npy("", x); };
static_assert(savable<Tensor<float, 2, Host>> && savable<View<const bool, 1, Host>>);
static_assert(!savable<Tensor<float, 2, Cuda<0>>> && !savable<View<float, 1, Cuda<0>>>);

}  // namespace

TEST_CASE("every element type survives writing and reading") {
  round_trip(random_integers<bool, 2>({5, 7}, 1, 0, 2));
  round_trip(random_integers<std::int8_t, 2>({5, 7}, 1, -128, 128));
  round_trip(random_integers<std::uint8_t, 2>({5, 7}, 1, 0, 256));
  round_trip(random_integers<std::int16_t, 2>({5, 7}, 1, -32768, 32768));
  round_trip(random_integers<std::uint16_t, 2>({5, 7}, 1, 0, 65536));
  round_trip(random_integers<std::int32_t, 2>({5, 7}, 1, -9, 9));
  round_trip(random_integers<std::uint32_t, 2>({5, 7}, 1, 0, 9));
  round_trip(random_integers<std::int64_t, 2>({5, 7}, 1, -9, 9));
  round_trip(random_integers<std::uint64_t, 2>({5, 7}, 1, 0, 9));
  round_trip(random_normal<float16, 2>({5, 7}, 1));
  round_trip(random_normal<float, 2>({5, 7}, 1));
  round_trip(random_normal<double, 2>({5, 7}, 1));
  round_trip(zeros<float, 2>({0, 3}));
  round_trip(zeros<float, 2>({3, 0}));
  const Temporary file;
  const auto t = random_normal<bfloat16, 1>({9}, 1);
  save_npy(file.path(), t);
  CHECK(NpyFile(file.path()).dtype() == DType::raw16);  // NumPy has no bfloat16 of its own
  CHECK(same(load_npy<bfloat16, 1>(file.path()), t));
  CHECK_THROWS_AS(((void)load_npy<float16, 1>(file.path())), dtype_error);
}

TEST_CASE("the bytes written are those that numpy.save writes") {
  const Temporary file;
  save_npy(file.path(), Tensor<float, 1, Host>{1, 2, 3});
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  header.resize(117, ' ');
  CHECK(file.read() == npy(header + "\n", bytes_of<float>({1, 2, 3})));
  Tensor<std::uint8_t, 0, Host> scalar;
  scalar() = 7;
  save_npy(file.path(), scalar);
  CHECK(file.read().size() == 129);
  CHECK(contains(file.read(), "'|u1', 'fortran_order': False, 'shape': (), }"));
  CHECK(load_npy<std::uint8_t, 0>(file.path())() == 7);
}

TEST_CASE("strided views are written in their own order") {
  const Temporary file;
  const auto t = random_normal<float, 2>({150, 90}, 3);
  save_npy(file.path(), transpose(t));
  const auto back = load_npy<float, 2>(file.path());
  CHECK(back.shape() == Shape<2>{90, 150});
  CHECK(back(89, 3) == t(3, 89));
  save_npy(file.path(), t.slice(0, 149, -200, -50).slice(1, 1, 90, 40));
  CHECK(load_npy<float, 2>(file.path())(2, 1) == t(49, 41));
  save_npy(file.path(), broadcast_to<2>(t.row(0).slice(0, 0, 1), {2, 3}));
  CHECK(load_npy<float, 2>(file.path())(1, 2) == t(0, 0));
}

TEST_CASE("files that NumPy wrote are read") {
  const auto labels = load_npy<std::int64_t, 1>(bundled("digits_labels.npy"));
  const auto narrow = load_npy<std::int32_t, 1>(bundled("digits_labels_int32.npy"));
  const auto scores = load_npy<float, 2>(bundled("digits_probabilities.npy"));
  CHECK(labels.size() == 899);
  CHECK(scores.shape() == Shape<2>{899, 10});
  double total = 0;
  bool equal = true;
  for (std::int64_t i = 0; i < labels.size(); ++i) {
    equal = equal && labels(i) == narrow(i) && labels(i) >= 0 && labels(i) < 10;
    for (std::int64_t j = 0; j < 10; ++j) total += static_cast<double>(scores(i, j));
  }
  CHECK(equal);
  CHECK(total == doctest::Approx(899));
}

TEST_CASE("a file is read in parts") {
  const NpyFile file(bundled("digits_logits.npy"));
  CHECK(file.rows() == 899);
  CHECK(file.row_size() == 10);
  CHECK(file.size() == 8990);
  const auto whole = load_npy<float, 2>(file.path());
  std::vector<float> part(70);
  file.read_rows<float>(892, 7, part);
  CHECK(std::equal(part.begin(), part.end(), whole.data() + 8920));
  Tensor<float, 2, Host> batch(Shape<2>{100, 10});
  file.read_rows<float>(400, 100, batch.view());
  CHECK(batch(99, 9) == whole(499, 9));
  file.read_rows<float>(899, 0, std::span<float>());
  CHECK_THROWS_AS(file.read_rows<float>(893, 7, part), shape_error);
  CHECK_THROWS_AS(file.read_rows<float>(-1, 7, part), shape_error);
  CHECK_THROWS_AS(file.read_rows<float>(0, -7, part), shape_error);
  CHECK_THROWS_AS(file.read_rows<float>(0, 8, part), shape_error);
  CHECK_THROWS_AS(file.read_rows<float>(0, 10, transpose(batch.view())), shape_error);
  std::vector<double> wrong(70);
  CHECK_THROWS_AS(file.read_rows<double>(0, 7, wrong), dtype_error);
  CHECK(contains(message_of([&] { file.read_rows<double>(0, 7, wrong); }), "float32, not float64"));
  CHECK_THROWS_AS(((void)load_npy<float, 1>(file.path())), shape_error);
  CHECK_THROWS_AS(((void)load_npy<double, 2>(file.path())), dtype_error);
}

TEST_CASE(
    "format versions 1 to 3 and all spellings of a header that Python would accept from NumPy") {
  const std::string data = bytes_of<float>({1, 2, 3, 4, 5, 6});
  for (const int major : {1, 2, 3}) {
    const Temporary file(npy(dictionary("'<f4'", "(2, 3)"), data, major));
    CHECK(load_npy<float, 2>(file.path())(1, 2) == 6);
  }
  CHECK(
      complaint(npy("{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}", data)).empty());
  CHECK(
      complaint(npy("{'shape': (6,), 'fortran_order': False, 'descr': '=f4'}   \n", data)).empty());
  CHECK(complaint(npy(dictionary("'<u1'", "(24,)"), data)).empty());
  CHECK(complaint(npy(dictionary("'b1'", "(1, 24, 1,)"), data)).empty());
}

TEST_CASE("what a header must not say is refused in a sentence") {
  const std::string data(24, '\0');
  const auto says = [&](const std::string& header, const char* words) {
    const std::string message = complaint(npy(header, data));
    INFO(message);
    CHECK(contains(message, words));
  };
  says(dictionary("'<f4'", "(2, 3)", "True"), "Fortran order");
  says(dictionary("'>f4'", "(2, 3)"), "big-endian");
  says(dictionary("'|O'", "(3,)"), "Python objects");
  says(dictionary("'<U3'", "(2,)"), "text");
  says(dictionary("'|S8'", "(3,)"), "text");
  says(dictionary("'<c8'", "(3,)"), "complex");
  says(dictionary("'<M8[ns]'", "(3,)"), "dates");
  says(dictionary("[('a', '<f4'), ('b', '<i4')]", "(3,)"), "structured");
  says(dictionary("'<f16'", "(3,)"), "unknown");
  says(dictionary("'|f4'", "(6,)"), "unknown");
  says(dictionary("'<i3'", "(8,)"), "unknown");
  says(dictionary("''", "(8,)"), "unknown");
  says(dictionary("'<\x1b[31m'", "(8,)"), "unknown");
  says(dictionary("'<f4'", "(7,)"), "has 92 bytes where its header asks for 96");
  says(dictionary("'<f4'", "(5,)"), "truncated or damaged");
  says(dictionary("'<f4'", "(-6,)"), "not a tuple of lengths");
  says(dictionary("'<f4'", "(6)"), "a number, not a tuple");
  says(dictionary("'<f4'", "6"), "no '('");
  says(dictionary("'<f4'", "(6, x)"), "not a tuple of lengths");
  says(dictionary("'<f4'", "(1152921504606846976, 1)"), "its header asks for 4611686018427");
  says(dictionary("'<f4'", "(2305843009213693952,)"), "no file can hold");
  says(dictionary("'<f4'", "(0, 9223372036854775807, 9223372036854775807)"), "no file can hold");
  says(dictionary("'<f4'", "(99999999999999999999,)"), "does not fit in 64 bits");
  says(dictionary("'<f4'", "(6,)", "0"), "neither True nor False");
  says("{'descr': '<f4', 'fortran_order': False, }", "no descr, fortran_order or shape");
  says("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", "repeated key");
  says("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'x': 1}",
       "unknown or repeated key 'x'");
  says("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} + 1", "text after");
  says("{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (6,)}", "backslash");
  says("{'descr': '<f4", "no string");
  says("", "no '{'");
  std::string axes = "(";
  for (int i = 0; i < 65; ++i) axes += "1, ";
  says(dictionary("'<f4'", axes + ")"), "more than 64 axes");
}

TEST_CASE("what is not a .npy file at all is refused") {
  CHECK(contains(complaint(""), "not a .npy file"));
  CHECK(contains(complaint("PK\x03\x04 a zip archive"), "not a .npy file"));
  CHECK(contains(complaint(npy("{}", "", 4)), "format version 4.0"));
  CHECK(contains(complaint(npy("{}", "", 0)), "format version 0.0"));
  CHECK(contains(complaint("\x93NUMPY\x01"), "not a .npy file"));
  CHECK(
      contains(complaint(npy(dictionary("'<f4'", "(6,)"), "").substr(0, 40)), "within its header"));
  std::string long_header("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14);
  CHECK(contains(complaint(long_header), "too long"));
  const std::string missing = message_of([] { NpyFile{"/nowhere/at all.npy"}; });
  CHECK(contains(missing, "cannot open /nowhere/at all.npy: No such file"));
  CHECK(well_formed(missing));
  CHECK_THROWS_AS(NpyFile{SITU_TEST_BINARY_DIR}, format_error);
  CHECK_THROWS_AS(NpyFile{"/dev/null"}, format_error);
  CHECK_THROWS_AS(save_npy("/nowhere/x.npy", zeros<float, 1>({3})), format_error);
}

TEST_CASE("a byte that is neither 0 nor 1 never becomes a bool") {
  const Temporary file(npy(dictionary("'|b1'", "(4,)"), std::string("\x00\x01\x02\x01", 4)));
  const std::string message = message_of([&] { (void)load_npy<bool, 1>(file.path()); });
  CHECK(contains(message, "byte 2 as bool number 2"));
  CHECK(well_formed(message));
}

TEST_CASE("a file that shrinks while it is read is noticed") {
  const std::string header = dictionary("'<f4'", "(6,)");
  const Temporary file(npy(header, std::string(24, '\0')));
  const NpyFile open(file.path());
  file.write(npy(header, std::string(10, '\0')));
  std::vector<float> to(6);
  CHECK(contains(message_of([&] { open.read_rows<float>(0, 6, to); }), "became shorter"));
}

TEST_CASE("no damage to a file does more than a refusal") {
  const char* const words[] = {"(",    ")",        "'",     "True",     "9223372036854775807",
                               "{",    "}",        ",",     "'<f4'",    "4611686018427387904",
                               "'|O'", "[('a',)]", "\x93N", "'shape':", "-1"};
  const std::string seeds[] = {npy(dictionary("'<f4'", "(2, 3)"), std::string(24, '\1')),
                               npy(dictionary("'|b1'", "(24,)"), std::string(24, '\1'), 2),
                               npy(dictionary("'<V2'", "(3, 2, 2)"), std::string(24, '\1'), 3)};
  Dice dice(2024);
  const Temporary file;
  int refused = 0;
  int read = 0;
  for (int i = 0; i < 6000; ++i) {
    file.write(damaged(seeds[i % 3], dice, words));
    try {
      const NpyFile opened(file.path());
      REQUIRE(opened.size() <= 4096);  // never more than the file has bytes
      const auto read_all = [&](auto type) {
        using T = typename decltype(type)::type;
        Tensor<T, 1, Host> t(Shape<1>{{opened.size()}});
        opened.read_rows<T>(0, opened.rows(),
                            std::span<T>(t.data(), static_cast<std::size_t>(t.size())));
      };
      if (opened.dtype() == DType::raw16) {
        read_all(std::type_identity<bfloat16>{});
      } else {
        with_dtype(opened.dtype(), read_all);
      }
      ++read;
    } catch (const format_error& e) {
      REQUIRE(well_formed(e.what()));
      ++refused;
    } catch (const dtype_error& e) {
      REQUIRE(well_formed(e.what()));
      ++refused;
    }
  }
  CHECK(refused > 3000);
  CHECK(read > 100);
}
