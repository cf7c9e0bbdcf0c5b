// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <charconv>

#include "files/byte_reader.hpp"
#include "rows/class_names.hpp"
#include "rows/table_source.hpp"
#include "semblance_tables/text_values.hpp"
#include "tests/sources_testing.hpp"

namespace shared_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

TEST_CASE("classes are ordered by value where all are whole numbers, else by name") {
  ClassNames numbers;
  std::vector<std::int32_t> labels;
  for (const char* text : {"10", "+2", "-1", "2.0", "10"}) labels.push_back(numbers.add(text));
  numbers.sort(labels);
  CHECK(numbers.names() == std::vector<std::string>{"-1", "2", "10"});
  CHECK(labels == std::vector<std::int32_t>{2, 1, 0, 1, 2});
  CHECK(numbers.add("2") == 1);

  ClassNames texts;
  labels.clear();
  for (const char* text : {"b", "10", "9", "a"}) labels.push_back(texts.add(text));
  labels.push_back(-1);
  texts.sort(labels);
  CHECK(texts.names() == std::vector<std::string>{"10", "9", "a", "b"});
  CHECK(labels == std::vector<std::int32_t>{3, 0, 1, 2, -1});
}

TEST_CASE("numbers in texts") {
  float x = 0;
  for (const auto& [text, value] : std::vector<std::pair<const char*, float>>{{"1", 1},
                                                                              {"-2.5e1", -25},
                                                                              {"+.5", .5f},
                                                                              {"1e-60", 0},
                                                                              {"1e-400", 0},
                                                                              {"0x", -1},
                                                                              {"1.0f", -1},
                                                                              {"", -1},
                                                                              {"+-1", -1},
                                                                              {"1e400", -1},
                                                                              {"-1e39", -1},
                                                                              {"NaN", -1},
                                                                              {"--1", -1},
                                                                              {"infinity", -1},
                                                                              {"1 ", -1}}) {
    CAPTURE(std::string(text));
    const char* problem = parse_float(text, x);
    if (value == -1)
      CHECK(problem != nullptr);
    else
      CHECK((problem == nullptr && x == value));
  }
  CHECK(parse_integer("+12") == 12);
  CHECK(!parse_integer("1.5"));
  CHECK(in_quotes("a\nb") == "'a?b'");
}

TEST_CASE("a plain decimal is read as the double next to it") {
  Random random(1);
  const auto any = [&](std::uint64_t most) { return static_cast<std::size_t>(random.below(most)); };
  std::size_t plain = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text(any(2), '-');
    for (std::size_t left = any(18); left > 0; --left)
      text += "0123456789.e+"[any(k % 7 ? 11 : 13)];
    double ours = 0, known = 0;
    if (!parse_decimal(text, ours)) continue;
    CAPTURE(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), known);
    CHECK((end == text.data() + text.size() && error == std::errc()));
    CHECK(std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(known));
    ++plain;
  }
  CHECK(plain > 1000);
}

TEST_CASE("bytes are read in any portions") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += char((i % 1000) * (i % 1000) % 251);
  ByteReader reader(folder.write("data.xz", text));
  std::vector<unsigned char> all;
  CHECK(append_bytes(reader, 7, all) == 7);
  CHECK(append_bytes(reader, std::uint64_t{1} << 40, all) == text.size() - 7);
  CHECK(std::equal(all.begin(), all.end(), text.begin(),
                   [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }));
  CHECK(reader.position() == text.size());
  reader.expect_end("everything");
}

TEST_CASE("the bytes of a small file keep no room to spare") {
  const TempFolder folder;
  for (const char* name : {"small.pgm", "small.gz"}) {
    ByteReader reader(folder.write(name, std::string(1000, 'x')));
    std::vector<unsigned char> all;
    CHECK(append_bytes(reader, std::uint64_t{1} << 28, all) == 1000);
    CHECK(all.capacity() < 2000);
  }
}

TEST_CASE("a stratified split leaves a training row in each class") {
  const std::vector<std::int32_t> labels = {0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  const Split split = stratified_split(labels, 0.9, Random(1));
  CHECK(split.train_rows == 3);
  CHECK(split.test_rows == 10);
  std::vector<bool> trained(3, false);
  for (std::size_t i = 0; i < split.train_rows; ++i) trained[labels[split.order[i]]] = true;
  CHECK((trained[0] && trained[1] && trained[2]));
}

TEST_CASE("rows keep the number that they have in the file, however they are set aside") {
  const TempFolder folder;
  std::string table, sparse;
  std::vector<float> values;
  std::vector<std::int64_t> kinds;
  for (int i = 0; i < 24; ++i) {
    table += std::to_string(i) + "," + std::string(1, char('a' + i % 3)) + "\n";
    sparse += std::to_string(i % 3) + " 1:" + std::to_string(i) + "\n";
    values.push_back(float(i));
    kinds.push_back(i % 3);
  }
  const std::string shape = "'fortran_order': False, 'shape': (24,";
  const Parameters csv = {{"path", folder.write("t.csv", table)}};
  const Parameters libsvm = {{"path", folder.write("t.libsvm", sparse)}};
  const Parameters npy = {
      {"path",
       folder.write("t.npy", testing::npy("{'descr': '<f4', " + shape + " 1)}", bytes_of(values)))},
      {"label",
       folder.write("l.npy", testing::npy("{'descr': '<i8', " + shape + ")}", bytes_of(kinds)))}};
  TestContext context;
  const auto check = [&](const Source& source, std::size_t numbered) {
    const auto data = open_checked(source, context);
    CHECK(data->outline().numbered_rows == numbered);
    CHECK(source.outline(context).numbered_rows == numbered);
    const FloatMatrix rows = all_rows(*data);
    for (std::size_t i = 0; i < rows.rows; ++i)
      CHECK(data->number(i) == std::int64_t(rows.values[i]));
    return data->outline().test_rows;
  };
  for (const auto& [name, value] : Parameters{
           {"test_fraction", 0.25}, {"test_class_fraction", 0.4}, {"test_rows", std::int64_t{6}}}) {
    CAPTURE(name);
    const auto with = [&](Parameters parameters) {
      parameters.emplace_back(name, value);
      return parameters;
    };
    CHECK(check(*make_component<Source>("source/csv", with(csv)), 24) > 5);
    CHECK(check(*make_component<Source>("source/libsvm", with(libsvm)), 24) > 5);
    CHECK(check(*make_component<Source>("source/npy", with(npy)), 24) > 5);
  }
  const auto second = make_component<Source>(
      "source/csv",
      {{"path", csv[0].second}, {"test_path", folder.write("second.csv", "24,a\n25,c\n")}});
  CHECK(check(*second, 24) == 2);
}

TEST_CASE(
    "labels are one class where programs write one number, and texts where they only look so") {
  for (const char* one : {"1", "+1", "1.0", "1.", "1.000000000000000000e+00", "10e-01"})
    CHECK_MESSAGE(canonical_label(one) == "1", one);
  CHECK(canonical_label("-0.0") == "0");
  CHECK(canonical_label("0") == "0");
  for (const char* text : {"01", "001", "00", "1,0", "1,2", "12e4", "1E2", "0x1", "1.5", "-01", "+",
                           "-", ".", "e+1", "1e+", "inf", ""})
    CHECK_MESSAGE(canonical_label(text) == text, text);
  const TempFolder folder;
  TestContext context;
  const auto codes = folder.write("t.csv", "5,01234\n6,1234\n7,01234\n");
  const auto data = make_component<Source>("source/csv", {{"path", codes}})->open(context);
  CHECK(data->outline().classes == std::vector<std::string>{"01234", "1234"});
}

TEST_CASE("labels that look like a continuous column are refused unless it is said") {
  const TempFolder folder;
  TestContext context;
  std::string table, sparse;
  std::vector<float> values;
  std::vector<std::int64_t> kinds;
  for (int i = 0; i < 150; ++i) {
    table += std::to_string(i % 7) + "," + std::to_string(0.37 * i) + "\n";
    sparse += std::to_string(i) + " 1:" + std::to_string(i % 7) + "\n";
    values.push_back(float(i % 7));
    kinds.push_back(i);
  }
  const std::string shape = "'fortran_order': False, 'shape': (150,";
  const auto labels =
      folder.write("l.npy", testing::npy("{'descr': '<i8', " + shape + ")}", bytes_of(kinds)));
  const Value rows =
      folder.write("t.npy", testing::npy("{'descr': '<f4', " + shape + " 1)}", bytes_of(values)));
  const auto check = [&](const auto& make_source) {
    const auto refused = make_source(false);
    const std::string message = message_of(*refused, context);
    CHECK(message.find("150 labels name 150 classes") != message.npos);
    CHECK(message.find("looks like a column of measurements or row numbers") != message.npos);
    CHECK(message.find("many_classes: true") != message.npos);
    CHECK_THROWS_AS(refused->outline(context), DataError);
    CHECK(make_source(true)->open(context)->outline().classes.size() == 150);
  };
  const Value csv = folder.write("t.csv", table), libsvm = folder.write("t.libsvm", sparse);
  check([&](bool many) {
    return make_component<Source>("source/csv", {{"path", csv}, {"many_classes", many}});
  });
  check([&](bool many) {
    return make_component<Source>("source/libsvm", {{"path", libsvm}, {"many_classes", many}});
  });
  check([&](bool many) {
    return make_component<Source>("source/npy",
                                  {{"path", rows}, {"label", labels}, {"many_classes", many}});
  });
  // Two rows each on average, or at most a hundred classes, are classes.
  const Value twice = folder.write("twice.csv", table + table);
  CHECK(make_component<Source>("source/csv", {{"path", twice}})
            ->open(context)
            ->outline()
            .classes.size() == 150);
}

TEST_CASE("values of rows that others read are not kept") {
  const TempFolder folder;
  TestContext context;
  std::string csv = "1,2,a\n", sparse = "a 1:1\n", bytes, labels, pixels;
  for (int i = 0; i < 50; ++i) {
    csv += std::to_string(i) + ",3,b\n";
    sparse += "b 1:2 2:" + std::to_string(i) + "\n";
  }
  std::vector<float> floats(102, 1.5f);
  const std::string npy_file = folder.write(
      "t.npy",
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (51, 2), }", bytes_of(floats)));
  auto table = make_component<Source>("source/csv", {{"path", folder.write("t.csv", csv)}});
  auto svm = make_component<Source>("source/libsvm", {{"path", folder.write("t.svm", sparse)}});
  auto array = make_component<Source>("source/npy", {{"path", npy_file}});
  const auto check = [&](Source& source) {
    const std::size_t all = source.open(context)->bytes();
    source.keep_only(WantedRows::of({3, 4, 5, 50}));
    const auto data = source.open(context);
    CHECK(data->bytes() + 300 < all);
    FloatMatrix rows(3, 2);
    data->read(3, rows.view());
    CHECK_THROWS_WITH_AS(data->read(2, rows.view()),
                         "internal error: row 2 was read by another rank", Error);
    CHECK_THROWS_AS(data->read(4, rows.view()), Error);
    CHECK_THROWS_AS(data->read(48, rows.view()), Error);
  };
  check(*table);
  check(*svm);
  check(*array);
}

TEST_CASE("a first line of numbers that turns out to be a header moves all rows up") {
  const TempFolder folder;
  TestContext context;
  std::string text = "0,1,2,3,4\n";
  for (int i = 0; i < 40; ++i)
    text +=
        std::to_string(i) + ",1.5," + std::to_string(i % 7) + ",2," + (i % 2 ? "9" : "8") + "\n";
  for (const char* header : {"auto", "absent"}) {
    CAPTURE(std::string(header));
    const auto data = open_checked(
        *make_component<Source>(
            "source/csv", {{"path", folder.write("t.csv", text)}, {"header", std::string(header)}}),
        context);
    CHECK(data->outline().rows() == (header == std::string("auto") ? 40 : 41));
  }
}

TEST_CASE("rows that are wanted") {
  const WantedRows all, none = WantedRows::none(), some = WantedRows::of({7, 2, 3, 4, 9, 8});
  CHECK(all.contains(5));
  CHECK(all.count(3, 10) == 10);
  CHECK(all.size(12) == 12);
  CHECK(!none.contains(0));
  CHECK(none.count(0, 100) == 0);
  CHECK(some.size(12) == 6);
  for (std::int64_t number = -1; number < 12; ++number)
    CHECK(some.contains(number) == ((number >= 2 && number <= 4) || (number >= 7 && number <= 9)));
  CHECK(some.count(3, 5) == 3);
  CHECK(some.count(4, 100) == 4);
  CHECK(some.count(5, 2) == 0);
}

}  // namespace shared_test
