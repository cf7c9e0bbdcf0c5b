// SPDX-License-Identifier: MIT
#include "semblance/table_fields.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace table_fields_test {

using namespace semblance;

namespace {

struct Row {
  FieldSplit split;
  std::vector<std::string> fields;
};

Row row_of(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  std::vector<std::string> owned;
  const FieldSplit split = split_fields(text, separator, fields, owned);
  return {split, {fields.begin(), fields.end()}};
}

std::vector<std::string> fields_of(std::string_view text, char separator) {
  const Row row = row_of(text, separator);
  CHECK(row.split == FieldSplit::complete);
  return row.fields;
}

using Fields = std::vector<std::string>;

}  // namespace

TEST_CASE("fields are what is between separators, without blanks around them") {
  CHECK(fields_of("a, b ,,c d", ',') == Fields{"a", "b", "", "c d"});
  CHECK(fields_of("a,", ',') == Fields{"a", ""});
  CHECK(fields_of("", ',') == Fields{""});
  CHECK(fields_of("a\t\tb", '\t') == Fields{"a", "", "b"});
  CHECK(fields_of(" a \t b  ", 0) == Fields{"a", "b"});
  CHECK(fields_of(" \t", 0).empty());
  CHECK(fields_of("5\" wide;6\"", ';') == Fields{"5\" wide", "6\""});
}

TEST_CASE("quotes hold separators, line ends and doubled quotes") {
  for (const char separator : {',', ';', '\t'}) {
    const std::string s(1, separator);
    CHECK(fields_of("\"a" + s + "b\"" + s + " \"c \"\"d\"\"\" " + s + "\"\"" + s + "\"e\nf\"",
                    separator) == Fields{"a" + s + "b", "c \"d\"", "", "e\nf"});
  }
  CHECK(fields_of("\"a b\"  \"\" \"c \"\"d\"\"\"\t1", 0) == Fields{"a b", "", "c \"d\"", "1"});
  CHECK(fields_of(R"("say \"a\" b" "C:\" "\\")", 0) == Fields{R"(say "a" b)", R"(C:\)", R"(\\)"});
  CHECK(fields_of(R"("C:\","b")", ',') == Fields{R"(C:\)", "b"});
}

TEST_CASE("open quotes and text behind them are distinguished") {
  CHECK(row_of("1,\"a", ',').split == FieldSplit::open_quote);
  CHECK(row_of("1 \"a b", 0).split == FieldSplit::open_quote);
  CHECK(row_of("\"a\"b,\"c", ',').split == FieldSplit::text_after_quote);
  CHECK(row_of("\"a\"b \"c", 0).split == FieldSplit::text_after_quote);
}

}  // namespace table_fields_test
