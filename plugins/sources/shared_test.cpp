// SPDX-License-Identifier: MIT
#include <algorithm>

#include "byte_reader.hpp"
#include "class_names.hpp"
#include "sources_testing.hpp"
#include "table_source.hpp"
#include "text/line_reader.hpp"
#include "text/number_text.hpp"

using namespace semblance;
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
  CHECK(quoted("a\nb") == "'a?b'");
}

TEST_CASE("lines of any length, with and without an end") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::string(std::size_t(i) * 40000, char('a' + i)) + "\r\n";
  text += "end";
  LineReader lines(folder.write("long.gz", text));
  std::string_view line;
  for (int i = 0; i < 20; ++i) {
    REQUIRE(lines.next(line));
    CHECK(line.size() == std::size_t(i) * 40000);
    CHECK(std::all_of(line.begin(), line.end(), [&](char c) { return c == 'a' + i; }));
  }
  REQUIRE(lines.next(line));
  CHECK(line == "end");
  CHECK(lines.place() == "line 21");
  CHECK(!lines.next(line));
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
