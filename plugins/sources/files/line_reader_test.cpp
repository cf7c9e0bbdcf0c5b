// SPDX-License-Identifier: MIT
#include "files/line_reader.hpp"

#include <algorithm>

#include "tests/sources_testing.hpp"

namespace line_reader_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

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

TEST_CASE("a carriage return ends a line, also twice, and is part of none") {
  const TempFolder folder;
  TestContext context;
  const auto twice = folder.write("twice.csv", "1,a\r\r\n2,b\r\n3,a\n");
  CHECK(make_component<Source>("source/csv", {{"path", twice}})->open(context)->outline().classes ==
        std::vector<std::string>{"a", "b"});
  for (const char* content : {"1,a\r2,b\n", "1,\"a\r\"\n2,b\n"}) {
    const auto file = folder.write("mixed.csv", content);
    check_message(message_of(*make_component<Source>("source/csv", {{"path", file}}), context),
                  file, "line 1: holds a carriage return (CR) before its end");
  }
}

TEST_CASE("a file without line feeds has lines that end with carriage returns") {
  const TempFolder folder;
  for (const char* content : {"one\rtwo\r\rthree\r", "\xef\xbb\xbfone\rtwo\r\rthree"}) {
    LineReader lines(folder.write("mac.txt", content));
    std::vector<std::string> all;
    for (std::string_view line; lines.next(line);) all.emplace_back(line);
    CHECK(all == std::vector<std::string>{"one", "two", "", "three"});
    CHECK(lines.place() == "line 4");
  }
  // A line feed after the part that decides.
  std::string late;
  while (late.size() < 300000) late += "a row\r";
  LineReader lines(folder.write("late.txt", late + "and\none"));
  std::string_view line;
  CHECK_THROWS_WITH_AS(while (lines.next(line)){},
                       doctest::Contains("holds a line feed (LF), though lines before"), DataError);
}

TEST_CASE("a spreadsheet is called one") {
  const TempFolder folder;
  TestContext context;
  for (const std::string& start :
       {std::string("PK\x03\x04\x14\0\0", 7), std::string("\xd0\xcf\x11\xe0\xa1\xb1")}) {
    const auto file = folder.write("table.xlsx", start + "[Content_Types].xml");
    check_message(message_of(*make_component<Source>("source/csv", {{"path", file}}), context),
                  file,
                  "is a spreadsheet (such as .xlsx) or an archive, not a text file; open it and "
                  "save it as CSV");
  }
}

}  // namespace line_reader_test
