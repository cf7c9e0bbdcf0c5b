// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/sources_testing.hpp"

namespace npy_source_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

}  // namespace

TEST_CASE("vectors of float64 with labels, test rows in a second file") {
  const TempFolder folder;
  const auto x =
      folder.write("x.npy", array("<f8", "2, 3", bytes_of<double>({1, 2, 3, 4, 5, 6.5})));
  const auto y = folder.write("y.npy", array("<i8", "2,", bytes_of<std::int64_t>({5, -1})));
  const auto t = folder.write("t.npy.gz", array("<f4", "1, 3", bytes_of<float>({7, 8, 9})));
  const auto l = folder.write("l.npy", array("|u1", "1,", std::string("\5")));
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/npy",
                              {{"path", x}, {"label", y}, {"test_path", t}, {"test_label", l}}),
      context);
  CHECK(data->outline().layout == Layout::vector(3));
  CHECK(data->outline().classes == std::vector<std::string>{"-1", "5"});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(all_rows(*data).values == std::vector<float>{1, 2, 3, 4, 5, 6.5, 7, 8, 9});
}

TEST_CASE("without labels rows are for training") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<i2", "2, 2", bytes_of<std::int16_t>({1, -2, 3, 4})));
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/npy", {{"path", x}}), context);
  CHECK(data->outline().test_rows == 0);
  CHECK(data->outline().train_rows == 2);
  CHECK(all_rows(*data).values == std::vector<float>{1, -2, 3, 4});
}

TEST_CASE("byte images stay bytes and become planar, float cells stay cells") {
  const TempFolder folder;
  std::string pixels;
  for (int k = 0; k < 12; ++k) pixels += char(k + 250);  // 1 x 2 x 2 x 3, channels last
  const auto image = folder.write("i.npy", array("|u1", "1, 2, 2, 3", pixels));
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/npy", {{"path", image}}), context);
  CHECK(data->outline().layout == Layout::image(2, 2, 3));
  CHECK(data->bytes() < 24);
  CHECK(all_rows(*data).values ==
        std::vector<float>{250, 253, 0, 3, 251, 254, 1, 4, 252, 255, 2, 5});

  const auto grid =
      folder.write("g.npy", array("<f4", "1, 1, 2, 3", bytes_of<float>({1, 2, 3, 4, 5, 6})));
  const auto cells = open_checked(*make_component<Source>("source/npy", {{"path", grid}}), context);
  CHECK(cells->outline().layout == Layout::grid(1, 2, 3));
  CHECK(all_rows(*cells).values == std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto flat =
      make_component<Source>("source/npy", {{"path", grid}, {"layout", std::string("vector")}})
          ->open(context);
  CHECK(flat->outline().layout == Layout::vector(6));
}

TEST_CASE("a stratified split of an array is known from headers and labels alone") {
  const TempFolder folder;
  std::vector<float> x(40);
  std::vector<std::int32_t> y(40);
  for (int i = 0; i < 40; ++i) x[i] = float(i), y[i] = i % 2;
  const auto source = make_component<Source>(
      "source/npy", {{"path", folder.write("x.npy", array("<f4", "40,", bytes_of(x)))},
                     {"label", folder.write("y.npy", array("<i4", "40,", bytes_of(y)))},
                     {"test_fraction", 0.1}});
  TestContext context;
  const auto data = open_checked(*source, context);
  CHECK(class_counts(*data, 36, 4) == std::vector<int>{2, 2});
  check_seeded(*source);
}

TEST_CASE("labels need their arrays") {
  const Value a = std::string("a");
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/npy", {{"path", a}, {"label", a}, {"test_label", a}}),
      doctest::Contains("needs 'test_path'"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/npy", {{"path", a}, {"test_path", a}, {"test_label", a}}),
      doctest::Contains("needs 'label'"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/npy", {{"path", a}, {"test_path", a}, {"test_groups", a}}),
      doctest::Contains("'test_groups' needs 'groups'"), Error);
}

TEST_CASE("test rows have groups of their own, or a warning says that they are unknown") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<f4", "3, 1", bytes_of<float>({1, 2, 3})));
  const auto y = folder.write("y.npy", array("<i4", "3,", bytes_of<int>({0, 1, 1})));
  const auto who = folder.write("who.npy", array("<i4", "3,", bytes_of<int>({7, 8, 7})));
  const auto others = folder.write("others.npy", array("<i4", "3,", bytes_of<int>({9, 9, 8})));
  Parameters parameters = {
      {"path", x}, {"label", y}, {"groups", who}, {"test_path", x}, {"test_label", y}};
  TestContext context;
  const auto groups = [&] {
    const auto source = make_component<Source>("source/npy", parameters);
    const auto data = open_checked(*source, context);
    return std::vector<std::int32_t>(data->groups().begin(), data->groups().end());
  };
  CHECK(groups() == std::vector<std::int32_t>{0, 1, 0, -1, -1, -1});
  REQUIRE(!context.lines.empty());
  CHECK(context.lines.front() ==
        x + ": the groups of 3 test rows are unknown, so intervals and tests of figures take each "
            "row by itself and may be too narrow; give the groups of test rows, too");
  context.lines.clear();
  parameters.emplace_back("test_groups", others);
  CHECK(groups() == std::vector<std::int32_t>{0, 1, 0, 2, 2, 1});
  REQUIRE(!context.lines.empty());
  CHECK(context.lines.front().find("1 of 2 groups with training rows have test rows as well") !=
        std::string::npos);
}

namespace {

template <class T>
std::string reversed(const std::vector<T>& values) {
  std::string bytes = bytes_of(values);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T))
    std::reverse(bytes.begin() + std::ptrdiff_t(at),
                 bytes.begin() + std::ptrdiff_t(at + sizeof(T)));
  return bytes;
}

std::string by_columns(const std::string& type, const std::string& shape,
                       const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': True, 'shape': (" + shape + "), }", bytes);
}

}  // namespace

TEST_CASE("arrays in Fortran order, as numpy.save(df.values) writes them") {
  const TempFolder folder;
  TestContext context;
  const auto table =
      folder.write("x.npy.gz", by_columns("<f8", "3, 2", bytes_of<double>({1, 2, 3, 10, 20, 30})));
  const auto test = folder.write("t.npy", array("<f4", "1, 2", bytes_of<float>({4, 40})));
  CHECK(all_rows(*open_checked(
                     *make_component<Source>("source/npy", {{"path", table}, {"test_path", test}}),
                     context))
            .values == Floats{1, 10, 2, 20, 3, 30, 4, 40});
  std::vector<float> cells(2 * 2 * 3 * 2), expected;
  for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = float(k);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 3; ++x)
        for (std::size_t c = 0; c < 2; ++c) expected.push_back(float(i + 2 * y + 4 * x + 12 * c));
  const auto grid = folder.write("g.npy", by_columns("<f4", "2, 2, 3, 2", bytes_of(cells)));
  CHECK(all_rows(*open_checked(*make_component<Source>("source/npy", {{"path", grid}}), context))
            .values == expected);
  const auto series =
      folder.write("s.npy", by_columns("<f4", "2, 3", bytes_of<float>({1, 10, 2, 20, 3, 30})));
  const auto lengths = folder.write("l.npy", array("<i4", "2,", bytes_of<int>({3, 1})));
  const auto sequences = open_checked(
      *make_component<Source>("source/npy", {{"path", series}, {"lengths", lengths}}), context);
  CHECK(row_of(*sequences, 0) == Floats{1, 2, 3});
  CHECK(row_of(*sequences, 1) == Floats{10});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto broken =
      folder.write("n.npy", by_columns("<f4", "2, 2", bytes_of<float>({1, 2, nan, 4})));
  check_message(message_of(*make_component<Source>("source/npy", {{"path", broken}}), context),
                broken, "row 0, value 1 (both from 0): the value is not a number");
}

TEST_CASE("float16, big-endian numbers, missing values") {
  const TempFolder folder;
  TestContext context;
  const auto half = folder.write(
      "h.npy", array("<f2", "1, 6",
                     bytes_of<std::uint16_t>({0x3c00, 0xc100, 0x0001, 0x7bff, 0x8000, 0x3555})));
  CHECK(all_rows(*open_checked(*make_component<Source>("source/npy", {{"path", half}}), context))
            .values == Floats{1, -2.5F, 0x1p-24F, 65504, 0, 0.333251953125F});
  const auto infinite =
      folder.write("i.npy", array("<f2", "1,", bytes_of<std::uint16_t>({0x7c00})));
  check_message(message_of(*make_component<Source>("source/npy", {{"path", infinite}}), context),
                infinite, "is not finite");
  const auto big = folder.write("b.npy", array(">i4", "3,", reversed<int>({1, -2, 70000})));
  CHECK(all_rows(*open_checked(*make_component<Source>("source/npy", {{"path", big}}), context))
            .values == Floats{1, -2, 70000});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto gaps = folder.write("n.npy", array(">f8", "2, 2", reversed<double>({1, nan, 3, 4})));
  check_message(message_of(*make_component<Source>("source/npy", {{"path", gaps}}), context), gaps,
                "is not a number");
  const auto keeps =
      make_component<Source>("source/npy", {{"path", gaps}, {"missing", std::string("keep")}});
  CHECK(keeps->keeps_missing());
  const Floats values = all_rows(*open_checked(*keeps, context)).values;
  CHECK(values[0] == 1);
  CHECK(std::isnan(values[1]));
  CHECK(values[3] == 4);
}

TEST_CASE("labels that are texts, and labels that are missing") {
  const TempFolder folder;
  TestContext context;
  const auto x = folder.write("x.npy", array("<f4", "3,", bytes_of<float>({1, 2, 3})));
  const auto read = [&](const std::string& type, const std::string& bytes,
                        const char* missing = "refuse") {
    const auto y = folder.write("y.npy", array(type, "3,", bytes));
    return make_component<Source>(
        "source/npy", {{"path", x}, {"label", y}, {"missing_labels", std::string(missing)}});
  };
  const std::u32string wide(U"ja\0\u00e9\0\0ja\0", 9);
  const std::string bytes(reinterpret_cast<const char*>(wide.data()), 36);
  CHECK(open_checked(*read("<U3", bytes), context)->outline().classes == Texts{"ja", "\u00e9"});
  CHECK(labels(*open_checked(*read("|S2", std::string("b\0aab\0", 6)), context)) ==
        Labels{1, 0, 1});
  CHECK(message_of(*read("|S2", std::string("b\0NAb\0", 6)), context).find("is 'NA'") !=
        std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string gaps = bytes_of<double>({4, nan, 5});
  CHECK(message_of(*read("<f8", gaps), context).find("row 1 (from 0): the label is empty") !=
        std::string::npos);
  const auto dropped = open_checked(*read("<f8", gaps, "drop"), context);
  CHECK(labels(*dropped) == Labels{0, 1});
  CHECK(all_rows(*dropped).values == Floats{1, 3});
  CHECK(dropped->number(1) == 2);
}

}  // namespace npy_source_test
