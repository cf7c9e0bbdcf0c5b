// SPDX-License-Identifier: MIT
// Groups of rows, from a column of a table or a separate file.
#include <algorithm>
#include <map>
#include <set>

#include "tests/sources_testing.hpp"

namespace row_groups_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Labels groups(const Dataset& data) { return {data.groups().begin(), data.groups().end()}; }

Parameters grouped(const std::string& file, const std::string& column) {
  return {{"path", file}, {"label", std::string("kind")}, {"groups", column}};
}

const std::string table = "x,who,kind,y\n1,anna,a,2\n3, 01 ,b,4\n5,1,a,6\n7,01,b,8\n9,anna,b,10\n";

/// Rows of 12 people, each of whom has three to five of both classes.
std::string people() {
  std::string text = "x,who,kind\n";
  for (int i = 0; i < 48; ++i)
    text += std::to_string(i) + ",p" + std::to_string(i * 5 % 12) + "," +
            (i * 7 % 10 < 4 ? "a" : "b") + "\n";
  return text;
}

}  // namespace

TEST_CASE("csv: a column of groups is no value, by name and by number") {
  const TempFolder folder;
  const auto file = folder.write("t.csv", table);
  for (const char* column : {"who", "2", "-3"}) {
    TestContext context;
    const auto source = make_component<Source>("source/csv", grouped(file, column));
    CHECK(source->gives_groups());
    const auto data = open_checked(*source, context);
    CHECK(data->outline().columns == Texts{"x", "y"});
    // 01 and 1 are two groups, blanks around them do not count.
    CHECK(groups(*data) == Labels{0, 1, 2, 1, 0});
  }
  const auto without =
      make_component<Source>("source/csv", {{"path", file},
                                            {"label", std::string("kind")},
                                            {"ignore", std::vector<std::string>{"who"}}});
  CHECK(!without->gives_groups());
  TestContext context;
  CHECK(without->open(context)->groups().empty());
}

TEST_CASE("csv: test_fraction takes whole groups of all classes, unless it is by row") {
  const TempFolder folder;
  Parameters parameters = grouped(folder.write("t.csv", people()), "who");
  parameters.emplace_back("test_fraction", 0.25);
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/csv", parameters), context);
  const std::size_t train = data->outline().train_rows;
  const Labels all = groups(*data);
  const std::set<std::int32_t> trained(all.begin(), all.begin() + static_cast<long>(train));
  const std::set<std::int32_t> tested(all.begin() + static_cast<long>(train), all.end());
  CHECK(tested.size() == 3);
  for (const std::int32_t group : tested) CHECK(!trained.contains(group));
  // Groups go with their rows: that of row x is (5 x) mod 12.
  const FloatMatrix rows = all_rows(*data);
  std::map<std::int32_t, int> who;
  for (std::size_t i = 0; i < 48; ++i)
    CHECK(who.try_emplace(all[i], int(rows.values[i]) * 5 % 12).first->second ==
          int(rows.values[i]) * 5 % 12);
  for (const int count : class_counts(*data, train, 48 - train)) CHECK(count >= 3);
  CHECK(context.lines.empty());

  parameters.emplace_back("split_by", std::string("row"));
  const auto by_row = open_checked(*make_component<Source>("source/csv", parameters), context);
  CHECK(by_row->outline().test_rows == 12);
  const Labels mixed = groups(*by_row);
  const std::set<std::int32_t> held(mixed.begin() + 36, mixed.end());
  CHECK(held.size() > 3);
}

TEST_CASE("csv: rows of a group on both sides of a given split are reported") {
  const TempFolder folder;
  Parameters parameters = grouped(folder.write("t.csv", people()), "who");
  parameters.emplace_back("test_rows", std::int64_t{8});
  TestContext context;
  open_checked(*make_component<Source>("source/csv", parameters), context);
  REQUIRE(!context.lines.empty());
  CHECK(context.lines.front().find("8 of 12 groups with training rows have test rows as well") !=
        std::string::npos);
}

TEST_CASE("csv: rows to test on, and new data, need no groups") {
  const TempFolder folder;
  TestContext context;
  Parameters parameters = grouped(folder.write("t.csv", table), "who");
  parameters.emplace_back("test_path", folder.write("u.csv", "kind,y,x\na,20,10\nb,40,30\n"));
  CHECK(groups(*open_checked(*make_component<Source>("source/csv", parameters), context)) ==
        Labels{0, 1, 2, 1, 0, -1, -1});
  parameters.back().second = folder.write("v.csv", "who,kind,y,x\nnew,a,20,10\n1,b,40,30\n");
  const auto data = open_checked(*make_component<Source>("source/csv", parameters), context);
  CHECK(groups(*data) == Labels{0, 1, 2, 1, 0, 3, 2});
  CHECK(row_of(*data, 5) == Floats{10, 20});
  // They are read where there are some, since figures need them.
  const std::pair<const char*, std::int32_t> rows[] = {{"x,y\n10,20\n", -1},
                                                       {"y,x\n20,10\n", -1},
                                                       {"who,y,x\n,20,10\n", -1},
                                                       {"who,y,x\n\xff,20,10\n", 0},
                                                       {"x,who,kind,y\n10,what,a,20\n", 0}};
  for (const auto& row : rows) {
    CAPTURE(std::string(row.first));
    auto source =
        make_component<Source>("source/csv", grouped(folder.write("t.csv", table), "who"));
    source->apply_model(
        {folder.write("n.csv", row.first), Layout::vector(2), {"a", "b"}, {"x", "y"}});
    const auto fresh = source->open(context);
    CHECK(groups(*fresh) == Labels{row.second});
    CHECK(all_rows(*fresh).values == Floats{10, 20});
  }
}

TEST_CASE("csv: new data without a header may lack label and group, not one of them alone") {
  const TempFolder folder;
  const auto rows = [&](const std::string& column, const std::string& text, Labels read) {
    auto source =
        make_component<Source>("source/csv", {{"path", folder.write("t.csv", "1,2,9,0\n3,4,9,1\n")},
                                              {"groups", column},
                                              {"header", std::string("absent")}});
    source->apply_model({folder.write("n.csv", text), Layout::vector(2), {"0", "1"}, {}});
    TestContext context;
    const auto data = source->open(context);
    CHECK(groups(*data) == read);
    return all_rows(*data).values;
  };
  CHECK(rows("3", "1,2,9,0\n3,4,8,1\n5,6,9,1\n", {0, 1, 0}) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(rows("3", "1,2\n", {-1}) == Floats{1, 2});
  // The third of three columns may be either.
  CHECK_THROWS_WITH(rows("3", "1,2,0\n", {}),
                    (folder.path() + "/n.csv: line 1: has 3 columns, so that either the label or "
                                     "the group is missing, and nothing says which; give both or "
                                     "none, or the header that the training file had")
                        .c_str());
}

TEST_CASE("csv: a missing group, and a column with two roles, are refused with their place") {
  const TempFolder folder;
  const auto refused = [&](const std::string& value) {
    const auto file = folder.write("t.csv", "x,who,kind\n1,1,a\n2," + value + ",b\n");
    TestContext context;
    const std::string message =
        message_of(*make_component<Source>("source/csv", grouped(file, "who")), context);
    REQUIRE(message.starts_with(file + ": "));
    return message.substr(file.size() + 2);
  };
  for (const char* missing : {"", " ", "NA", "?"})
    CHECK(refused(missing) ==
          "line 3: the group in column 2 (who) is missing; fill it in, or remove the row");
  TestContext context;
  const auto file = folder.write("t.csv", table);
  CHECK(message_of(*make_component<Source>("source/csv", grouped(file, "kind")), context) ==
        file +
            ": line 1: 'groups' names column 3 (kind), which 'label' names as well; give each "
            "its own");
  CHECK_THROWS_WITH(
      make_component<Source>("source/csv", {{"path", file}, {"split_by", std::string("row")}})
          ->check_parameters(),
      "'split_by: row' says what becomes of groups, but the rows have none; set "
      "'groups' or remove it");
  Parameters one =
      grouped(folder.write("o.csv", "x,who,kind\n1,p,a\n2,p,b\n3,p,a\n4,p,b\n"), "who");
  one.emplace_back("test_fraction", 0.5);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/csv", one)->open(context),
      "'test_fraction' sets whole groups aside, but the rows are of 1 group, of which none can "
      "go; give rows of more groups, or set 'split_by: row'",
      Error);
}

TEST_CASE("arff and npy have groups as well") {
  const TempFolder folder;
  TestContext context;
  const auto arff = open_checked(
      *make_component<Source>(
          "source/arff",
          grouped(folder.write("t.arff",
                               "@relation t\n@attribute x numeric\n@attribute who string\n"
                               "@attribute kind {a,b}\n@data\n1,'p 1',a\n2,q,b\n3,'p 1',b\n"),
                  "who")),
      context);
  CHECK(groups(*arff) == Labels{0, 1, 0});
  CHECK(all_rows(*arff).values == Floats{1, 2, 3});
  const std::string shape = ", 'fortran_order': False, 'shape': (4,";
  const auto x = folder.write(
      "x.npy", npy("{'descr': '<f4'" + shape + " 1), }", bytes_of(Floats{1, 2, 3, 4})));
  const auto y = folder.write("y.npy", npy("{'descr': '<i4'" + shape + "), }",
                                           bytes_of(std::vector<std::int32_t>{0, 1, 0, 1})));
  const auto g = folder.write("g.npy", npy("{'descr': '<i8'" + shape + "), }",
                                           bytes_of(std::vector<std::int64_t>{7, 7, -2, 9})));
  const auto source =
      make_component<Source>("source/npy", {{"path", x}, {"label", y}, {"groups", g}});
  CHECK(source->gives_groups());
  CHECK(std::ranges::count(source->files(), g) == 1);
  CHECK(groups(*open_checked(*source, context)) == Labels{0, 0, 1, 2});
  // Three groups and a missing one.
  const auto s =
      folder.write("s.npy", npy("{'descr': '|S2'" + shape + "), }", std::string("p1p2p1\0\0", 8)));
  const std::string message = message_of(
      *make_component<Source>("source/npy", {{"path", x}, {"label", y}, {"groups", s}}), context);
  CHECK(message.starts_with(s + ": "));
  CHECK(message.ends_with("the group is missing; fill it in, or remove the row"));
}

}  // namespace row_groups_test
