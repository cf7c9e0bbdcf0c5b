// SPDX-License-Identifier: MIT
#include "text/line_reader.hpp"

#include <algorithm>

#include "sources_testing.hpp"

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
  for (const char* content : {"1,a\r2,b\r", "1,\"a\r\"\n2,b\n"}) {
    const auto file = folder.write("mac.csv", content);
    check_message(message_of(*make_component<Source>("source/csv", {{"path", file}}), context),
                  file, "line 1: holds a carriage return (CR) before its end");
  }
}

}  // namespace line_reader_test
