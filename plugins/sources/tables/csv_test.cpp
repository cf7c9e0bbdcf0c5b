// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "tests/sources_testing.hpp"

namespace csv_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE(
    "a plain table: comma, label last, classes by value, CRLF, empty lines, no last newline") {
  const TempFolder folder;
  const auto file = folder.write("a.csv", "1,2,10\r\n\r\n3,+4e0,9\r\n-5,.5,10");
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/csv", {{"path", file}}), context);
  CHECK(data->outline().layout == Layout::vector(2));
  CHECK(data->outline().classes == Texts{"9", "10"});
  CHECK(labels(*data) == Labels{1, 0, 1});
  CHECK(all_rows(*data).values == Floats{1, 2, 3, 4, -5, 0.5f});
  CHECK(data->outline().train_rows == 3);
}

TEST_CASE("compressed files are read by the plain name and by their own") {
  const TempFolder folder;
  for (const char* suffix : {".gz", ".xz", ".bz2", ".zst"}) {
    CAPTURE(std::string(suffix));
    const TempFolder own;
    const auto file = own.write(std::string("t.csv") + suffix, "1 2 a\n3 4 b\n");
    TestContext context;
    const auto source = make_component<Source>("source/csv", {{"path", own.path() + "/t.csv"}});
    CHECK(source->files() == Texts{file});
    CHECK(all_rows(*open_checked(*source, context)).values == Floats{1, 2, 3, 4});
    CHECK(all_rows(*make_component<Source>("source/csv", {{"path", file}})->open(context)).values ==
          Floats{1, 2, 3, 4});
  }
}

TEST_CASE("header, named columns, quotes, a byte order mark and ignored columns") {
  const TempFolder folder;
  const auto file = folder.write("a.csv",
                                 "\xef\xbb\xbfid;\"the kind\";x;y\n"
                                 "a1;\"big; \"\"very\"\"\";1;\"2\"\nb2;small;3;4\n");
  TestContext context;
  const auto by_name = make_component<Source>(
      "source/csv", {{"path", file}, {"label", std::string("the kind")}, {"ignore", Texts{"id"}}});
  const auto by_number = make_component<Source>(
      "source/csv", {{"path", file}, {"label", std::string("2")}, {"ignore", Texts{"-4"}}});
  for (const Source* source : {by_name.get(), by_number.get()}) {
    const auto data = open_checked(*source, context);
    CHECK(data->outline().classes == Texts{"big; \"very\"", "small"});
    CHECK(all_rows(*data).values == Floats{1, 2, 3, 4});
  }
}

TEST_CASE("blank-separated with the label first, and labels written as +1.0") {
  const TempFolder folder;
  const auto file = folder.write("a.txt", "  -1.0   0.5\t2 \n+1.0 1 2\n1 3 4\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>(
          "source/csv",
          {{"path", file}, {"label", std::string("1")}, {"separator", std::string("blank")}}),
      context);
  CHECK(data->outline().classes == Texts{"-1", "1"});
  CHECK(labels(*data) == Labels{0, 1, 1});
}

TEST_CASE("test rows from the end, from a second file, or all") {
  const TempFolder folder;
  const auto file = folder.write("a.csv", "1,a\n2,b\n3,a\n4,b\n");
  const auto second = folder.write("b.csv", "5,b\n");
  TestContext context;
  const auto last = open_checked(
      *make_component<Source>("source/csv", {{"path", file}, {"test_rows", std::int64_t{2}}}),
      context);
  CHECK(last->outline().train_rows == 2);
  CHECK(last->outline().test_rows == 2);
  const auto two = open_checked(
      *make_component<Source>("source/csv", {{"path", file}, {"test_path", second}}), context);
  CHECK(two->outline().train_rows == 4);
  CHECK(two->outline().test_rows == 1);
  CHECK(labels(*two).back() == 1);
  const auto all = open_checked(
      *make_component<Source>("source/csv", {{"path", file}, {"role", std::string("test")}}),
      context);
  CHECK(all->outline().train_rows == 0);
  CHECK(all->outline().test_rows == 4);
}

TEST_CASE("without labels rows are for training") {
  const TempFolder folder;
  const auto file = folder.write("a.csv", "1,2\n3,4\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/csv", {{"path", file}, {"label", std::string("none")}}),
      context);
  CHECK(data->outline().classes.empty());
  CHECK(data->outline().train_rows == 2);
  CHECK(data->outline().layout == Layout::vector(2));
  CHECK(labels(*data) == Labels{-1, -1});
}

TEST_CASE("a stratified split takes its share of each class, by the seed") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + (i < 20 ? ",rare\n" : ",usual\n");
  text += "100,single\n";
  const auto source = make_component<Source>(
      "source/csv", {{"path", folder.write("a.csv", text)}, {"test_fraction", 0.25}});
  TestContext context;
  const auto data = open_checked(*source, context);
  CHECK(data->outline().test_rows == 25);
  CHECK(class_counts(*data, 76, 25) == std::vector<int>{5, 0, 20});
  const auto rows = all_rows(*data).values;
  CHECK(std::is_sorted(rows.begin(), rows.begin() + 76));
  CHECK(std::is_sorted(rows.begin() + 76, rows.end()));
  auto sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(sorted[i] == float(i));
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(data->outline().classes[data->labels()[i]] == (rows[i] == 100 ? "single"
                                                         : rows[i] < 20 ? "rare"
                                                                        : "usual"));
  check_seeded(*source);
}

TEST_CASE("parameters that exclude each other are refused") {
  const Value a = std::string("a"), b = std::string("b");
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/csv", {{"path", a}, {"test_path", b}, {"test_fraction", 0.5}}),
      doctest::Contains("only one of"), Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/csv", {{"path", a},
                                                             {"role", std::string("test")},
                                                             {"test_rows", std::int64_t{3}}}),
                       doctest::Contains("all rows are for testing"), Error);
}

TEST_CASE("whole classes can be set aside for testing") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i) + "," + std::string(1, static_cast<char>('a' + i % 8)) + "\n";
  TestContext context(1, 4), other(1, 5);
  const auto source = make_component<Source>(
      "source/csv", {{"path", folder.write("a.csv", text)}, {"test_class_fraction", 0.25}});
  const auto data = source->open(context);
  REQUIRE(data->outline().train_rows == 30);
  REQUIRE(data->outline().test_rows == 10);
  CHECK(data->outline().classes.size() == 8);
  std::set<std::int32_t> trained(data->labels().begin(), data->labels().begin() + 30);
  std::set<std::int32_t> tested(data->labels().begin() + 30, data->labels().end());
  CHECK(trained.size() == 6);
  CHECK(tested.size() == 2);
  for (const std::int32_t label : tested) CHECK(!trained.contains(label));
  FloatMatrix rows(40, 1);
  data->read(0, rows.view());
  CHECK(std::is_sorted(rows.values.begin(), rows.values.begin() + 30));
  for (std::size_t i = 0; i < 40; ++i)
    CHECK(static_cast<int>(rows.values[i]) % 8 == data->labels()[i]);
  const auto again = source->open(other);
  CHECK(std::set<std::int32_t>(again->labels().begin() + 30, again->labels().end()) != tested);
}

TEST_CASE("test rows of unseen classes are allowed where it is said") {
  const TempFolder folder;
  const std::string a = folder.write("a.csv", "1,x\n2,y\n"), b = folder.write("b.csv", "3,z\n");
  TestContext context;
  CHECK_THROWS_AS(
      make_component<Source>("source/csv", {{"path", a}, {"test_path", b}})->open(context),
      DataError);
  const auto data = make_component<Source>(
                        "source/csv", {{"path", a}, {"test_path", b}, {"new_test_classes", true}})
                        ->open(context);
  CHECK(data->outline().classes == std::vector<std::string>{"x", "y", "z"});
  CHECK(data->labels()[2] == 2);
}

TEST_CASE("the real tables have the shapes that are known") {
  const std::string data = real_data();
  if (data.empty()) return;
  struct Known {
    const char* path;
    const char* label;
    std::size_t cols;
    std::vector<int> counts;
    Texts ignore = {};
  };
  const std::vector<Known> known = {
      {"banana/banana.csv", "-1", 2, {2924, 2376}},
      {"german/german.data-numeric", "-1", 24, {700, 300}},
      {"heart/heart.dat", "-1", 13, {150, 120}},
      {"ionosphere/ionosphere.data", "-1", 34, {126, 225}},
      {"liver/bupa.data", "7", 6, {145, 200}},
      {"pima/pima-indians-diabetes.data", "-1", 8, {500, 268}},
      {"ringnorm/ringnorm.csv", "-1", 20, {3664, 3736}},
      {"sonar/sonar.all-data", "-1", 60, {111, 97}},
      {"spambase/spambase.data", "-1", 57, {2788, 1813}},
      {"wdbc/wdbc.data", "2", 30, {357, 212}, {"1"}},
      {"covtype/covtype.first20000.data", "-1", 54, {2942, 6022, 2160, 2160, 2396, 2160, 2160}},
  };
  TestContext context;
  for (const auto& k : known) {
    CAPTURE(std::string(k.path));
    const auto set = make_component<Source>("source/csv", {{"path", data + "/" + k.path},
                                                           {"label", std::string(k.label)},
                                                           {"ignore", k.ignore}})
                         ->open(context);
    CHECK(set->outline().layout == Layout::vector(k.cols));
    CHECK(class_counts(*set, 0, set->outline().rows()) == k.counts);
  }
}

TEST_CASE("LETTER and USPS are split as in the papers") {
  const std::string data = real_data();
  if (data.empty()) return;
  TestContext context;
  const auto letter =
      make_component<Source>("source/csv", {{"path", data + "/letter/letter-recognition.data"},
                                            {"label", std::string("1")},
                                            {"test_rows", std::int64_t{4000}}})
          ->open(context);
  CHECK(letter->outline().layout == Layout::vector(16));
  CHECK(letter->outline().train_rows == 16000);
  CHECK(letter->outline().classes.size() == 26);
  CHECK(letter->outline().classes.front() == "A");
  const auto usps = make_component<Source>("source/csv", {{"path", data + "/usps/zip.train"},
                                                          {"test_path", data + "/usps/zip.test"},
                                                          {"label", std::string("1")}})
                        ->open(context);
  CHECK(usps->outline().layout == Layout::vector(256));
  CHECK(class_counts(*usps, 0, 7291) ==
        std::vector<int>{1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644});
  CHECK(class_counts(*usps, 7291, 2007) ==
        std::vector<int>{359, 264, 198, 166, 200, 160, 170, 147, 166, 177});
}

}  // namespace csv_test
