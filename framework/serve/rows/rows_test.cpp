// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "semblance/component_testing.hpp"
#include "semblance_tables/table_lines.hpp"
#include "serve/rows/json_rows.hpp"
#include "serve/rows/libsvm_rows.hpp"
#include "serve/rows/table_text.hpp"

namespace semblance::serving::rows_test {
namespace {

using Floats = std::vector<float>;

/// What a model knows of its rows.
struct Columns {
  std::vector<std::string> names = {};
  bool keeps_missing = false;
  bool accepts_unknown = false;
};

const Columns no_names;
const Columns abc{{"a", "b", "c"}};
const Columns colours{{"size", "colour=blue", "colour=dark, red", "rate=100%"}};

Floats values(const GivenRows& rows) {
  const MatrixView view = rows.view();
  return {view.data, view.data + view.values()};
}

template <class Read>
std::string message_of(const Read& read) {
  try {
    read();
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

/// A model whose source reads no lines, and that takes rows like these.
struct Model {
  Model(const Columns& columns, const GivenRows& rows)
      : data{"",
             rows.sparse() ? Layout::sparse(rows.width()) : Layout::vector(rows.width()),
             {},
             columns.names},
        rules{columns.accepts_unknown, rows.sparse()} {
    format.rows_alone = true;
    format.remedies = false;
    format.keeps_missing = columns.keeps_missing;
  }
  NewData data;
  TableFormat format;
  ModelRowRules rules;
};

void read_table_of(std::string_view text, const Columns& columns, Header header, GivenRows& rows) {
  const Model model(columns, rows);
  TableLines lines(model.format, model.data, model.rules);
  read_table(text, header, lines, rows);
}

/// A whole document, or each line.
void read_json_of(std::string_view text, const Columns& columns, GivenRows& rows,
                  bool by_line = false) {
  const Model model(columns, rows);
  JsonRows reader({model.data, model.format, model.rules});
  if (!by_line) return reader.read(text, rows);
  while (const auto line = take_line(text)) reader.read_row(*line, rows);
}

GivenRows csv(std::string_view text, const Columns& columns, std::size_t width,
              Header header = Header::find_out) {
  GivenRows rows(Layout::vector(width));
  read_table_of(text, columns, header, rows);
  return rows;
}

GivenRows json(std::string_view text, const Columns& columns, std::size_t width) {
  GivenRows rows(Layout::vector(width));
  read_json_of(text, columns, rows);
  return rows;
}

}  // namespace

TEST_CASE("a table is read by position or by name") {
  CHECK(values(csv("1,2,3\n4.5, -6e-1 ,+7\n", abc, 3)) == Floats{1, 2, 3, 4.5F, -0.6F, 7});
  CHECK(values(csv("c,a,b\n3,1,2\n", abc, 3)) == Floats{1, 2, 3});
  CHECK(values(csv("\xef\xbb\xbf"
                   "\"c\",\"a\",b\r\n\"3\",1,2\r\n",
                   abc, 3)) == Floats{1, 2, 3});
  CHECK(values(csv("1,2,3", no_names, 3)) == Floats{1, 2, 3});
  for (const char* text : {"1;2;3\n", "1\t2\t3\n", "1 2  3\n", "sep=;\n1;2;3\n", "c;b;a\n3;2;1\n"})
    CHECK(values(csv(text, abc, 3)) == Floats{1, 2, 3});
  CHECK(values(csv("7\n8\n", no_names, 1)) == Floats{7, 8});
  CHECK(csv("a,b,c\n", abc, 3).rows() == 0);
}

TEST_CASE("a category is given by its name, or value by value") {
  const Floats red = {2, 0, 1, 5}, blue = {3, 1, 0, 5};
  CHECK(values(csv("colour,rate=100%,size\n\"dark, red\",5,2\n", colours, 4)) == red);
  CHECK(values(csv("size,colour=blue,\"colour=dark, red\",rate=100%\n3,1,0,5\n", colours, 4)) ==
        blue);
  CHECK(values(json(R"({"rows": [{"size": 2, "colour": "dark, red", "rate=100%": 5}]})", colours,
                    4)) == red);
  const std::string row = R"({"rows": [{"size": 2, "rate=100%": 5, "colour": )";
  CHECK(message_of([&] { json(row + R"("green"}]})", colours, 4); }) ==
        "row 1 (counted from 1): the column 'colour' has no category 'green'; the model knows "
        "'blue', 'dark, red'");
  CHECK(message_of([&] { json(row + R"("blue", "colour=blue": 1}]})", colours, 4); }) ==
        "row 1 (counted from 1): names the column 'colour' and categories of it; name either");
  CHECK(message_of([&] { json(row + "1}]}", colours, 4); }).find("no category '1'") !=
        std::string::npos);
}

TEST_CASE("a date is given as it is written, and stands for three numbers") {
  const std::vector<std::string> names = {"x", "when=days since 1970", "when=day of the year",
                                          "when=weekday"};
  const Columns strict{names}, keeping{names, true};
  const Floats may = {7, 19874, 152, 5};
  CHECK(values(csv("when,x\n2024-05-31,7\n", strict, 4)) == may);
  CHECK(values(json(R"({"rows": [{"x": 7, "when": "31.5.2024"}]})", strict, 4)) == may);
  CHECK(values(csv("7,19874,152,5\n", strict, 4)) == may);
  CHECK(std::isnan(values(json(R"({"rows": [{"x": 7, "when": null}]})", keeping, 4))[3]));
  CHECK(std::isnan(values(csv("x,when\n7,NA\n", keeping, 4))[1]));
  CHECK(std::isnan(values(json(R"({"rows": [[7, null, 152, 5]]})", keeping, 4))[1]));
  CHECK(message_of([&] { json(R"({"rows": [{"x": 7, "when": null}]})", strict, 4); }) ==
        "row 1 (counted from 1): column 'when' has no value; give one, or omit the row");
  CHECK(message_of([&] { json(R"({"rows": [{"x": 7, "when": "soon"}]})", strict, 4); }) ==
        "row 1 (counted from 1): column 'when': 'soon' is not a date such as 2024-05-31 or "
        "2024-05-31 12:30; correct it");
}

TEST_CASE("whether a table has a header is found out, or asked for") {
  const Columns numbers{{"1", "2"}};
  CHECK(message_of([&] { csv("2,1\n5,6\n", numbers, 2); }).find("say which") != std::string::npos);
  CHECK(values(csv("2,1\n5,6\n", numbers, 2, Header::present)) == Floats{6, 5});
  CHECK(values(csv("2,1\n5,6\n", numbers, 2, Header::absent)) == Floats{2, 1, 5, 6});
  CHECK(values(csv("3,1\n", numbers, 2)) == Floats{3, 1});
}

TEST_CASE("a wrong table is refused with its line") {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::string lacks_c =
      "line 1: lacks the column 'c', which the model was trained on; add what is "
      "missing";
  const Case cases[] = {
      {"1,2\n", "line 1: has 2 values, but the model takes rows of 3"},
      {"1,2,3\n1,2,3,4\n", "line 2: has 4 values, but the model takes rows of 3"},
      {"1,,3\n", "line 1: column 2 ('b') has no value; give one, or omit the row"},
      {"1,NaN,3\n", "line 1: column 2 ('b') has no value; give one, or omit the row"},
      {"1,?,3\n", "line 1: column 2 ('b') has no value; give one, or omit the row"},
      {"1,inf,3\n", "line 1: column 2 ('b'): 'inf' is not finite; correct it"},
      {"1,1e99,3\n", "line 1: column 2 ('b'): '1e99' is too large for float32; correct it"},
      {"1,0x2,3\n", "line 1: column 2 ('b'): '0x2' is not a number; correct it"},
      {"1,two,3\n", "line 1: column 2 ('b'): 'two' is not a number; correct it"},
      {"1,\"2,3\n", "line 1: a quoted field is not closed; correct the quotes"},
      {"1,\"2\"3,4\n", "line 1: text follows a quoted field; double the quotes in it"},
      {"a,b\n1,2\n", lacks_c},
      {"a,b,c,d\n",
       "line 1: has the column 'd', which the model was not trained on; remove the new "
       "ones"},
      {"a,b,cc\n", lacks_c},
      {"a,b,c,b\n", "line 1: two columns are named 'b'; rename one"},
      {"a,b,c\n1,2\n", "line 2: has 2 values, but the header has 3 names"},
      {"a,b,c\n1,2,x\n", "line 2: column 'c': 'x' is not a number; correct it"},
      {std::string("1,\0,3\n", 6), "line 1: holds a NUL byte; this is not a text file"},
      {"1,2,3\n4,\r5,6\n",
       "line 2: holds a carriage return (CR) before its end; save the file with LF or CRLF line "
       "ends"},
      {"\x1f\x8b,2,3\n", "line 1: begins compressed data (gzip), not text; decompress it first"},
      {"\xff\xfe,2,3\n", "line 1: begins UTF-16 text; save it as UTF-8"},
  };
  for (const auto& c : cases) CHECK(message_of([&] { csv(c.text, abc, 3); }) == c.message);
  CHECK(message_of([&] { csv("a,b\n", no_names, 2, Header::present); }) ==
        "line 1: names columns, but the model's have no names; give the values by position, in the "
        "order of the training data");
}

TEST_CASE("JSON is read as the same numbers as a table") {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::uint32_t> bits;
  std::string table, array;
  Floats expected;
  for (int i = 0; i < 3000; ++i) {
    float value = std::bit_cast<float>(bits(random));
    if (!std::isfinite(value)) value = 0;
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", 3 + i % 15, static_cast<double>(value));
    const float read = std::strtof(text, nullptr);
    if (!std::isfinite(read)) continue;
    expected.push_back(read);
    table += std::string(text) + "\n";
    array += (array.empty() ? "[" : ",[") + std::string(text) + "]";
  }
  CHECK(values(csv(table, no_names, 1)) == expected);
  CHECK(values(json("{\"rows\": [" + array + "]}", no_names, 1)) == expected);
  CHECK(values(json(R"({"rows": [[1, -2, 3.25], {"b": 16777217, "a": 4e0, "c": -0.0}]})", abc,
                    3)) == Floats{1, -2, 3.25F, 4, 16777216, 0});
  GivenRows one(Layout::vector(3));
  read_json_of(" [1, 2, 3] \n{\"c\": 6, \"b\": 5, \"a\": 4}\n[true, \"2\", false]", abc, one, true);
  CHECK(values(one) == Floats{1, 2, 3, 4, 5, 6, 1, 2, 0});
}

TEST_CASE("wrong JSON is refused with its row") {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::string row = "row 1 (counted from 1): ";
  const Case cases[] = {
      {"", "not JSON from column 1 on"},
      {"{", "not JSON from column 2 on"},
      {"[[1,2,3]]", "an array stands where rows are expected; write {\"rows\": [[...], ...]}"},
      {"3", "a number stands where rows are expected"},
      {"{}", "the key 'rows' is missing; write {\"rows\": [...]}"},
      {R"({"row": []})", "the key 'row' is unknown; write {\"rows\": [...]}"},
      {R"({"rows": [], "rows": []})", "the key 'rows' appears twice; write it once"},
      {R"({"rows": 3})", "a number stands where rows are expected"},
      {R"({"rows": {}})", "an object stands where rows are expected"},
      {R"({"rows": [1, 2, 3]})", row + "is a number; write an array of values"},
      {R"({"rows": [[1, 2]]})", row + "has 2 values, but the model takes rows of 3"},
      {R"({"rows": [[1, 2, 3, 4]]})", row + "has more than 3 values, as many as the model takes"},
      {R"({"rows": [[1, null, 3]]})",
       row + "column 2 ('b') has no value; give one, or omit the row"},
      {R"({"rows": [[1, NaN, 3]]})", "not JSON from column 15 on"},
      {R"({"rows": [[1, "two", 3]]})", row + "column 2 ('b'): 'two' is not a number; correct it"},
      {R"({"rows": [[1, [2], 3]]})", row + "an array stands at position 2"},
      {R"({"rows": [[1, 1e39, 3]]})", row + "column 2 ('b'): '1e39' is too large for float32"},
      {R"({"rows": [[1, 1e999, 3]]})", "a number is out of range"},
      {R"({"rows": [{"a": 1, "b": 2}]})",
       row + "lacks the column 'c', which the model was trained on; add what is missing"},
      {R"({"rows": [{"a": 1, "b": 2, "c": 3, "d": 2}]})",
       row + "has the column 'd', which the model was not trained on; remove the new ones"},
      {R"({"rows": [{"a": 1, "b": 2, "c": 3, "a": 2}]})", row + "two columns are named 'a'"},
      {R"({"rows": [{"a": null, "b": 2, "c": 3}]})", row + "column 'a' has no value; give one"},
      {R"({"rows": [{"a": {}}]})", row + "an object stands in column 'a' instead of a value"},
      {R"({"rows": [{}]})", row + "has no values; give all columns of the model"},
      {"{\"rows\": [[1, 2, \xff]]}", "not JSON from column 18 on"},
  };
  for (const auto& c : cases) {
    const std::string told = message_of([&] { json(c.text, abc, 3); });
    CAPTURE(c.text);
    CAPTURE(told);
    CHECK(told.find(c.message) != std::string::npos);
  }
  CHECK(message_of([&] { json(R"({"rows": [{"a": 1}]})", no_names, 3); }) ==
        "row 1 (counted from 1): names columns, but the model's have no names; give the values by "
        "position, in the order of the training data");
  CHECK(message_of([&] { json(std::string(100'000, '['), abc, 3); }) ==
        "an array stands where rows are expected; write {\"rows\": [[...], ...]}");
}

TEST_CASE("values may be missing where the model's source keeps them") {
  const Columns keeping{{"a", "b", "t=", "t=u"}, true};
  const auto told = [](const GivenRows& rows) {
    std::string text;
    for (const float value : values(rows))
      text += std::isnan(value) ? "missing " : std::to_string(static_cast<int>(value)) + " ";
    return text;
  };
  CHECK(told(csv("b,t,a\n,?,1\nN/A,u,None\n", keeping, 4)) == "1 missing 1 0 missing missing 0 1 ");
  CHECK(told(csv("1,#NA,0,1\n", keeping, 4)) == "1 missing 0 1 ");
  CHECK(message_of([&] { csv("a,b,t=,t=u\n1,2,NA,1\n", keeping, 4); }) ==
        "line 2: column 't=' has no value; give one, or omit the row");
  CHECK(message_of([&] { csv("a,b,t=u,t\n1,2,1,u\n", keeping, 4); }) ==
        "line 1: names the column 't' and categories of it; name either");
  CHECK(message_of([&] { csv("a,b,t=u\n1,2,1\n", keeping, 4); }) ==
        "line 1: lacks the column 't', which the model was trained on; add what is missing");
  CHECK(told(json(R"({"rows": [[1, null, 0, 1], {"a": null, "b": 2, "t": null}]})", keeping, 4)) ==
        "1 missing 0 1 missing 2 1 0 ");
  CHECK(message_of([&] {
          json(R"({"rows": [{"a": 1, "b": 2, "t": "v"}]})", keeping, 4);
        }).find("no category 'v'") != std::string::npos);
  const Columns open{{"a", "t=1", "t=u"}, false, true};
  CHECK(told(json(R"({"rows": [{"a": 1, "t": "v"}, {"a": 1, "t": 1.0}]})", open, 3)) ==
        "1 0 0 1 1 0 ");
  CHECK(message_of([&] { json(R"({"rows": [{"a": 1, "t": null}]})", open, 3); }) ==
        "row 1 (counted from 1): column 't' has no value; give one, or omit the row");
}

TEST_CASE("empty lines of a table are left out, and quoted fields go over the ends of lines") {
  CHECK(values(csv("\n1,2,3\n\n4,5,6\n\n", abc, 3)) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(values(csv("a,b,c\r1,\"2\",3\r\r4,5,6\r", abc, 3)) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(message_of([] { csv("1,2,3\n\n4,5\n", abc, 3); }) ==
        "line 3: has 2 values, but the model takes rows of 3");
}

TEST_CASE("sparse rows store all values other than 0, from any source") {
  const auto entries = [](const GivenRows& rows) {
    std::string text;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t k = 0; k < rows.view().size(i); ++k)
        text += std::to_string(rows.view().columns_of(i)[k]) + ":" +
                std::to_string(static_cast<int>(rows.view().row_span(i)[k])) + " ";
      text += "| ";
    }
    return text;
  };
  GivenRows rows(Layout::sparse(4));
  LibsvmLines from_one(1), from_zero(0);
  from_one.read_row("+1 2:5 4:7 # a comment", rows);
  from_zero.read_row("1:5 2:0 3:7", rows);
  from_one.read_row("-1", rows);
  read_table_of("0,5,0,7\n", no_names, Header::absent, rows);
  read_json_of(R"({"rows": [[0, 5, 0, 7]]})", no_names, rows);
  const Columns names{{"a", "b", "c", "d"}};
  read_json_of(R"({"d": 7, "b": 5})", names, rows, true);
  read_table_of("d;b\n7;5\n", names, Header::find_out, rows);
  const std::string both = "1:5 3:7 | ";
  CHECK(entries(rows) == both + both + "| " + both + both + both + both);
  GivenRows copy(Layout::sparse(4));
  copy.add(rows, 1, 3);
  CHECK(entries(copy) == both + "| " + both);
  copy.keep(1);
  CHECK(entries(copy) == both);

  GivenRows dense(Layout::vector(4));
  from_one.read_row("2:5 4:7", dense);
  CHECK(values(dense) == Floats{0, 5, 0, 7});
  struct Case {
    std::string line;
    std::string message;
  };
  const Case cases[] = {
      {"", "is empty; a row without values is a label alone, such as 0"},
      {"# nothing", "is empty"},
      {"1 2", "'2' does not have the form index:value; correct it"},
      {"1 0:2", "the index 0 is not one of the model's, which go from 1 to 4"},
      {"1 5:2", "the index 5 is not one of the model's, which go from 1 to 4"},
      {"1 -1:2", "'-1' is not an index; indices are whole numbers from 1"},
      {"1 99999999999999999999:2", "is not an index"},
      {"1 :2", "'' is not an index"},
      {"1 3:1 2:1", "index 2 comes after 3; indices must ascend within a line"},
      {"1 2:1 2:1", "index 2 comes after 2; indices must ascend within a line"},
      {"1 2:x", "the value of index 2, 'x', is not a number; correct it"},
      {"1 2:nan", "the value of index 2, 'nan', is not finite; correct it"},
      {"1 2:", "the value of index 2, '', is not a number; correct it"},
  };
  for (const auto& c : cases) {
    const std::string told = message_of([&] { from_one.read_row(c.line, dense); });
    CAPTURE(told);
    CHECK(told.find(c.message) != std::string::npos);
  }
  CHECK(dense.rows() == 1);
}

TEST_CASE("more rows or values than are taken are refused") {
  GivenRows few(Layout::vector(2), {.rows = 2});
  CHECK_THROWS_WITH_AS(read_table_of("1,2\n3,4\n5,6\n", no_names, Header::absent, few),
                       "there are more than 2 rows; send fewer rows at a time", TooMuch);
  GivenRows small(Layout::vector(1000), {.values = 1500});
  LibsvmLines lines(1);
  lines.read_row("1:1", small);
  CHECK_THROWS_AS(lines.read_row("1:1", small), TooMuch);
  CHECK_THROWS_WITH_AS(GivenRows(Layout::sequence(5, 1)),
                       doctest::Contains("rows that differ in size are not read here"), Error);
}

}  // namespace semblance::serving::rows_test
