// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/sources_testing.hpp"

namespace csv_forms_test {

using namespace semblance;
using namespace semblance::testing;

// Tables as spreadsheets, pandas, R and databases write them.

namespace {

struct Files {
  TempFolder folder;
  TestContext context;

  std::unique_ptr<Source> source(const std::string& content, Parameters more = {}) const {
    more.emplace_back("path", folder.write("t.csv", content));
    return make_component<Source>("source/csv", more);
  }
  std::unique_ptr<Dataset> read(const std::string& content, const Parameters& more = {}) {
    return open_checked(*source(content, more), context);
  }
  std::string problem(const std::string& content, const Parameters& more = {}) {
    const std::string message = message_of(*source(content, more), context);
    const std::string start = folder.path() + "/t.csv: ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }
};

Value text(const char* t) { return std::string(t); }

std::string utf16(std::u16string_view text, bool big) {
  std::string out = big ? "\xfe\xff" : "\xff\xfe";
  for (const char16_t unit : text) {
    const char low = char(unit & 0xff), high = char(unit >> 8);
    out += big ? high : low;
    out += big ? low : high;
  }
  return out;
}

}  // namespace

TEST_CASE("a quoted field may go over the end of its line") {
  Files files;
  const Parameters id = {{"id", text("note")}};
  const auto data = files.read(
      "a,note,y\n1,\"two\nlines, "
      "and\n\n\"\"quotes\"\"\",u\r\n2,\"one\",v\n3,three,u\n",
      id);
  CHECK(all_rows(*data).values == Floats{1, 2, 3});
  CHECK(data->name(0) == "two\nlines, and\n\n\"quotes\"");
  CHECK(data->name(2) == "three");
  CHECK(labels(*data) == Labels{0, 1, 0});
  CHECK(files.problem("a,note,y\n1,one,u\n2,\"open,v\n3,three,u\n", id) ==
        "line 3: a quoted field is not closed; correct the quotes");
  CHECK(files.problem("a,note,y\n1,one,u\n2,\"closed\"x,v\n", id) ==
        "line 3: text follows a quoted field; double the quotes in it");
  const auto found =
      files.read("a,c,y\n1,\"x\ny\",u\n2,z,v\n3,z,u\n", {{"categorical", Texts{"auto"}}});
  CHECK(found->outline().columns == Texts{"a", "c=x\ny", "c=z"});
}

TEST_CASE("True and False are 1 and 0") {
  Files files;
  CHECK(all_rows(*files.read("a,b,y\nTrue,FALSE,u\nfalse,TRUE,v\n")).values == Floats{1, 0, 0, 1});
  const auto found =
      files.read("a,b,y\nTrue,2,True\nFalse,3,False\n", {{"categorical", Texts{"auto"}}});
  CHECK(found->outline().columns == Texts{"a", "b"});
  CHECK(found->outline().classes == Texts{"False", "True"});  // labels are texts
}

TEST_CASE("R leaves out the name of the column with the names of rows") {
  Files files;
  const auto quoted = files.read("\"a\",\"b\",\"y\"\n\"r1\",1,2,\"u\"\n\"r2\",3,4,\"v\"\n");
  CHECK(all_rows(*quoted).values == Floats{1, 2, 3, 4});
  CHECK(quoted->name(1) == "r2");
  CHECK(quoted->outline().columns == Texts{"a", "b"});
  const auto counted = files.read("a b y\n1 5 6 u\n2 7 8 v\n");
  CHECK(all_rows(*counted).values == Floats{5, 6, 7, 8});
  CHECK(counted->name(0) == "1");
  // A separator after the last field, or decimal commas, are not names of rows.
  CHECK(files.problem("a,b,y\n1,2,u,\n3,4,v,\n").starts_with("line 2: has 4 fields"));
  CHECK(files.problem("a,y\n1,5,u\n2,5,v\n").starts_with("line 2: has 3 fields"));
}

TEST_CASE("R's tables as it writes them: blanks, quotes, and names of rows") {
  Files files;
  const auto data = files.read(
      "\"a\" \"b c\" \"k\"\n\"1\" 1 -2.5 \"x y\"\n\"2\" 3 4 \"say \\\"z\\\"\"\n"
      "\"3\"  5\t6 \"x y\"\n\"4\" 7 8 \"C:\\\"\n");
  CHECK(all_rows(*data).values == Floats{1, -2.5F, 3, 4, 5, 6, 7, 8});
  CHECK(data->outline().columns == Texts{"a", "b c"});
  CHECK(data->outline().classes == Texts{"C:\\", "say \"z\"", "x y"});
  CHECK(data->name(2) == "3");
  CHECK(std::ranges::any_of(files.context.lines, [](const std::string& line) {
    return line.ends_with("is taken as the row's name");
  }));
  // A part of a table keeps the numbers of its rows, here without quotes.
  const auto part = files.read("a b k\n5 1 2 x\n2 3 4 y\n90 5 6 x\n");
  CHECK(all_rows(*part).values == Floats{1, 2, 3, 4, 5, 6});
  CHECK(part->name(2) == "90");
  // Commas in quotes separate nothing.
  const auto commas = files.read("\"a\" \"b, or c\" \"k\"\n\"r, 1\" 1 2 \"x\"\n\"r\" 3 4 \"y\"\n");
  CHECK(commas->outline().columns == Texts{"a", "b, or c"});
  CHECK(commas->name(0) == "r, 1");
  CHECK(files.problem("a b k\n\"r\"x 1 2 u\n") ==
        "line 2: text follows a quoted field; double the quotes in it");
  CHECK(files.problem("a b k\nr 1 2 \"u\nr 1 2 v\n") ==
        "line 2: a quoted field is not closed; correct the quotes");
}

TEST_CASE("a table of one column may have quotes") {
  Files files;
  const Parameters none = {{"label", text("none")}};
  const auto numbers = files.read("\"width\"\n\"1.5\"\n\"2\"\n", none);
  CHECK(numbers->outline().columns == Texts{"width"});
  CHECK(all_rows(*numbers).values == Floats{1.5F, 2});
  Parameters categories = none;
  categories.emplace_back("categorical", Texts{"1"});
  categories.emplace_back("header", text("present"));
  const auto texts = files.read("\"colour\"\n\"deep \"\"sea\"\" blue\"\n\"red\"\n", categories);
  CHECK(texts->outline().columns == Texts{"colour=deep \"sea\" blue", "colour=red"});
}

TEST_CASE("lines of old spreadsheets end with CR") {
  Files files;
  const auto data = files.read("a,b,y\r1,2,\"u\"\r\r3,4,v\r");
  CHECK(all_rows(*data).values == Floats{1, 2, 3, 4});
  CHECK(data->outline().classes == Texts{"u", "v"});
}

TEST_CASE("a first line of numbers and missing values is a row") {
  Files files;
  for (const char* mark : {"?", "NA", "", "NaN"}) {
    CAPTURE(mark);
    const std::string rows = std::string("1,") + mark + ",3,x\n2,5,6,y\n3,5,7,x\n4,1,2,y\n";
    CHECK(files.problem(rows) ==
          "line 1: column 2 has no value; fill in or remove rows with missing values, or set "
          "'missing: keep' and put normalizer/impute after the source");
    const auto kept = files.read(rows, {{"missing", text("keep")}});
    CHECK(kept->outline().rows() == 4);
    CHECK(std::isnan(all_rows(*kept).values[1]));
    CHECK(labels(*kept) == Labels{0, 1, 0, 1});
  }
  CHECK(files.problem("?,?,x\n2,5,y\n").starts_with("line 1: column 1 has no value"));
  // Beside names, a mark is a name.
  CHECK(files.read("a,NA,y\n1,2,u\n3,4,v\n")->outline().columns == Texts{"a", "NA"});
  CHECK(files.problem("1,z,3,x\n2,5,6,y\n")
            .starts_with("line 1: column 2 is 'z', not a number, though other columns are"));
}

TEST_CASE("a first line that names the separator, and marks of byte order") {
  Files files;
  const auto named = files.read("sep=;\na;b;y\n1,5;2;u\n3;4,5;v\n", {{"decimal", text("comma")}});
  CHECK(all_rows(*named).values == Floats{1.5F, 2, 3, 4.5F});
  CHECK(all_rows(*files.read("SEP=|\na|b|y\n1|2|u\n3|4|v\n")).values == Floats{1, 2, 3, 4});
  const auto marks = files.read(
      "\xef\xbb\xbf\xef\xbb\xbf"
      "a,b,y\n1,2,u\n3,4,v\n");
  CHECK(marks->outline().columns == Texts{"a", "b"});
}

TEST_CASE("a separator that is rarer in the first line is part of a name") {
  Files files;
  CHECK(files.read("a;city, country;y\n1;2;u\n3;4;v\n")->outline().columns ==
        Texts{"a", "city, country"});
  CHECK(files.read("a\tb; c\td, e\ty\n1\t2\t3\tu\n4\t5\t6\tv\n")->outline().columns ==
        Texts{"a", "b; c", "d, e"});
  CHECK(files.read("a,b; c,y\n1,2,u\n3,4,v\n")->outline().columns == Texts{"a", "b; c"});
}

TEST_CASE("UTF-16 becomes UTF-8") {
  Files files;
  for (const bool big : {false, true}) {
    const auto data = files.read(utf16(u"a\ty\r\n1\t\u00fc\r\n2\t\U0001f600\r\n", big));
    CHECK(all_rows(*data).values == Floats{1, 2});
    CHECK(data->outline().classes == Texts{"\u00fc", "\U0001f600"});
  }
  std::u16string many = u"a,y\n";
  for (int i = 0; i < 300000; ++i) many += i % 2 ? u"7,u\n" : u"8,v\n";
  const auto large = files.read(utf16(many, false));
  CHECK(large->outline().rows() == 300000);
  CHECK(labels(*large)[299999] == 0);
  std::string odd = utf16(u"a,y\n1,u\n", false);
  odd.pop_back();
  CHECK(files.problem(odd) == "begins as UTF-16 text, but is none; save the file as UTF-8");
  CHECK(files.problem(std::string("\xff\xfe\x00\xdc"
                                  "a\0",
                                  6)) ==
        "begins as UTF-16 text, but is none; save the file as UTF-8");
}

TEST_CASE("labels that are one number in two spellings are refused") {
  Files files;
  const auto at = [&](const char* a, const char* b) {
    const std::string first = a, second = b;
    return files.problem("1," + first + "\n2," + second + "\n3," + first + "\n4," + second + "\n");
  };
  CHECK(at("1e0", "1") ==
        "its labels '1e0' and '1' are the same number, written in two ways; write them alike, or "
        "make them texts, such as 'class 1'");
  CHECK(at("1.5", "1.50").find("the same number") != std::string::npos);
  CHECK(at("120000", "12e4").find("the same number") != std::string::npos);
  for (const auto& [a, b] : {std::pair{"1", "01"}, {"1", "1.0"}, {"1", "2e0"}, {"x1", "x1e0"}})
    CHECK(at(a, b) == "no error");
}

}  // namespace csv_forms_test
