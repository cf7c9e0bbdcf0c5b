// SPDX-License-Identifier: MIT
#include "semblance_tables/column_roles.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

#include "tests/sources_testing.hpp"

namespace column_roles_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value text(const char* t) { return std::string(t); }

/// Trains on one text and tests on another; returns all rows.
Floats two(const std::string& train, const std::string& test, Parameters more = {},
           TestContext* watched = nullptr) {
  const TempFolder folder;
  more.emplace_back("path", folder.write("train.csv", train));
  more.emplace_back("test_path", folder.write("test.csv", test));
  TestContext own;
  return all_rows(
             *open_checked(*make_component<Source>("source/csv", more), watched ? *watched : own))
      .values;
}

std::string refused(const std::string& train, const std::string& test, Parameters more = {}) {
  const TempFolder folder;
  more.emplace_back("path", folder.write("train.csv", train));
  more.emplace_back("test_path", folder.write("test.csv", test));
  TestContext context;
  std::string message = message_of(*make_component<Source>("source/csv", more), context);
  check_message(message, folder.path() + "/test.csv", ": ");
  return message;
}

bool told(const TestContext& context, const std::string& what) {
  return std::any_of(context.lines.begin(), context.lines.end(),
                     [&](const std::string& line) { return line.find(what) != line.npos; });
}

constexpr const char* train = "a,b,c,kind\n1,2,3,x\n4,5,6,y\n";

}  // namespace

TEST_CASE("columns of the test file are found by name, wherever they stand") {
  const Floats wanted = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const char* test : {"a,b,c,kind\n7,8,9,x\n", "c,a,b,kind\n9,7,8,x\n",
                           "kind,c,b,a\nx,9,8,7\n", "b,kind,a,c\n8,x,7,9\n"}) {
    CAPTURE(std::string(test));
    CHECK(two(train, test) == wanted);
    CHECK(two(train, test, {{"label", text("kind")}}) == wanted);
  }
  // Ignored columns may move, be others, or be missing.
  CHECK(two("id,a,kind\n1,2,x\n", "a,kind\n3,x\n", {{"ignore", Texts{"1"}}}) == Floats{2, 3});
  CHECK(two("id,a,kind\n1,2,x\n", "kind,a,id\nx,3,9\n", {{"ignore", Texts{"1"}}}) == Floats{2, 3});
}

TEST_CASE("columns that are missing or new are refused by name") {
  CHECK(refused(train, "a,c,kind\n7,9,x\n").find("lacks the column 'b', which the training file") !=
        std::string::npos);
  CHECK(refused(train, "a,b,c,d,e,kind\n7,8,9,1,2,x\n").find("has the columns 'd', 'e', which") !=
        std::string::npos);
  CHECK(refused(train, "a,b,c,class\n7,8,9,x\n").find("lacks the label's column 'kind'") !=
        std::string::npos);
  CHECK(refused(train, "a,b,z,kind\n7,8,9,x\n").find("lacks the column 'c'") != std::string::npos);
}

TEST_CASE("without a header in both files columns are matched by position, with a message") {
  TestContext both, one, other;
  CHECK(two("1,2,x\n3,4,y\n", "5,6,x\n", {}, &both) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(told(both, "columns are matched by position, without names"));
  CHECK(two("a,b,kind\n1,2,x\n3,4,y\n", "5,6,x\n", {}, &one) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(told(one, "since only one of the two files has a header"));
  CHECK(two("1,2,x\n3,4,y\n", "b,a,kind\n5,6,x\n", {}, &other) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(told(other, "since only one of the two files has a header"));
}

TEST_CASE("a header of numbers names the columns and is no row") {
  const TempFolder folder;
  const auto read = [&](const std::string& content, const Parameters& more = {}) {
    Parameters all = more;
    all.emplace_back("path", folder.write("t.csv", content));
    TestContext context;
    return open_checked(*make_component<Source>("source/csv", all), context);
  };
  const std::string rows = "5.1,3.5,1.4,0.2,1\n4.9,3.0,1.3,0.1,2\n6.0,2.2,1.2,0.3,1\n";
  const auto pandas = read("0,1,2,3,label\n" + rows);
  CHECK(pandas->outline().train_rows == 3);
  CHECK(pandas->outline().classes == Texts{"1", "2"});
  CHECK(pandas->outline().columns == Texts{"0", "1", "2", "3"});
  CHECK(all_rows(*pandas).values.front() == 5.1f);
  const auto numbered = read("0,1,2,3,4\n" + rows);  // no row is of a class 4
  CHECK(numbered->outline().train_rows == 3);
  CHECK(numbered->outline().classes == Texts{"1", "2"});
  const auto indexed = read(",0,1,2,label\n0,5.1,3.5,1.4,a\n1,4.9,3,1.3,b\n");
  CHECK(indexed->outline().columns == Texts{"0", "1", "2"});
  CHECK(all_rows(*indexed).values == Floats{5.1f, 3.5f, 1.4f, 4.9f, 3, 1.3f});
  CHECK(indexed->name(1) == "1");
  // The label between others, by its number; a number that is another's name is asked about.
  const std::string index = ",0,1,2,3\n0,5,6,1,7\n1,7,8,2,9\n2,5,6,1,7\n";
  const auto between = read(index, {{"label", text("4")}, {"missing", text("keep")}});
  CHECK(between->outline().columns == Texts{"0", "1", "3"});
  CHECK(between->outline().classes == Texts{"1", "2"});
  CHECK(between->outline().train_rows == 3);
  TestContext context;
  for (const char* missing : {"keep", "refuse"})
    CHECK(message_of(*make_component<Source>("source/csv", {{"path", folder.write("i.csv", index)},
                                                            {"label", text("3")},
                                                            {"missing", text(missing)}}),
                     context)
              .find("line 1: names a column '3', which is also the number of another") !=
          std::string::npos);
  CHECK(message_of(*make_component<Source>("source/csv",
                                           {{"path", folder.write("y.csv",
                                                                  ",2020,2021,2030\n0,5,6,1\n"
                                                                  "1,7,8,2\n2,5,6,1\n3,6,6,2\n")},
                                            {"missing", text("keep")}}),
                   context)
            .find("line 1: has the label '2030', which no other row has") != std::string::npos);
  for (const char* content : {"2020,2021,2022,2023\n5,6,1,2\n", ",2020,2021,2022\n0,6,1,2\n"})
    CHECK(
        message_of(*make_component<Source>("source/csv", {{"path", folder.write("n.csv", content)},
                                                          {"target", Texts{"-1"}},
                                                          {"missing", text("keep")}}),
                   context)
            .find("line 1: counts up, like names of columns; set 'header: present'") !=
        std::string::npos);
  // The label first, and matched by name with a second file.
  const auto second = folder.write("second.csv", "1,label,0\n8,b,7\n");
  const auto moved =
      read("label,0,1\na,1,2\nb,3,4\na,5,6\n", {{"label", text("label")}, {"test_path", second}});
  CHECK(all_rows(*moved).values == Floats{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a first line of numbers that may be a header or a row is asked about") {
  const TempFolder folder;
  TestContext context;
  const auto ask = [&](const std::string& content, const std::string& why) {
    const auto file = folder.write("t.csv", content);
    const std::string message =
        message_of(*make_component<Source>("source/csv", {{"path", file}}), context);
    check_message(message, file, "line 1: " + why);
    CHECK(message.find("set 'header: present' if it does name them") != message.npos);
    const auto present =
        make_component<Source>("source/csv", {{"path", file}, {"header", text("present")}})
            ->open(context);
    const auto absent =
        make_component<Source>("source/csv", {{"path", file}, {"header", text("absent")}})
            ->open(context);
    CHECK(present->outline().rows() + 1 == absent->outline().rows());
  };
  ask("0,1,2\n5,6,1\n7,8,2\n", "counts 0, 1, 2, ...");  // a class 2 there is
  ask("900,902,904,type\n1,2,3,a\n4,5,6,b\n7,8,9,a\n1,1,1,b\n",
      "has the label 'type', which no other row has");
  const std::string labels = ",1\n4,5,2\n1,3,1\n6,4,2\n7,2,1\n";
  ask("2021,2022,2023\n5,6" + labels, "has the label '2023', which no other row has");
  ask("1,2,30\n5,6,p\n7,8,q\n5,6,p\n7,8,q\n", "has the label '30', which no other row has");
  // Ordinary rows.
  for (const char* content :
       {"1,2,3\n5,6,2\n7,8,1\n5,6,3\n7,8,1\n", "1,5,3\n5,6,2\n7,8,1\n5,6,2\n7,8,1\n",
        "0,1,a\n2,3,b\n4,5,a\n", "1,2,10\n3,4,9\n", "0,1\n1,0\n", "0,0,0\n0,1,1\n"}) {
    CAPTURE(std::string(content));
    const auto file = folder.write("t.csv", content);
    const auto data =
        open_checked(*make_component<Source>("source/csv", {{"path", file}}), context);
    CHECK(data->outline().rows() ==
          std::size_t(std::count(content, content + strlen(content), '\n')));
  }
}

TEST_CASE("two columns of one name, and columns without one, are refused") {
  const TempFolder folder;
  TestContext context;
  const auto check = [&](const std::string& content, const std::string& what,
                         Parameters more = {}) {
    const auto file = folder.write("t.csv", content);
    more.emplace_back("path", file);
    check_message(message_of(*make_component<Source>("source/csv", more), context), file, what);
  };
  check("a,b,a,kind\n1,2,3,x\n", "line 1: two columns are named 'a'; rename one, or exclude it");
  check("a,kind,kind\n1,2,x\n", "two columns are named 'kind'", {{"label", text("kind")}});
  check("a,,kind\n1,2,x\n", "line 1: column 2 has no name in the header");
  const auto file = folder.write("t.csv", "a,b,a,kind\n1,2,3,x\n");
  CHECK(all_rows(*make_component<Source>("source/csv", {{"path", file}, {"ignore", Texts{"3"}}})
                      ->open(context))
            .values == Floats{1, 2});
}

TEST_CASE("a column names the rows and is never a value") {
  const TempFolder folder;
  TestContext context;
  const auto file =
      folder.write("t.csv", "1,who,2,kind\n10,ann,20,x\n11,\"b, c\",21,y\n12,d,22,x\n");
  const auto named = open_checked(
      *make_component<Source>(
          "source/csv", {{"path", file}, {"id", text("who")}, {"test_rows", std::int64_t{1}}}),
      context);
  CHECK(named->outline().columns == Texts{"1", "2"});
  CHECK(all_rows(*named).values == Floats{10, 20, 11, 21, 12, 22});
  CHECK(named->name(1) == "b, c");
  CHECK(named->name(2) == "d");
  const auto plain = folder.write("p.csv", "7,1,x\n8,2,y\n");
  const auto data = open_checked(
      *make_component<Source>("source/csv", {{"path", plain}, {"id", text("1")}}), context);
  CHECK(all_rows(*data).values == Floats{1, 2});
  CHECK(data->name(1) == "8");
  check_message(
      message_of(*make_component<Source>("source/csv", {{"path", plain}, {"id", text("-1")}}),
                 context),
      plain, "'label' and 'id' both name column 3");
}

TEST_CASE("matching columns by name takes time in proportion to their number") {
  const auto seconds = [](int columns) {
    std::string names, turned, values;
    for (int c = 0; c < columns; ++c) {
      names += "column_" + std::to_string(c) + ",";
      turned += "column_" + std::to_string(columns - 1 - c) + ",";
      values += std::to_string(c % 7) + ",";
    }
    const TempFolder folder;
    const auto source = make_component<Source>(
        "source/csv",
        {{"path", folder.write("a.csv", names + "y\n" + values + "u\n" + values + "v\n")},
         {"test_path", folder.write("b.csv", turned + "y\n" + values + "u\n")}});
    TestContext context;
    const std::clock_t start = std::clock();
    CHECK(source->open(context)->outline().layout == Layout::vector(std::size_t(columns)));
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  seconds(100);
  const double few = seconds(3000), many = seconds(30000);
  CHECK(many < 40 * few);  // 100 times as many pairs
}

}  // namespace column_roles_test
