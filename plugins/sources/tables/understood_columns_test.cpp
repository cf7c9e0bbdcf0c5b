// SPDX-License-Identifier: MIT
#include "tables/understood_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/sources_testing.hpp"

namespace understood_columns_test {

using namespace semblance;
using namespace semblance::testing;

// Tables as they come: `columns: [auto]`.

namespace {

Value text(const char* t) { return std::string(t); }

struct Read {
  TempFolder folder;
  TestContext context;
  std::unique_ptr<Dataset> data;

  explicit Read(const std::string& content, Parameters more = {{"label", text("y")}}) {
    more.emplace_back("path", folder.write("t.csv", content));
    more.emplace_back("columns", Texts{"auto"});
    more.emplace_back("missing", text("keep"));
    data = open_checked(*make_component<Source>("source/csv", more), context);
  }
  Texts columns() const { return data->outline().columns; }
  bool told(const std::string& what) const {
    return std::ranges::any_of(context.lines,
                               [&](const auto& line) { return line.find(what) != line.npos; });
  }
};

/// A table of 40 rows: `cell(i)` follows the size and the class.
template <class Cell>
std::string table(const std::string& name, const Cell& cell) {
  std::string content = "size," + name + ",y\n";
  for (int i = 0; i < 40; ++i)
    content += std::to_string((i * 7) % 11) + "." + std::to_string(i % 10) + "," + cell(i) + "," +
               (i % 3 ? "a" : "b") + "\n";
  return content;
}

std::string number(int i) { return std::to_string(i); }

}  // namespace

TEST_CASE("columns are read as numbers or categories, by what they hold") {
  const Read sex(table("sex", [](int i) { return i % 2 ? "m" : "f"; }));
  CHECK(sex.columns() == Texts{"size", "sex=f", "sex=m"});
  const Read gaps(table("age", [](int i) { return i % 5 ? number((i * 13) % 17) : "NA"; }));
  CHECK(gaps.columns() == Texts{"size", "age"});
  // A few texts among few numbers.
  const Read cylinders(
      table("cylinders", [](int i) { return i == 9 ? "rotary" : number(4 + i % 3); }));
  CHECK(cylinders.columns() ==
        Texts{"size", "cylinders=4", "cylinders=5", "cylinders=6", "cylinders=rotary"});
  // Among many it is a mistake.
  CHECK_THROWS_WITH_AS(
      Read(table("x", [](int i) { return i == 9 ? "none!" : number(i * i); })),
      doctest::Contains("column 2 (x) has numbers and texts such as 'none!'; correct "
                        "them, or name the column in 'categorical' or 'ignore'"),
      DataError);
}

TEST_CASE("numbers with the other decimal mark are no texts that may be left out") {
  const auto comma = [](const auto& cell) {
    return Read(table("x", [&](int i) { return '"' + cell(i) + '"'; }));
  };
  for (const int values : {3, 40})  // few, like categories, or one for each row
    CHECK_THROWS_WITH_AS(
        comma([&](int i) { return i % 4 ? number(i % values) + ",5" : number(i % values); }),
        doctest::Contains("column 2 (x) has numbers in another form, such as '1,5'; set 'decimal: "
                          "comma' if its comma is a decimal one, or name the column in "
                          "'categorical' or 'ignore'"),
        DataError);
  CHECK_THROWS_WITH_AS(
      Read("x;y\n1,5;a\n2.5;b\n3.5;a\n", {{"label", text("y")}, {"decimal", text("comma")}}),
      doctest::Contains("such as '2.5'; omit 'decimal: comma' if its point is a decimal one"),
      DataError);
  CHECK(comma([](int i) { return i % 2 ? std::string("1,5") : "many"; }).columns().size() == 3);
}

TEST_CASE("numbers with a unit are left out or categories, with the way to read them") {
  const Read shares(table("share", [](int i) { return number(i * i + 3) + " %"; }));
  CHECK(shares.columns() == Texts{"size"});
  CHECK(
      shares.told("column 2 (share) is left out: each row has another text, such as '3 %'; if it "
                  "holds numbers, write the number without its unit"));
  const Read few(table("share", [](int i) { return number(i % 7) + " %"; }));
  CHECK(few.columns().size() == 8);
  CHECK(
      few.told("column 2 (share) is read as categories, such as '0 %'; if it holds numbers, write "
               "the number without its unit"));
  const Read names(table("name", [](int i) { return "n" + number(i); }));
  CHECK(names.told("column 2 (name) is left out: each row has another text"));
  CHECK_FALSE(names.told("if it holds numbers"));
}

TEST_CASE("few whole numbers are categories where it is wanted") {
  const auto columns = [](const char* name, const auto& cell, std::int64_t most) {
    return Read(table(name, cell), {{"label", text("y")}, {"number_categories", most}}).columns();
  };
  const auto grade = [](int i) { return i % 9 == 0 ? "?" : number(i * 7 % 5); };
  CHECK(columns("grade", grade, 0) == Texts{"size", "grade"});
  CHECK(columns("grade", grade, 4) == Texts{"size", "grade"});
  CHECK(columns("grade", grade, 5) ==
        Texts{"size", "grade=", "grade=0", "grade=1", "grade=2", "grade=3", "grade=4"});
  // Two values need no second column, and fractions are no categories.
  CHECK(columns(
            "sex", [](int i) { return number(i % 2); }, 5) == Texts{"size", "sex"});
  CHECK(columns(
            "share", [](int i) { return i % 4 ? number(i % 4) : "0.5"; }, 5) ==
        Texts{"size", "share"});
}

TEST_CASE("rows that are copies of others are counted and said") {
  const auto rows = [](int different) {
    return table("x", [different](int i) { return number(i % different) + ".5"; });
  };
  // 40 rows, whose size has 110 values; 4 of them are there twice.
  std::string copied = rows(40);
  for (int i = 0; i < 4; ++i) copied += "0.0,0.5,a\n";
  const Read read(copied);
  CHECK(read.told("4 of 44 rows have the values of an earlier row"));
  CHECK(read.told("name in 'groups' a column"));
  CHECK_FALSE(Read(rows(40)).told("values of an earlier row"));
}

TEST_CASE("columns that say nothing are left out, and a message says why") {
  const struct {
    std::string name, why;
    std::function<std::string(int)> cell;
  } cases[] = {
      {"rownames", "it counts the rows", [](int i) { return number(i + 1); }},
      {"x", "it counts the rows", [](int i) { return number(i); }},
      {"patient_id", "it identifies rows", [](int i) { return number((i * 37) % 101 + 5000); }},
      {"site", "it has one value", [](int) { return "Rome"; }},
      {"zero", "it has one value", [](int) { return "0"; }},
      {"empty", "it has no values", [](int) { return "?"; }},
      {"name", "each row has another text", [](int i) { return "Ms " + number(i); }},
      {"remark", "nearly each row has another text",
       [](int i) { return i % 4 ? "remark " + number(i) : "none said"; }},
      {"hour", "it holds dates or times that are not read",
       [](int i) { return number(i % 9) + ":30"; }},
      {"zone", "it holds dates or times that are not read",
       [](int i) { return "2024-05-1" + number(i % 9) + " 10:30+02:00"; }},
      {"day",
       "it holds dates whose day and month cannot be distinguished; write them as 2024-05-31",
       [](int i) { return number(1 + i % 9) + "/" + number(1 + i % 7) + "/2024"; }},
      {"alive", "it says the same as the label", [](int i) { return i % 3 ? "yes" : "no"; }},
  };
  for (const auto& [name, why, cell] : cases) {
    CAPTURE(name);
    const Read read(table(name, cell));
    CHECK(read.columns() == Texts{"size"});
    CHECK(read.told("column 2 (" + name + ") is left out: " + why));
  }
}

TEST_CASE("a column of dates is three numbers, in whatever order its days are written") {
  const auto day = [](const char* form, int i) {
    char text[32];
    std::snprintf(text, sizeof text, form, 10 + i % 20, 1 + i % 5);
    return std::string(text);
  };
  for (const char* form :
       {"%1$d.%2$d.2024", "2024-%2$02d-%1$02d", "%1$d/%2$d/2024", "%2$d/%1$d/2024"}) {
    CAPTURE(form);
    const Read read(table("day", [&](int i) { return day(form, i); }));
    const bool months_first = std::string(form).starts_with("%2$d");
    CHECK(read.columns() ==
          Texts{"size", months_first ? "day=days since 1970, months first" : "day=days since 1970",
                "day=day of the year", "day=weekday"});
    CHECK(read.told("column 2 (day) is read as dates"));
  }
  // Each row may have a date for itself.
  const Read own(table("day", [](int i) { return number(2000 + i) + "-01-01"; }));
  CHECK(own.columns().size() == 4);
}

TEST_CASE("of columns that say the same the first is read") {
  std::string content = "class,who,pclass,y\n";
  for (int i = 0; i < 40; ++i)
    content += std::string(i % 2 ? "First" : "Third") + "," + (i % 5 ? "man" : "child") + "," +
               (i % 2 ? "1" : "3") + "," + (i % 3 ? "a" : "b") + "\n";
  const Read read(content);
  CHECK(read.columns() == Texts{"class=First", "class=Third", "who=child", "who=man"});
  CHECK(read.told("column 3 (pclass) is left out: it says the same as 1 (class)"));
}

TEST_CASE("numbers without repetition are copies only if they are equal") {
  std::string content = "x,square,again,y\n";
  for (int i = 0; i < 40; ++i) {
    const std::string x = number((i * 7) % 41 + 1);
    content +=
        x + "," + number(std::stoi(x) * std::stoi(x)) + "," + x + "," + (i % 3 ? "a" : "b") + "\n";
  }
  const Read read(content);
  CHECK(read.columns() == Texts{"x", "square"});
  CHECK(read.told("column 3 (again) is left out: it says the same as 1 (x)"));
}

TEST_CASE("many columns that are left out for one reason share a message") {
  std::string names = "x", zeros;
  for (int c = 0; c < 6; ++c) names += ",z" + number(c), zeros += ",0";
  std::string content = names + ",y\n";
  for (int i = 0; i < 40; ++i)
    content += number(i * 7 % 41) + zeros + "," + (i % 3 ? "a" : "b") + "\n";
  const Read read(content);
  CHECK(read.columns() == Texts{"x"});
  CHECK(read.told("column 4 (z2) is left out: it has one value"));
  CHECK(!read.told("column 5 (z3) is left out"));
  CHECK(read.told("the same holds for 3 more, as it has one value: 5 (z3), 6 (z4), 7 (z5)"));
}

TEST_CASE("a copy of the target is no value") {
  std::string content = "x,copy,price\n";
  for (int i = 0; i < 40; ++i)
    content += number(i * 13 % 17) + "," + number(i * i) + ".5," + number(i * i) + ".5\n";
  const Read read(content, {{"target", Texts{"price"}}});
  CHECK(read.columns() == Texts{"x"});
  CHECK(read.told("column 2 (copy) is left out: it says the same as the target"));
}

TEST_CASE("many texts are categories only where they repeat") {
  std::string zips = "zip,city,y\n";
  for (int i = 0; i < 9000; ++i)
    zips += "z" + number(i % 3000) + ",c" + number(i % 900) + "," + (i % 3 ? "a" : "b") + "\n";
  const Read read(zips);
  CHECK(read.columns().size() == 900);
  CHECK(read.told("column 1 (zip) is left out: it has more than 2000 different texts"));
}

TEST_CASE("what a parameter names is read, whatever it holds") {
  const std::string content = table("rownames", [](int i) { return number(i + 1); });
  const Read read(content, {{"label", text("y")}, {"categorical", Texts{"rownames"}}});
  CHECK(read.columns().size() == 41);
  const Read ignored(
      content,
      {{"label", text("y")}, {"ignore", Texts{"size"}}, {"categorical", Texts{"rownames"}}});
  CHECK(ignored.columns().size() == 40);
  CHECK_THROWS_WITH_AS(Read(content, {{"label", text("y")}, {"ignore", Texts{"size"}}}),
                       doctest::Contains("no column says anything"), DataError);
}

TEST_CASE("few rows leave nothing out but what has one value") {
  const Read read("id,x,y\n1,5,a\n2,7,b\n3,6,a\n");
  CHECK(read.columns() == Texts{"id", "x"});
}

TEST_CASE("without names nothing is left out, but said") {
  std::string content;
  for (int i = 0; i < 40; ++i)
    content += number(i + 1) + "," + number(i * i % 13) + "," + (i % 2 ? "u" : "v") + "," +
               (i % 3 ? "a" : "b") + "\n";
  const Read read(content, {{"header", text("absent")}});
  CHECK(read.columns() == Texts{"column 1", "column 2", "column 3=u", "column 3=v"});
  CHECK(read.told("column 1 is read, though it counts the rows; name its number in 'ignore'"));
}

TEST_CASE("new data of a model have its categories, by name") {
  std::string content = "rownames,size,city,y\n";
  for (int i = 0; i < 40; ++i)
    content += number(i + 1) + "," + number(i * 7 % 11) + "," + (i % 3 ? "Rome" : "Oslo") + "," +
               (i % 2 ? "a" : "b") + "\n";
  const Read trained(content);
  const Outline& outline = trained.data->outline();
  CHECK(outline.columns == Texts{"size", "city=Oslo", "city=Rome"});
  const std::string fresh = "city,rownames,size\nRome,1,3\nBern,2,\n";
  const std::string file = trained.folder.write("n.csv", fresh);
  auto source = make_component<Source>("source/csv", {{"path", file},
                                                      {"columns", Texts{"auto"}},
                                                      {"missing", text("keep")},
                                                      {"unknown", text("none")},
                                                      {"label", text("y")}});
  const NewData model{file, outline.layout, outline.classes, outline.columns};
  source->apply_model(model);
  TestContext context;
  const auto data = open_checked(*source, context);
  const FloatMatrix rows = all_rows(*data);
  CHECK(std::vector<float>(rows.values.begin(), rows.values.begin() + 3) == Floats{3, 0, 1});
  CHECK(std::isnan(rows.values[3]));
  CHECK(rows.values[4] == 0);
  CHECK(rows.values[5] == 0);
}

TEST_CASE("new data may have the columns that were left out, or lack them") {
  const std::string content = table("rownames", [](int i) { return number(i + 1); });
  const Read trained(content);
  const Outline& outline = trained.data->outline();
  for (const char* fresh :
       {"rownames,size\n7,3.5\n", "size\n3.5\n", "size,rownames,y\n3.5,1,a\n"}) {
    CAPTURE(fresh);
    TestContext context;
    auto source =
        make_component<Source>("source/csv", {{"path", trained.folder.write("n.csv", fresh)},
                                              {"columns", Texts{"auto"}},
                                              {"missing", text("keep")},
                                              {"label", text("y")}});
    source->apply_model(
        {trained.folder.write("n.csv", fresh), outline.layout, outline.classes, outline.columns});
    const auto data = open_checked(*source, context);
    CHECK(all_rows(*data).values == Floats{3.5f});
  }
}

}  // namespace understood_columns_test
