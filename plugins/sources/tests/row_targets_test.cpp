// SPDX-License-Identifier: MIT
// Numbers to predict, from columns of a table or a separate file.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "rows/table_source.hpp"
#include "tests/sources_testing.hpp"

namespace row_targets_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
using Doubles = std::vector<double>;

Doubles targets(const Dataset& data) { return {data.targets().begin(), data.targets().end()}; }

Parameters with_target(const std::string& file, const Texts& columns) {
  return {{"path", file}, {"target", columns}};
}

std::unique_ptr<Source> csv(const std::string& file, const Texts& columns, Parameters more = {}) {
  for (const auto& parameter : with_target(file, columns)) more.push_back(parameter);
  return make_component<Source>("source/csv", more);
}

bool said(const TestContext& context, std::string_view text) {
  return std::ranges::any_of(
      context.lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

std::string refusal(const Source& source, const std::string& file) {
  TestContext context;
  const std::string message = message_of(source, context);
  if (!message.starts_with(file + ": ")) return message;
  return message.substr(file.size() + 2);
}

const std::string table = "size,price,rooms,age\n50,100.5,2,3\n70,1e-30,3,10\n90,-3000000000,1,0\n";
}  // namespace

TEST_CASE("csv: target columns are no values, by name and by number, and are not rounded") {
  const TempFolder folder;
  const auto file = folder.write("t.csv", table);
  for (const char* column : {"price", "2", "-3"}) {
    TestContext context;
    const auto source = csv(file, {column});
    CHECK(source->target_kind() == TargetKind::numbers);
    const auto data = open_checked(*source, context);
    CHECK(data->outline().targets == Texts{"price"});
    CHECK(data->outline().columns == Texts{"size", "rooms", "age"});
    CHECK(data->outline().classes.empty());
    CHECK(data->outline().train_rows == 3);
    CHECK(labels(*data) == Labels{-1, -1, -1});
    CHECK(targets(*data) == Doubles{100.5, 1e-30, -3e9});
    CHECK(row_of(*data, 2) == Floats{90, 1, 0});
  }
  const auto labelled =
      make_component<Source>("source/csv", {{"path", file}, {"label", std::string("rooms")}});
  CHECK(labelled->target_kind() == TargetKind::classes);
  TestContext context;
  const auto data = open_checked(*labelled, context);
  CHECK(data->targets().empty());
  CHECK(data->outline().targets.empty());
}

TEST_CASE("csv: several targets stand in the order in which they are named") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(*csv(folder.write("t.csv", table), {"age", "price"}), context);
  CHECK(data->outline().targets == Texts{"age", "price"});
  CHECK(targets(*data) == Doubles{3, 100.5, 10, 1e-30, 0, -3e9});
  CHECK(all_rows(*data).values == Floats{50, 2, 70, 3, 90, 1});
}

TEST_CASE("csv: without a header targets are numbered") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.csv", "1,2,0.25\n3,4,0.1\n");
  const auto one = open_checked(*csv(file, {"-1"}), context);
  CHECK(one->outline().targets == Texts{"target"});
  CHECK(targets(*one) == Doubles{0.25, 0.1});
  const auto two = open_checked(*csv(file, {"3", "1"}), context);
  CHECK(two->outline().targets == Texts{"target 1", "target 2"});
  CHECK(targets(*two) == Doubles{0.25, 1, 0.1, 3});
  CHECK(all_rows(*two).values == Floats{2, 4});
}

TEST_CASE("csv: targets in quotes, with a decimal comma, tied, and of a single row") {
  const TempFolder folder;
  TestContext context;
  const auto quoted =
      open_checked(*csv(folder.write("q.csv", "x;y\n1;\"2,5\"\n2;\"2,5\"\n3; -,5\n"), {"y"},
                        {{"decimal", std::string("comma")}}),
                   context);
  CHECK(targets(*quoted) == Doubles{2.5, 2.5, -0.5});
  const auto one = open_checked(*csv(folder.write("o.csv", "x,y\n1,7\n"), {"y"}), context);
  CHECK(targets(*one) == Doubles{7});
  CHECK(one->outline().train_rows == 1);
  const auto truth =
      open_checked(*csv(folder.write("b.csv", "x,y\n1,True\n2,False\n"), {"y"}), context);
  CHECK(targets(*truth) == Doubles{1, 0});
}

TEST_CASE("csv: the first line names the columns, or is a row, by its targets as well") {
  const TempFolder folder;
  TestContext context;
  const auto names = csv(folder.write("n.csv", "0,1,price\n4,5,6\n"), {"-1"});
  CHECK(refusal(*names, folder.path() + "/n.csv")
            .starts_with("line 1: column 3 is 'price', not a "
                         "number, though other columns are"));
  // Of categories and a target, the target tells.
  const auto categories = open_checked(*csv(folder.write("c.csv", "red,1.5\nblue,2\nred,3\n"),
                                            {"-1"}, {{"categorical", Texts{"1"}}}),
                                       context);
  CHECK(targets(*categories) == Doubles{1.5, 2, 3});
  const auto header = open_checked(*csv(folder.write("h.csv", "color,price\nred,1.5\nblue,2\n"),
                                        {"-1"}, {{"categorical", Texts{"1"}}}),
                                   context);
  CHECK(header->outline().targets == Texts{"price"});
  CHECK(targets(*header) == Doubles{1.5, 2});
  // As pandas writes it, with an index.
  const auto indexed =
      open_checked(*csv(folder.write("p.csv", ",a,y\n0,5,1\n1,6,2\n"), {"y"}), context);
  CHECK(indexed->name(1) == "1");
  CHECK(targets(*indexed) == Doubles{1, 2});
  CHECK(all_rows(*indexed).values == Floats{5, 6});
}

TEST_CASE("csv: targets, weights, groups and names go with their rows wherever these are put") {
  const TempFolder folder;
  std::string text = "id,x,y,w,g\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    text += "r" + n + "," + n + "," + std::to_string(i * 37 % 60) + ".25," + n + ".5," +
            std::to_string(i / 6) + "\n";
  }
  const auto file = folder.write("t.csv", text);
  const auto open = [&](Parameters more) {
    for (const char* column : {"id", "weight", "groups"})
      more.emplace_back(column, std::string(column, column + (column[0] == 'i' ? 2 : 1)));
    more.emplace_back("test_fraction", 0.4);
    TestContext context;
    const auto data = open_checked(*csv(file, {"y"}, more), context);
    const FloatMatrix rows = all_rows(*data);
    for (std::size_t i = 0; i < 60; ++i) {
      const auto x = static_cast<int>(rows.values[i]);
      CHECK(data->targets()[i] == x * 37 % 60 + 0.25);
      CHECK(data->weights()[i] == x + 0.5);
      CHECK(data->groups()[i] == x / 6);
      CHECK(data->name(i) == "r" + std::to_string(x));
    }
    CHECK(data->outline().train_rows == 36);
    return open_checked(*csv(file, {"y"}, more), context);
  };
  const auto grouped = open({});
  for (std::size_t i = 36; i < 60; ++i)
    CHECK(std::ranges::count(grouped->groups().first(36), grouped->groups()[i]) == 0);
  // Evenly over the targets: one of every two or three that follow each other is for testing.
  const auto even = open({{"split_by", std::string("row")}});
  Doubles tested(even->targets().begin() + 36, even->targets().end());
  std::ranges::sort(tested);
  for (std::size_t k = 1; k < 24; ++k) CHECK(tested[k] - tested[k - 1] <= 5);
}

TEST_CASE("csv: a share for testing is drawn evenly over the targets, by the seed") {
  const TempFolder folder;
  std::string text = "x,y\n";
  for (int i = 0; i < 200; ++i)
    text += std::to_string(i) + "," + std::to_string(std::exp(i / 20.0)) + "\n";
  check_seeded(*csv(folder.write("t.csv", text), {"y"}, {{"test_fraction", 0.3}}));
  sources::RowTargets numbers{{"y"}, Doubles(101)};
  std::iota(numbers.values.begin(), numbers.values.end(), 0);
  numbers.values[7] = sources::unknown_target;
  std::vector<int> drawn(101);
  for (const double fraction : {0.0, 0.1, 0.25, 0.5, 0.55, 0.8, 0.99, 0.999}) {
    CAPTURE(fraction);
    std::ranges::fill(drawn, 0);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const auto split = sources::quantile_split(numbers, fraction, Random(seed));
      const auto wanted =
          std::min<std::size_t>(static_cast<std::size_t>(std::llround(fraction * 100)), 99);
      REQUIRE(split.test_rows == wanted);
      REQUIRE(split.train_rows + split.test_rows == 101);
      const std::span order(split.order);
      CHECK(std::ranges::is_sorted(order.first(split.train_rows)));
      CHECK(std::ranges::is_sorted(order.subspan(split.train_rows)));
      for (const std::size_t row : order.subspan(split.train_rows)) ++drawn[row];
    }
    CHECK(drawn[7] == 0);
    // Five standard deviations of a binomial variable.
    const double mean = 400 * std::min(fraction, 0.99);
    for (std::size_t row = 0; row < 101; ++row)
      if (row != 7)
        CHECK(std::abs(drawn[row] - mean) <= 5 * std::sqrt(mean * (1 - mean / 400)) + 1e-9);
  }
}

TEST_CASE("csv: what is no target is refused with its place and a remedy") {
  const TempFolder folder;
  const auto refused = [&](const std::string& value) {
    const auto file = folder.write("t.csv", "x,y\n1,1\n2," + value + "\n");
    return refusal(*csv(file, {"y"}), file);
  };
  const std::string start = "line 3: the target in column 2 (y) ";
  const std::string missing =
      start + "is missing; fill it in, or set 'missing_labels: drop' to drop such rows";
  CHECK(refused("") == missing);
  CHECK(refused("NA") == missing);
  CHECK(refused("nan") == missing);
  CHECK(refused("inf") == start +
                              "is 'inf', which is not finite; correct it, or read classes instead "
                              "if these are names");
  CHECK(refused("1e39").starts_with(start + "is '1e39', which is too large for float32; "));
  CHECK(refused("dear") == start +
                               "is 'dear', which is not a number; correct it, or read classes "
                               "instead if these are names");
  CHECK(refused("2024-05-31")
            .starts_with(start + "is '2024-05-31', which is not a number; "
                                 "name a column of dates in 'dates'"));
  CHECK(refused("1,5").starts_with("line 3: has 3 fields, but line 1 has 2"));
  CHECK(refused("$5") ==
        start + "is '$5', which is not a number; write the number without its unit");
}

TEST_CASE("csv: columns that cannot be targets") {
  const TempFolder folder;
  const auto file = folder.write("t.csv", table);
  const auto refused = [&](const Texts& columns, Parameters more = {}) {
    return refusal(*csv(file, columns, more), file);
  };
  CHECK(refused({"prize"}) ==
        "line 1: no column 'prize' for 'target'; columns are: size, price, rooms, age");
  CHECK(refused({"price", "2"}) ==
        "line 1: 'target' names column 2 (price), which 'target' names as well; give each its own");
  CHECK(refused({"age"}, {{"weight", std::string("age")}}) ==
        "line 1: 'weight' names column 4 (age), which 'target' names as well; give each its own");
  CHECK(refused({"age"}, {{"columns", Texts{"size", "age"}}}) ==
        "line 1: 'columns' names column 4 (age), which 'target' names as well; remove it from one "
        "of the two");
  CHECK(refused({"age"}, {{"id", std::string("age")}}) ==
        "line 1: 'target' names column 4 (age), which 'id' names as well; give each its own");
  CHECK(refused({"size", "price", "rooms", "age"}) ==
        "line 1: no column with values is left; check 'separator', 'target', 'id' and 'ignore'");
  CHECK_THROWS_WITH(csv(file, {"age"}, {{"label", std::string("rooms")}}),
                    "'label' names a class and 'target' numbers to predict, but rows have one of "
                    "the two; remove one");
  CHECK_NOTHROW(csv(file, {"age"}, {{"label", std::string("none")}}));
  CHECK_THROWS_WITH(csv(file, {"age"}, {{"test_class_fraction", 0.5}}),
                    "'test_class_fraction' sets classes aside, but the target is numbers; set "
                    "'test_fraction'");
  CHECK_THROWS_WITH(csv(file, {"age"}, {{"missing_labels", std::string("classes")}}),
                    "'missing_labels: classes' makes names of classes of missing labels, but the "
                    "target is numbers; set 'missing_labels: drop' to drop rows without a target");
}

TEST_CASE("csv: rows without a target are dropped if that is wanted") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.csv", "x,y,z\n1,NA,1\n2,5,2\n3,,3\n4,7,?\n5,9,5\n");
  const Parameters drop = {{"missing_labels", std::string("drop")}};
  const auto data = open_checked(*csv(file, {"y", "z"}, drop), context);
  CHECK(targets(*data) == Doubles{5, 2, 9, 5});
  CHECK(all_rows(*data).values == Floats{2, 5});
  CHECK(data->number(1) == 4);
  CHECK(said(context, "dropped by 'missing_labels: drop': 3 of 5 rows"));
  const auto none = folder.write("n.csv", "x,y\n1,NA\n2,\n");
  CHECK(refusal(*csv(none, {"y"}, drop), none) ==
        "no row has all its targets, and 'missing_labels: drop' drops those without; check "
        "'target'");
}

TEST_CASE("csv: targets that float32 cannot distinguish") {
  const TempFolder folder;
  const auto close = folder.write("t.csv", "x,y\n1,1000000000.1\n2,1000000000.4\n3,1000000000.2\n");
  CHECK(refusal(*csv(close, {"y"}), close) ==
        "the values in the target column 2 (y) differ by 0.3, but would be rounded by up to 0.4, "
        "since float32 has 24 bits; subtract a constant, such as 1000000000.1, from the column "
        "first");
  const auto tiny = folder.write("u.csv", "x,y\n1,1e-46\n2,3e-46\n");
  CHECK(refusal(*csv(tiny, {"y"}), tiny).find("multiply the column by a constant") !=
        std::string::npos);
  TestContext context;
  const auto whole = folder.write("w.csv", "x,y\n1,16777217\n2,26777219\n");
  CHECK(targets(*open_checked(*csv(whole, {"y"}), context)) == Doubles{16777217, 26777219});
  CHECK(said(context, "integers in the target column 2 (y) are rounded by up to 1"));
}

TEST_CASE("csv: a second file needs its targets") {
  const TempFolder folder;
  TestContext context;
  const auto open = [&](const std::string& second) {
    return csv(folder.write("t.csv", table), {"2"}, {{"test_path", folder.write("u.csv", second)}});
  };
  const auto data = open_checked(*open("price,age,rooms,size\n7,1,2,3\n"), context);
  CHECK(targets(*data) == Doubles{100.5, 1e-30, -3e9, 7});
  CHECK(row_of(*data, 3) == Floats{3, 2, 1});
  CHECK(data->outline().test_rows == 1);
  CHECK(refusal(*open("age,rooms,size\n1,2,3\n"), folder.path() + "/u.csv") ==
        "line 1: lacks the target's column 'price', which the training file has; add "
        "it");
}

TEST_CASE("csv: new data may lack the targets, or some of them") {
  const TempFolder folder;
  TestContext context;
  const auto read = [&](const std::string& text, const Texts& wanted, const Texts& columns = {}) {
    auto source = csv(folder.write("t.csv", table), columns.empty() ? wanted : columns);
    NewData data{folder.write("n.csv", text), Layout::vector(4 - wanted.size()), {}, {}};
    for (const char* name : {"size", "price", "rooms", "age"})
      if (std::ranges::count(wanted, name) == 0) data.columns.emplace_back(name);
    data.targets = wanted;
    source->apply_model(data);
    auto rows = source->open(context);
    CHECK(rows->outline().targets == wanted);
    CHECK(rows->outline().train_rows == 0);
    REQUIRE(rows->targets().size() == wanted.size() * rows->outline().rows());
    return rows;
  };
  const auto with = read("age,price,size,rooms\n1,2.5,3,4\n5,,7,8\n", {"price"});
  CHECK(all_rows(*with).values == Floats{3, 4, 1, 7, 8, 5});
  CHECK(with->targets()[0] == 2.5);
  CHECK(std::isnan(with->targets()[1]));
  const auto without = read("age,size,rooms\n1,3,4\n", {"price"});
  CHECK(all_rows(*without).values == Floats{3, 4, 1});
  CHECK(std::isnan(without->targets()[0]));
  const auto some = read("rooms,age,size\n4,9,3\n", {"price", "age"});
  CHECK(all_rows(*some).values == Floats{3, 4});
  CHECK(std::isnan(some->targets()[0]));
  CHECK(some->targets()[1] == 9);
  // By position: all targets or none.
  const auto placed = read("1,2,3,4\n", {"price"}, {"2"});
  CHECK(all_rows(*placed).values == Floats{1, 3, 4});
  CHECK(placed->targets()[0] == 2);
  const auto bare = read("1,3,4\n", {"price"}, {"2"});
  CHECK(all_rows(*bare).values == Floats{1, 3, 4});
  CHECK(std::isnan(bare->targets()[0]));
}

TEST_CASE("arff: attributes to predict") {
  const TempFolder folder;
  const std::string header =
      "@relation r\n@attribute x numeric\n@attribute y real\n@attribute kind {a,b}\n@data\n";
  TestContext context;
  const auto read = [](const std::string& file, const Texts& columns) {
    return make_component<Source>("source/arff", with_target(file, columns));
  };
  const auto file = folder.write("t.arff", header + "1,0.5,a\n2,-3e-7,b\n{1 4}\n");
  const auto source = read(file, {"y"});
  CHECK(source->target_kind() == TargetKind::numbers);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().targets == Texts{"y"});
  CHECK(targets(*data) == Doubles{0.5, -3e-7, 4});
  CHECK(all_rows(*data).values == Floats{1, 1, 0, 2, 0, 1, 0, 1, 0});
  const auto missing = folder.write("m.arff", header + "1,?,a\n");
  CHECK(refusal(*read(missing, {"y"}), missing) ==
        "line 6: the target in column 2 (y) is missing; fill it in, or set 'missing_labels: drop' "
        "to drop such rows");
  CHECK(refusal(*read(file, {"kind"}), file) ==
        "line 4: the attribute 'kind' is nominal, and a target must be numeric; name it in 'label' "
        "if it is the class");
}

}  // namespace row_targets_test
