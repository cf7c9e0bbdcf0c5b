// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

namespace broken_tables_test {

using namespace semblance;
using namespace semblance::testing;

// Refused tables, with the exact message after the file's name.

namespace {

struct Broken {
  std::string content;
  std::string message;
  Parameters more = {};
};

Value text(const char* t) { return std::string(t); }
Parameters categorical(Texts columns) { return {{"categorical", std::move(columns)}}; }

void check_all(const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.content);
    const TempFolder folder;
    const std::string file = folder.write("t.csv", b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    context.budget = std::size_t{1} << 26;
    CHECK(message_of(*make_component<Source>("source/csv", parameters), context) ==
          file + ": " + b.message);
  }
}

/// The message about a second file, or about new data for a model of the first one.
std::string of_second(const std::string& first, const std::string& second, Parameters more,
                      bool for_model) {
  const TempFolder folder;
  const std::string test = folder.write("second.csv", second);
  more.emplace_back("path", folder.write("first.csv", first));
  TestContext context;
  std::string message;
  if (for_model) {
    const auto trained = make_component<Source>("source/csv", more)->open(context);
    auto applied = make_component<Source>("source/csv", more);
    const Outline& outline = trained->outline();
    applied->apply_model({test, outline.layout, outline.classes, outline.columns});
    message = message_of(*applied, context);
  } else {
    more.emplace_back("test_path", test);
    message = message_of(*make_component<Source>("source/csv", more), context);
  }
  REQUIRE(message.starts_with(test + ": "));
  return message.substr(test.size() + 2);
}

std::string distinct_texts(int count) {
  std::string rows = "x,remark,class\n";
  for (int i = 0; i < count; ++i) {
    rows += std::to_string(i);
    rows += ",remark " + std::to_string(i) + (i % 2 ? ",a\n" : ",b\n");
  }
  return rows;
}

constexpr const char* for_texts =
    "correct it, name the column in 'categorical' if it holds categories, or in 'label', 'id' or "
    "'ignore'";

}  // namespace

TEST_CASE("texts among numbers name the remedy") {
  check_all({
      {"x,c,k\n1,red,a\n",
       std::string("line 2: column 2 (c) is 'red', which is not a number; ") + for_texts},
      {"1,2,a\n3,four,b\n",
       std::string("line 2: column 2 is 'four', which is not a number; ") + for_texts},
      {"1,red,a\n",
       "line 1: column 2 is 'red', not a number, though other columns are; correct it, name its "
       "column in 'categorical' if it holds categories, or in 'label', 'id' or 'ignore', or set "
       "'header: present'"},
      {"x,k\n1e39,a\n",
       std::string("line 2: column 1 (x) is '1e39', which is too large for float32; ") + for_texts},
      {"x,k\ninf,a\n",
       std::string("line 2: column 1 (x) is 'inf', which is not finite; ") + for_texts},
  });
}

TEST_CASE("dates, times, and numbers in another form") {
  const std::string date =
      "name a column of dates in 'dates' of source/csv, turn it into numbers, or name the column "
      "in 'ignore'";
  for (const char* day : {"2024-05-31", "31.05.2024", "5/31/24", "12:30", "2024-05-31 12:30:05",
                          "2024-05-31T12:30:05Z", "23:59:59.5"})
    check_all({{std::string("when,x,k\n") + day + ",1,a\n",
                std::string("line 2: column 1 (when) is '") + day + "', which is not a number; " +
                    date}});
  check_all({
      {"1,2024-05-31,a\n",
       "line 1: column 2 is '2024-05-31', not a number, though other columns are; " + date},
      {"x;k\n1,5;a\n",
       "line 2: column 1 (x) is '1,5', which is not a number; set 'decimal: comma' if its comma is "
       "a decimal one"},
      {"x;k\n-0,5e3;a\n",
       "line 2: column 1 (x) is '-0,5e3', which is not a number; set 'decimal: comma' if its comma "
       "is a decimal one"},
      {"x,k\n\"1,234\",a\n",
       "line 2: column 1 (x) is '1,234', which is not a number; set 'decimal: comma' if its comma "
       "is a decimal one, or remove the commas if they separate thousands"},
      {"x,k\n\"1,234,567.5\",a\n",
       "line 2: column 1 (x) is '1,234,567.5', which is not a number; remove the marks between "
       "thousands"},
      {"x;k\n1 234;a\n",
       "line 2: column 1 (x) is '1 234', which is not a number; remove the marks between "
       "thousands"},
      {"x;k\n12'345;a\n",
       "line 2: column 1 (x) is '12'345', which is not a number; remove the marks between "
       "thousands"},
      {"x;k\n1.234.567,5;a\n",
       "line 2: column 1 (x) is '1.234.567,5', which is not a number; remove the marks between "
       "thousands"},
      {"x;k\n1.234;a\n",
       "line 2: column 1 (x) is '1.234', which is not a number; remove the marks between "
       "thousands, "
       "or omit 'decimal: comma' if its point is a decimal one",
       {{"decimal", text("comma")}}},
      {"x;k\n1.5;a\n",
       "line 2: column 1 (x) is '1.5', which is not a number; omit 'decimal: comma' if its point "
       "is "
       "a decimal one",
       {{"decimal", text("comma")}}},
      {"x;k\n$12.50;a\n",
       "line 2: column 1 (x) is '$12.50', which is not a number; write the number without its "
       "unit"},
      {"x;k\n7,5 EUR;a\n",
       "line 2: column 1 (x) is '7,5 EUR', which is not a number; write the number without its "
       "unit"},
      {"1,5;a\n2,5;b\n",
       "line 1: has commas that separate fields or are decimal ones; set 'decimal: comma' if they "
       "are decimal ones, else 'separator: comma'"},
      {"1,5\ta\n2,5\tb\n",
       "line 1: has commas that separate fields or are decimal ones; set 'decimal: comma' if they "
       "are decimal ones, else 'separator: comma'"},
      {"1,5 2,5 a\n",
       "line 1: has commas that separate fields or are decimal ones; set 'decimal: comma' if they "
       "are decimal ones, else 'separator: comma'"},
  });
}

TEST_CASE("missing values") {
  const std::string numbers =
      " has no value; fill in or remove rows with missing values, or set 'missing: keep' and put "
      "normalizer/impute after the source";
  for (const char* missing : {"", "?", "NA", "n/a", "NaN", "null", "NULL"})
    check_all({{std::string("x,y,k\n1,") + missing + ",a\n", "line 2: column 2 (y)" + numbers}});
  check_all(
      {{"c,k\nred,a\nNA,b\n",
        "line 3: column 1 (c) has no value; fill in or remove rows with missing values, or set "
        "'missing: keep', which makes them a category of their own",
        categorical({"c"})}});
  const auto wrong = [](const char* value) {
    return Parameters{{"path", text("t.csv")}, {"missing", text(value)}};
  };
  CHECK_THROWS_WITH_AS(make_component<Source>("source/csv", wrong("mean")),
                       "'missing' keeps or refuses values and does not fill them in, which is "
                       "learned from the training rows alone; write 'missing: keep' and add after "
                       "it a node {is: normalizer/impute, strategy: mean, from: ...}",
                       Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/csv", wrong("median")),
                       "'missing' keeps or refuses values and does not fill them in, which is "
                       "learned from the training rows alone; write 'missing: keep' and add after "
                       "it a node {is: normalizer/impute, strategy: median, from: ...}",
                       Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/csv", wrong("indicator")),
                       "'missing' keeps or refuses values and does not fill them in, which is "
                       "learned from the training rows alone; write 'missing: keep' and add after "
                       "it a node {is: normalizer/impute, indicator: true, from: ...}",
                       Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/csv", wrong("drop")),
                       "'missing' must be refuse or keep, got 'drop'", Error);
}

TEST_CASE("columns of categories that cannot be read") {
  check_all({
      {"x,c,k\n1,red,a\n", "line 1: no column 'd' for 'categorical'; columns are: x, c, k",
       categorical({"d"})},
      {"1,red,a\n",
       "line 1: no column 7 for 'categorical': the line has 3 fields; columns count from 1, or "
       "from "
       "-1 at the end",
       categorical({"7"})},
      {"x,c,k\n1,red,a\n",
       "line 1: 'categorical' names column 3 (k), which 'label' names as well; remove it from one "
       "of "
       "the two",
       categorical({"k"})},
      {"x,c,k\n1,red,a\n",
       "line 1: 'categorical' names column 2 (c), which 'ignore' names as well; remove it from one "
       "of the two",
       {{"categorical", Texts{"c"}}, {"ignore", Texts{"c"}}}},
      {"x,c,k\n1,red,a\n",
       "line 1: 'categorical' names column 2 (c), which 'id' names as well; remove it from one of "
       "the two",
       {{"categorical", Texts{"c"}}, {"id", text("c")}}},
      {"x,c,k\n1,red,a\n",
       "line 1: 'categorical' names column 2 (c), which 'columns' does not name; remove it from "
       "one "
       "of the two",
       {{"categorical", Texts{"c"}}, {"columns", Texts{"x"}}}},
      {"x,a=b,k\n1,red,a\n",
       "line 1: the categorical column 2 (a=b) has a '=' in its name, which stands between a "
       "column "
       "and its category; rename it",
       categorical({"a=b"})},
      {"c=x,c,k\n1,red,a\n",
       "line 1: column 1 (c=x) is named like a category of column 2 (c); rename one",
       categorical({"c"})},
      {"column 2,column 1,k\n1,red,a\n",
       "line 1: all columns have names such as 'column 2', as columns of files without a header "
       "are "
       "called; rename one, or remove the header",
       categorical({"column 1"})},
      {"c,k\nred,a\n\xff,b\n", "line 3: column 1 (c) is not UTF-8 text; save the file as UTF-8",
       categorical({"c"})},
      {"red,a\nblue,b\n",
       "line 1: names the columns or is a row, which categories alone do not show; set 'header: "
       "present' or 'header: absent'",
       categorical({"1"})},
      {"red,a\nblue,b\n",
       "line 1: names the columns or is a row, which categories alone do not show; set 'header: "
       "present' or 'header: absent'",
       categorical({"auto"})},
      {"x,c,k\n1,red,a\n2,7,b\n",
       "column 2 is 'red' in line 2, and a number in other rows; correct it, or list all "
       "categorical columns in 'categorical'",
       categorical({"auto"})},
      {"x,when,k\n1,2024-05-31,a\n2,2024-06-01,b\n",
       "column 2 is '2024-05-31' in line 2, which is neither a number nor, by its looks, a "
       "category; name a column of dates in 'dates' of source/csv, turn it into numbers, or name "
       "the column in 'ignore', or list all categorical columns in 'categorical'",
       categorical({"auto"})},
      {"x;y;k\n1;2,5;a\n2;3,5;b\n",
       "column 2 is '2,5' in line 2, which is neither a number nor, by its looks, a category; "
       "set 'decimal: comma' if its comma is a decimal one, or list all categorical columns in "
       "'categorical'",
       categorical({"auto"})},
      {"country,2019,2020,kind\nA,1,2,x\nB,2,3,y\nC,4,5,x\n",
       "line 1: has a label and categories that no other row has, as if it named the columns; set "
       "'header: present' if it does name them, or 'header: absent' if it is a row",
       categorical({"auto"})},
      {"country,2019,2020\nA,1,2\nB,2,3\n",
       "line 1: has categories that no other row has, as if it named the columns; set 'header: "
       "present' if it does name them, or 'header: absent' if it is a row",
       {{"categorical", Texts{"1"}}, {"label", text("none")}}},
      {"share,x,k\n12%,1,a\n15%,2,b\n",
       "column 1 is '12%' in line 2, which is neither a number nor, by its looks, a category; "
       "write "
       "the number without its unit, or list all categorical columns in 'categorical'",
       categorical({"auto"})},
      {distinct_texts(150),
       "column 'remark' has 150 different texts in 150 rows, which looks like names or remarks and "
       "not like categories; name it in 'ignore' or 'id', or list all categorical columns in "
       "'categorical'",
       categorical({"auto"})},
      {distinct_texts(5000),
       "rows of 5001 values, one per category, need 97 MiB, more than the 64 MiB of memory left; "
       "allow more with --memory, or use fewer rows",
       categorical({"remark"})},
  });
}

TEST_CASE("columns that are listed") {
  check_all({
      {"a,b,k\n1,2,x\n",
       "line 1: no column 'c' for 'columns'; columns are: a, b, k",
       {{"columns", Texts{"c"}}}},
      {"a,b,k\n1,2,x\n",
       "line 1: 'columns' names column 1 (a) twice; remove one",
       {{"columns", Texts{"a", "1"}}}},
      {"a,b,k\n1,2,x\n",
       "line 1: 'columns' names column 1 (a), which 'ignore' names as well; remove it from one of "
       "the two",
       {{"columns", Texts{"a"}}, {"ignore", Texts{"a"}}}},
      {"a,b,k\n1,2,x\n",
       "line 1: 'columns' names column 3 (k), which 'label' names as well; remove it from one of "
       "the two",
       {{"columns", Texts{"k"}}}},
      {"a,b,k\n1,2,x\n",
       "line 1: 'columns' names column 2 (b), which 'id' names as well; remove it from one of the "
       "two",
       {{"columns", Texts{"b"}}, {"id", text("b")}}},
      {",b,k\n0,2,x\n",
       "line 1: 'columns' names column 1 (), which names the rows; remove it from one of the two",
       {{"columns", Texts{"1", "b"}}}},
  });
}

TEST_CASE("names that two columns have, in each file") {
  const std::string twice =
      "line 1: two columns are named 'a'; rename one, or exclude it with its "
      "number in 'ignore'";
  const char* first = "a,b,k\n1,2,x\n3,4,y\n";
  for (const bool for_model : {false, true}) {
    CHECK(of_second(first, "a,b,a,k\n1,2,3,x\n", {}, for_model) == twice);
    CHECK(of_second(first, "a,b,a,k\n1,2,3,x\n", {{"columns", Texts{"a", "b"}}}, for_model) ==
          twice);
    CHECK(of_second(first, "a,b,k,k\n1,2,x,x\n", {{"label", text("k")}}, for_model) ==
          "line 1: two columns are named 'k'; rename one, or exclude it with its number in "
          "'ignore'");
  }
  // Excluded by its number, the second one is no column at all, and the first one none either.
  const TempFolder folder;
  TestContext context;
  const std::string train = folder.write("train.csv", "a,b,a,k\n1,2,3,x\n");
  const std::string test = folder.write("test.csv", "a,b,a,k\n4,5,6,x\n");
  for (const auto& [number, wanted] :
       {std::pair{"1", std::vector<float>{2, 3, 5, 6}}, {"3", {1, 2, 4, 5}}})
    CHECK(all_rows(*open_checked(*make_component<Source>("source/csv", {{"path", train},
                                                                        {"test_path", test},
                                                                        {"ignore", Texts{number}}}),
                                 context))
              .values == wanted);
}

TEST_CASE("new data that lack what a model needs") {
  const char* train = "size,color,k\n1,red,a\n2,blue,b\n";
  const Parameters color = categorical({"color"});
  const auto refused = [&](const char* fresh, const Parameters& more) {
    return of_second(train, fresh, more, true);
  };
  CHECK(refused("size\n1\n", color) ==
        "line 1: lacks the column 'color', which the model was trained on; add what is "
        "missing, or set 'header: absent' if this line is a row");
  CHECK(refused("size,color,weight\n1,red,5\n",
                {{"categorical", Texts{"color"}}, {"label", text("k")}}) ==
        "line 1: has the column 'weight', which the model was not trained on; remove the "
        "new ones, or name them in 'ignore' or 'id'");
  CHECK(
      refused("1,red\n2,blue\n", {{"categorical", Texts{"color"}}, {"header", text("present")}}) ==
      "line 1: lacks the columns 'size', 'color', which the model was trained on; add "
      "what is missing");
  CHECK(
      refused("1,red\n2,blue\n", color) ==
      "line 1: is a row, but the model knows the categorical columns by their names; give the file "
      "the header of the training file");
  CHECK(
      refused("size,color\n1,mauve\n", color) ==
      "line 2: the column 'color' has no category 'mauve'; the model knows 'blue', 'red'; correct "
      "it, or set 'unknown: none' to read it as none of the categories");
  CHECK(refused("size,color\n1,\n", {{"categorical", Texts{"color"}}, {"missing", text("keep")}}) ==
        "line 2: column 'color' has no value; give one, or omit the row");
  NewData data{"t.csv", Layout::vector(1), {}, {}, {}, {"categorical"}};
  auto source = make_component<Source>("source/csv",
                                       {{"path", text("t.csv")}, {"categorical", Texts{"color"}}});
  CHECK_THROWS_WITH_AS(source->apply_model(data),
                       "'categorical' is part of what the model knows and cannot be given for new "
                       "data; omit it, or train a model with it",
                       Error);
}

}  // namespace broken_tables_test
