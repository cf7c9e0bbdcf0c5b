// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/sources_testing.hpp"

namespace arff_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value text(const char* t) { return std::string(t); }

constexpr const char* header =
    "% a comment\n@RELATION weather\n\n@attribute outlook {sunny, overcast, 'light "
    "rain'}\n@attribute 'temp' REAL\n@attribute windy {TRUE,FALSE}\n@attribute play "
    "{yes,no}\n\n@DATA\n";

std::string with_rows(const std::string& rows) { return header + rows; }

struct Broken {
  std::string content;
  std::string message;
  Parameters more = {};
};

void check_all(const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.content);
    const TempFolder folder;
    const std::string file = folder.write("t.arff", b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    CHECK(message_of(*make_component<Source>("source/arff", parameters), context) ==
          file + ": " + b.message);
  }
}

}  // namespace

TEST_CASE("nominal values become columns in the order of their declaration") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write(
      "t.arff",
      with_rows(
          "sunny,30,FALSE,no\n 'light rain' , 1.5e1,TRUE,yes\n% no row\novercast,-4,FALSE,yes\n"));
  const auto data = open_checked(*make_component<Source>("source/arff", {{"path", file}}), context);
  CHECK(data->outline().columns == Texts{"outlook=sunny", "outlook=overcast", "outlook=light rain",
                                         "temp", "windy=TRUE", "windy=FALSE"});
  CHECK(data->outline().classes == Texts{"no", "yes"});
  CHECK(labels(*data) == std::vector<std::int32_t>{0, 1, 1});
  CHECK(all_rows(*data).values == Floats{1, 0, 0, 30, 0, 1, 0, 0, 1, 15, 1, 0, 0, 1, 0, -4, 0, 1});
}

TEST_CASE("sparse rows: what they leave out is 0 or the first value") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write(
      "t.arff", with_rows("{1 2.5, 3 no}\n{}\n{ 0 'light rain',2 FALSE }\nsunny,1,TRUE,no\n"));
  const auto data = open_checked(*make_component<Source>("source/arff", {{"path", file}}), context);
  CHECK(all_rows(*data).values ==
        Floats{1, 0, 0, 2.5f, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0});
  CHECK(data->outline().classes == Texts{"no", "yes"});
  CHECK(labels(*data) == std::vector<std::int32_t>{0, 1, 1, 0});
}

TEST_CASE("strings and dates may be labels, names of rows, or ignored") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write(
      "t.arff",
      "@relation r\n@attribute who string\n@attribute day date 'yyyy-MM-dd'\n@attribute x "
      "numeric\n@attribute kind string\n@data\n'ann, b',2024-01-02,1,\"a \\\"q\\\"\"\nbob,?,2,b\n");
  const auto data = open_checked(
      *make_component<Source>("source/arff",
                              {{"path", file}, {"id", text("who")}, {"ignore", Texts{"day"}}}),
      context);
  CHECK(all_rows(*data).values == Floats{1, 2});
  CHECK(data->outline().classes == Texts{"a \"q\"", "b"});
  CHECK(data->name(0) == "ann, b");
}

TEST_CASE("a second file and new data are matched by name, in any order of declaration") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.arff", with_rows("sunny,30,FALSE,no\novercast,1,TRUE,yes\n"));
  const auto second = folder.write(
      "second.arff",
      "@relation r\n@attribute play {no,yes}\n@attribute windy {FALSE,TRUE}\n@attribute outlook "
      "{overcast,sunny}\n@attribute temp real\n@data\nno,FALSE,sunny,7\n");
  const auto both = open_checked(
      *make_component<Source>("source/arff", {{"path", file}, {"test_path", second}}), context);
  const auto values = all_rows(*both).values;
  CHECK(Floats(values.begin() + 12, values.end()) == Floats{1, 0, 0, 7, 0, 1});

  const auto trained = make_component<Source>("source/arff", {{"path", file}})->open(context);
  const Outline& outline = trained->outline();
  auto applied = make_component<Source>("source/arff", {{"path", file}});
  applied->apply_model({second, outline.layout, outline.classes, outline.columns});
  const auto data = open_checked(*applied, context);
  CHECK(all_rows(*data).values == Floats{1, 0, 0, 7, 0, 1});
  CHECK(data->outline().columns == outline.columns);
}

TEST_CASE("the class of new rows may be missing") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.arff", with_rows("sunny,30,FALSE,no\novercast,1,TRUE,yes\n"));
  const auto fresh = folder.write("new.arff", with_rows("sunny,3,FALSE,?\novercast,1,TRUE,yes\n"));
  const auto trained = make_component<Source>("source/arff", {{"path", file}})->open(context);
  auto applied = make_component<Source>("source/arff", {{"path", file}});
  applied->apply_model(
      {fresh, trained->outline().layout, trained->outline().classes, trained->outline().columns});
  const auto data = open_checked(*applied, context);
  CHECK(labels(*data) == std::vector<std::int32_t>{-1, 0});
}

TEST_CASE("missing values that are kept") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.arff", with_rows("?,?,FALSE,no\novercast,1,TRUE,yes\n"));
  const auto data = open_checked(
      *make_component<Source>("source/arff", {{"path", file}, {"missing", text("keep")}}), context);
  CHECK(data->outline().columns == Texts{"outlook=sunny", "outlook=overcast", "outlook=light rain",
                                         "outlook=", "temp", "windy=TRUE", "windy=FALSE"});
  const auto values = all_rows(*data).values;
  CHECK(Floats(values.begin(), values.begin() + 4) == Floats{0, 0, 0, 1});
  CHECK(std::isnan(values[4]));
  // NA is an ordinary value if it is declared.
  const auto named = folder.write(
      "na.arff", "@relation r\n@attribute c {NA,b}\n@attribute k {x,y}\n@data\nNA,x\nb,y\n");
  CHECK(open_checked(*make_component<Source>("source/arff", {{"path", named}}), context)
            ->outline()
            .columns == Texts{"c=NA", "c=b"});
}

TEST_CASE("numeric attributes whose names have a '=' stay what they are for new data") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write(
      "t.arff", "@relation r\n@attribute c=red numeric\n@attribute k {x,y}\n@data\n1,x\n2,y\n");
  const auto trained = make_component<Source>("source/arff", {{"path", file}})->open(context);
  CHECK(trained->outline().columns == Texts{"c=red"});
  auto applied = make_component<Source>("source/arff", {{"path", file}});
  applied->apply_model(
      {file, trained->outline().layout, trained->outline().classes, trained->outline().columns});
  CHECK(all_rows(*open_checked(*applied, context)).values == Floats{1, 2});
}

TEST_CASE("broken .arff tables") {
  const auto of = [](const std::string& attributes) {
    return "@relation r\n" + attributes + "@attribute k {x,y}\n@data\n1,x\n";
  };
  check_all({
      {"", "has no line @data; the file is cut off or is no .arff file, check it"},
      {"1,2\n",
       "line 1: holds data before the line @data; an .arff file begins with its attributes"},
      {header, "holds no rows; check that it is the right file"},
      {of("@attribute a\n"),
       "line 2: the attribute 'a' has no type; write numeric, or its values as in {a, b}"},
      {of("@attribute a integers\n"),
       "line 2: the attribute 'a' has the type 'integers', which is not known in .arff; expected "
       "numeric, {values}, string or date"},
      {of("@attribute a {}\n"), "line 2: the attribute 'a' names no classes; add them"},
      {of("@attribute a {u,v\n"), "line 2: the classes of 'a' are not closed by '}'; add it"},
      {of("@attribute a {1,1.0}\n"),
       "line 2: the attribute 'a' declares a value twice; remove one"},
      {of("@attribute a string\n"),
       "line 2: the attribute 'a' is a string; name it in 'ignore' or 'id', or read strings with "
       "source/strings"},
      {of("@attribute a date\n"),
       "line 2: the attribute 'a' is a date; turn it into numbers, such as days since a fixed day, "
       "or name it in 'ignore'"},
      {of("@attribute a relational\n@attribute t numeric\n@end a\n"),
       "line 2: the attribute 'a' is relational, as those of time series are; read the file with "
       "source/ucr"},
      {of("@attribute k numeric\n"),
       "two columns are named 'k'; rename one, or exclude it with its number in 'ignore'"},
      {with_rows("sunny,1,TRUE\n"),
       "line 10: has 3 fields, but the header names 4 attributes; correct the row"},
      {with_rows("sunny,1,TRUE,yes,5\n"),
       "line 10: has more fields than the 4 attributes of the header; correct the row"},
      {with_rows("light rain,1,TRUE,yes\n"),
       "line 10: has blanks within a field, or text after a quoted one; separate fields by commas, "
       "and put texts with blanks in quotes"},
      {with_rows("'sunny,1,TRUE,yes\n"), "line 10: a quote is not closed; correct it"},
      {with_rows("sunny,warm,TRUE,yes\n"),
       "line 10: column 2 (temp) is 'warm', which is not a number; correct it, or name the column "
       "in 'ignore'"},
      {with_rows("foggy,1,TRUE,yes\n"),
       "line 10: column 1 (outlook) is 'foggy', which is not among the values that the header "
       "declares; correct one of them"},
      {with_rows("sunny,1,TRUE,maybe\n"),
       "line 10: column 4 (play) is 'maybe', which is not among the values that the header "
       "declares; correct one of them"},
      {with_rows("sunny,?,TRUE,yes\n"),
       "line 10: column 2 (temp) has no value; fill in or remove rows with missing values, or set "
       "'missing: keep' and put normalizer/impute after the source"},
      {with_rows("?,1,TRUE,yes\n"),
       "line 10: column 1 (outlook) has no value; fill in or remove rows with missing values, or "
       "set 'missing: keep', which makes them a category of their own"},
      {with_rows("sunny,1,TRUE,?\n"),
       "line 10: the label in column 4 is missing; fill it in, or set 'missing_labels: drop' to "
       "drop such rows"},
      {with_rows("{4 yes}\n"), "line 10: '4' is no number of an attribute; they count from 0 to 3"},
      {with_rows("{temp 1}\n"),
       "line 10: 'temp' is no number of an attribute; they count from 0 to 3"},
      {with_rows("{1 2, 0 sunny}\n"),
       "line 10: the numbers of its attributes do not ascend; sort the row"},
      {with_rows("{1 2 3 no}\n"),
       "line 10: the sparse row is not closed by '}', or text stands between its fields; write "
       "{NUMBER VALUE, NUMBER VALUE}"},
      {with_rows("{1 2\n"),
       "line 10: the sparse row is not closed by '}', or text stands between its fields; write "
       "{NUMBER VALUE, NUMBER VALUE}"},
      {with_rows("{1 2}, {5}\n"),
       "line 10: has a weight after its values; set 'weight: \"{}\"' to use it, or remove it"},
      {with_rows("sunny,1,TRUE,yes,{5}\n"),
       "line 10: has a weight after its values; set 'weight: \"{}\"' to use it, or remove it"},
      {with_rows("sunny,1,TRUE,yes,{-5}\n"),
       "line 10: the weight in braces is '-5'; weights must be 0 or more",
       {{"weight", text("{}")}}},
      {with_rows("sunny,1,TRUE,yes,{5\n"),
       "line 10: has text after its weight, or a weight that is not closed by '}'; correct the row",
       {{"weight", text("{}")}}},
      {with_rows("sunny,1,TRUE,yes\n"),
       "no column 'day' for 'label'; columns are: outlook, temp, windy, play",
       {{"label", text("day")}}},
  });
}

TEST_CASE("attributes of a second file that are of another type") {
  const TempFolder folder;
  TestContext context;
  const auto first = folder.write(
      "a.arff",
      "@relation r\n@attribute a {1,2}\n@attribute b real\n@attribute k {x}\n@data\n1,5,x\n");
  const auto refused = [&](const std::string& a, const std::string& b) {
    const auto second =
        folder.write("b.arff", "@relation r\n@attribute a " + a + "\n@attribute b " + b +
                                   "\n@attribute k {x}\n@data\n1,5,x\n");
    const std::string message = message_of(
        *make_component<Source>("source/arff", {{"path", first}, {"test_path", second}}), context);
    REQUIRE(message.starts_with(second + ": "));
    return message.substr(second.size() + 2);
  };
  CHECK(refused("real", "real") ==
        "line 2: the attribute 'a' is numeric, but nominal in the training file; declare it alike");
  CHECK(refused("{1,2}", "{5}") ==
        "line 3: the attribute 'b' is nominal, but numeric in the training file; declare it alike");
}

TEST_CASE("tabs between fields, remarks behind them, weights in braces") {
  const TempFolder folder;
  TestContext context;
  const std::string header =
      "@relation r\n@attribute a real\n@attribute b {u,'50%',v}\n@attribute y {n,m}\n@data\n";
  const auto tabs =
      folder.write("t.arff", header + "1\tu\tn\n2, \t'50%' ,\tm % a remark\n3,v,n%\n");
  check_message(message_of(*make_component<Source>("source/arff", {{"path", tabs}}), context), tabs,
                "line 8: column 3 (y)");
  const auto file = folder.write(
      "w.arff",
      header + "1\tu\tn\n2, \t'50%' ,\tm, {2.5} % a remark\n{0 3, 2 m} % x\n{0 4}, {0}\n");
  check_message(message_of(*make_component<Source>("source/arff", {{"path", file}}), context), file,
                "line 7: has a weight after its values");
  const auto data = open_checked(
      *make_component<Source>("source/arff", {{"path", file}, {"weight", text("{}")}}), context);
  CHECK(all_rows(*data).values == Floats{1, 1, 0, 0, 2, 0, 1, 0, 3, 1, 0, 0, 4, 1, 0, 0});
  CHECK(labels(*data) == Labels{1, 0, 0, 1});
  CHECK(std::vector<double>(data->weights().begin(), data->weights().end()) ==
        std::vector<double>{1, 2.5, 1, 0});
}

}  // namespace arff_test
