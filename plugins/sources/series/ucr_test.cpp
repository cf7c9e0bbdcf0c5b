// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "series/series_rows.hpp"
#include "tests/sources_testing.hpp"

namespace ucr_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

Value text(const std::string& t) { return t; }

const std::string ts_tags =
    "#comment\n@problemName Two\n@timeStamps false\n@univariate false\n@dimensions 2\n"
    "@equalLength false\n@classLabel true b a\n@data\n";

std::vector<Floats> normalised_rows(const Dataset& data) {
  std::vector<Floats> rows;
  const FloatMatrix all = all_rows(data);
  for (std::size_t i = 0; i < all.rows; ++i) {
    const auto row = all.view().row_span(i);
    double sum = 0, squares = 0;
    for (const float x : row) sum += x;
    const double mean = sum / double(row.size());
    for (const float x : row) squares += (x - mean) * (x - mean);
    const double deviation = std::sqrt(squares / double(row.size()));
    rows.emplace_back();
    for (const float x : row) rows.back().push_back(float((x - mean) / (deviation + 1e-30)));
  }
  return rows;
}

/// The error of the nearest training series by Euclidean distance; all have equal length.
double euclidean_error(const Dataset& data) {
  const auto rows = normalised_rows(data);
  const std::size_t train = data.outline().train_rows;
  std::size_t wrong = 0;
  for (std::size_t i = train; i < rows.size(); ++i) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < train; ++j) {
      double sum = 0;
      for (std::size_t t = 0; t < rows[i].size(); ++t)
        sum += (double{rows[i][t]} - rows[j][t]) * (double{rows[i][t]} - rows[j][t]);
      if (sum < least) least = sum, nearest = j;
    }
    wrong += data.labels()[i] != data.labels()[nearest];
  }
  return double(wrong) / double(rows.size() - train);
}

}  // namespace

TEST_CASE("a folder of the archive: training and test file, series that end early") {
  const TempFolder folder;
  folder.write("Small/Small_TRAIN.tsv", "2\t1\t2\t3.5\n1\t-4\t5e-1\tNaN\n\n");
  folder.write("Small/Small_TEST.tsv.xz", "2.0\t7\tNaN\tNaN\r\n1\t8\t9\t10\n");
  for (const char* name : {"/Small", "/Small/"}) {
    TestContext context;
    const auto data = open_checked(
        *make_component<Source>("source/ucr", {{"path", folder.path() + name}}), context);
    CHECK(data->outline().layout == Layout::sequence(3, 1));
    CHECK(data->outline().train_rows == 2);
    CHECK(data->outline().test_rows == 2);
    CHECK(data->outline().classes == Texts{"1", "2"});
    CHECK(labels(*data) == Labels{1, 0, 1, 0});
    CHECK(row_of(*data, 0) == Floats{1, 2, 3.5});
    CHECK(row_of(*data, 1) == Floats{-4, 0.5});
    CHECK(row_of(*data, 2) == Floats{7});
    CHECK(row_of(*data, 3) == Floats{8, 9, 10});
    CHECK(data->number(3) == 3);
  }
}

TEST_CASE("the .ts format: channels of a step next to each other, lengths that differ") {
  const TempFolder folder;
  const auto file = folder.write("two.ts.gz", ts_tags + "1,2,3:4,5,6:a\n7 , 8:9,?:b\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>(
          "source/ucr",
          {{"path", file}, {"missing", text("interpolate")}, {"longest", std::int64_t{5}}}),
      context);
  CHECK(data->outline().layout == Layout::sequence(5, 2));
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(labels(*data) == Labels{0, 1});
  CHECK(row_of(*data, 0) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(row_of(*data, 1) == Floats{7, 9, 8, 9});  // in .ts lengths are exact
  REQUIRE(context.lines.size() == 2);             // of outline() and open()
  CHECK(context.lines[0] == file + ": missing values interpolated: 1, in 1 series");
}

TEST_CASE("the .arff format: a numeric attribute a step") {
  const TempFolder folder;
  const auto file = folder.write(
      "flat.arff",
      "% comment\n@RELATION Flat\n\n@attribute 'att 0' numeric\n@attribute att1 REAL\n"
      "@attribute att2 real\n@attribute target {'one',two}\n\n@data\n1,2,3,one\n4,5,?,'two'\n");
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/ucr", {{"path", file}}), context);
  CHECK(data->outline().layout == Layout::sequence(3, 1));
  CHECK(data->outline().classes == Texts{"one", "two"});
  CHECK(row_of(*data, 0) == Floats{1, 2, 3});
  CHECK(row_of(*data, 1) == Floats{4, 5});
}

TEST_CASE("the .arff format: one relational attribute with the channels") {
  const TempFolder folder;
  const auto file = folder.write(
      "deep.arff",
      "@relation Deep\n@attribute bag relational\n@attribute t1 numeric\n@attribute t2 numeric\n"
      "@end bag\n@attribute class {0,1}\n@data\n\"1,2\\n3,4\",0\n'5,?\\n6,?',1\n");
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/ucr", {{"path", file}}), context);
  CHECK(data->outline().layout == Layout::sequence(2, 2));
  CHECK(row_of(*data, 0) == Floats{1, 3, 2, 4});
  CHECK(row_of(*data, 1) == Floats{5, 6});
}

TEST_CASE("missing values are retained, if wanted, but not what only pads a line") {
  const TempFolder folder;
  const auto tags = std::string("@timeStamps false\n@classLabel true a b\n@data\n");
  const auto ts = folder.write("gaps.ts", tags + "?,2,3:?,NaN,?:a\n4,5:6,?:b\n");
  const auto tsv = folder.write("gaps.tsv", "a\tNaN\t2\tNaN\t4\tNaN\tNaN\nb\t1\t2\n");
  TestContext context;
  const auto kept = [&](const std::string& file) {
    const auto source =
        make_component<Source>("source/ucr", {{"path", file}, {"missing", text("keep")}});
    CHECK(source->keeps_missing());
    return source->open(context);
  };
  const auto check = [](Floats found, const Floats& expected) {  // -1: missing
    for (float& x : found)
      if (std::isnan(x)) x = -1;
    CHECK(found == expected);
  };
  const auto channels = kept(ts), one = kept(tsv);
  check(row_of(*channels, 0), {-1, -1, 2, -1, 3, -1});
  check(row_of(*channels, 1), {4, 6, 5, -1});
  check(row_of(*one, 0), {-1, 2, -1, 4});
  check(row_of(*one, 1), {1, 2});
  CHECK(context.lines.empty());
  CHECK(!make_component<Source>("source/ucr", {{"path", ts}})->keeps_missing());
}

TEST_CASE("missing values are filled linearly, those at the ends by the nearest value") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Floats inner = {nan, 1, nan, nan, 4, nan};
  CHECK(interpolate_missing(inner));
  CHECK(inner == Floats{1, 1, 2, 3, 4, 4});
  Floats one = {nan, 7};
  CHECK(interpolate_missing(one));
  CHECK(one == Floats{7, 7});
  Floats none = {nan, nan};
  CHECK(!interpolate_missing(none));
  Floats whole = {1, 2};
  CHECK(interpolate_missing(whole));
  CHECK(whole == Floats{1, 2});
}

TEST_CASE("a series that float32 cannot hold at its own level is refused, with its line") {
  const TempFolder folder;
  TestContext context;
  // The channel's spread is large, which says nothing about the precision of one series.
  std::string near = "1", far = "2", rounded = "2";
  for (int t = 0; t < 20; ++t) {
    near += "\t" + std::to_string(100 + t % 2);
    far += "\t" + std::to_string(30000000 + t % 2);
    rounded += "\t" + std::to_string(3000 + 0.007 * (t % 2));
  }
  const auto bad = folder.write("bad.tsv", near + "\n" + far + "\n");
  check_message(
      message_of(*make_component<Source>("source/ucr", {{"path", text(bad)}}), context), bad,
      "line 2: the values of the series differ by 1, but would be rounded by up to 1, since "
      "float32 has 24 bits; subtract a constant, such as 30000000, from it first");
  CHECK(context.lines.empty());
  const auto coarse = folder.write("coarse.tsv", near + "\n" + rounded + "\n" + near + "\n");
  make_component<Source>("source/ucr", {{"path", text(coarse)}})->open(context);
  REQUIRE(context.lines.size() == 1);
  CHECK(
      context.lines[0].find("the values of 1 series are rounded by more than a thousandth of what "
                            "they differ by, first in line 2") != std::string::npos);
  // A constant series has nothing to lose.
  const auto constant = folder.write("constant.tsv", near + "\n2\t30000001\t30000001\n");
  context.lines.clear();
  make_component<Source>("source/ucr", {{"path", text(constant)}})->open(context);
  for (const std::string& line : context.lines)
    CHECK(line.find("series are rounded") == std::string::npos);
}

TEST_CASE("rows are set aside as those of any table") {
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 40; ++i)
    lines += std::to_string(i % 2) + "\t" + std::to_string(i) + "\t" + std::to_string(i + 1) +
             (i % 4 ? "\t3\n" : "\n");
  const auto file = folder.write("all.tsv", lines);
  const auto source =
      make_component<Source>("source/ucr", {{"path", file}, {"test_fraction", 0.1}});
  TestContext context;
  const auto data = open_checked(*source, context);
  CHECK(class_counts(*data, 36, 4) == std::vector<int>{2, 2});
  for (std::size_t i = 0; i < 40; ++i) {
    const auto number = static_cast<int>(data->number(i));
    CHECK(row_of(*data, i)[0] == float(number));
    CHECK(row_of(*data, i).size() == (number % 4 ? 3 : 2));
  }
  check_seeded(*source);
}

namespace {

/// The first value of each series, of training and of test series.
std::array<std::multiset<float>, 2> first_values(const Dataset& data) {
  std::array<std::multiset<float>, 2> values;
  const std::size_t train = data.outline().train_rows;
  for (std::size_t i = 0; i < data.outline().rows(); ++i)
    values[i < train ? 0 : 1].insert(row_of(data, i)[0]);
  return values;
}

}  // namespace

TEST_CASE("resampled series: of both files, as many of each class for training") {
  const TempFolder folder;
  std::array<std::string, 2> lines;
  for (int i = 0; i < 60; ++i)
    lines[i < 20 ? 0 : 1] +=
        std::to_string(i % 5 == 0) + "\t" + std::to_string(i) + "\t" + std::to_string(-i) + "\n";
  const auto train = folder.write("Some/Some_TRAIN.tsv", lines[0]);
  const auto test = folder.write("Some/Some_TEST.tsv", lines[1]);
  const Parameters of_folder = {{"path", folder.path() + "/Some"}, {"resample", true}};
  const Parameters of_files = {{"path", train}, {"test_path", test}, {"resample", true}};
  for (const auto& parameters : {of_folder, of_files}) {
    const auto source = make_component<Source>("source/ucr", parameters);
    TestContext context(1, 5);
    const auto data = open_checked(*source, context);
    CHECK(class_counts(*data, 20, 40) == std::vector<int>{32, 8});
    CHECK(class_counts(*data, 0, 20) == std::vector<int>{16, 4});
    CHECK(data->outline().numbered_rows == 60);
    const auto [trained, tested] = first_values(*data);
    CHECK(*trained.rbegin() >= 20);
    CHECK(*tested.begin() < 20);
    for (int i = 0; i < 60; ++i) CHECK(trained.count(float(i)) + tested.count(float(i)) == 1);
    for (std::size_t i = 0; i < 60; ++i) CHECK(row_of(*data, i)[0] == float(data->number(i)));
    check_seeded(*source);
  }
  TestContext context;
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/ucr", {{"path", train}, {"resample", true}})->open(context),
      "'resample' draws from the training and the test rows of two files; name the second in "
      "'test_path', or set 'test_fraction' instead",
      Error);
  const NewData fresh{folder.write("new.tsv", "1\t3\t4\n"), Layout::sequence(2, 1), {"0", "1"}, {}};
  const auto applied = make_component<Source>("source/ucr", of_folder);
  applied->apply_model(fresh);
  CHECK(labels(*applied->open(context)) == Labels{0});
  NewData giving = fresh;
  giving.given = {"resample"};
  CHECK_THROWS_AS(make_component<Source>("source/ucr", of_folder)->apply_model(giving), Error);
  Parameters numbers = of_files;
  numbers.push_back({"target", std::string("numbers")});
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/ucr", numbers),
      "'resample' draws as many training rows of each class, but the target is numbers; set "
      "'test_fraction'",
      Error);
}

TEST_CASE("rows are kept compactly") {
  const TempFolder folder;
  std::string lines = "1";
  for (int i = 0; i < 10000; ++i) lines += "\t" + std::to_string(i % 7);
  for (int i = 0; i < 100; ++i) lines += "\n1\t1\t2";
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/ucr", {{"path", folder.write("long.tsv", lines)}}), context);
  CHECK(data->outline().layout == Layout::sequence(10000, 1));
  CHECK(data->outline().values == 10200);
  CHECK(data->bytes() < 50000);
}

TEST_CASE("all sets of the archive: rows, classes, lengths and Euclidean errors as published") {
  const std::string root = real_data();
  if (root.empty()) return;
  std::ifstream published(root + "/ucr/published.csv");
  if (!published) return;
  std::string line;
  std::getline(published, line);
  int sets = 0;
  for (; std::getline(published, line); ++sets) {
    CAPTURE(line);
    std::vector<std::string> fields;
    std::stringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
    Parameters parameters = {{"path", root + "/ucr/" + fields[0]}};
    if (fields[6] != "0") parameters.emplace_back("missing", text("interpolate"));
    TestContext context;
    const auto data = make_component<Source>("source/ucr", parameters)->open(context);
    const Outline& outline = data->outline();
    CHECK(outline.train_rows == std::stoul(fields[2]));
    CHECK(outline.test_rows == std::stoul(fields[3]));
    CHECK(outline.classes.size() == std::stoul(fields[4]));
    const auto dash = fields[5].find('-');
    const std::size_t longest =
        std::stoul(fields[5].substr(dash == std::string::npos ? 0 : dash + 1));
    const std::size_t shortest = std::stoul(fields[5].substr(0, dash));
    CHECK(outline.layout == Layout::sequence(longest, 1));
    std::size_t least = longest;
    for (std::size_t i = 0; i < outline.rows(); ++i) least = std::min(least, data->values(i));
    CHECK(least == shortest);
    CHECK(data->bytes() < outline.values * 4 + outline.rows() * 32 + 1000);
    const std::size_t work = outline.train_rows * outline.test_rows * longest;
    if (shortest == longest && work < 5'000'000)
      CHECK(euclidean_error(*data) ==
            doctest::Approx(std::stod(fields[7])).epsilon(1e-9).scale(1e5));
  }
  CHECK(sets == 65);
}

TEST_CASE("the multivariate sets of the archive") {
  const std::string root = real_data();
  if (root.empty() || !std::filesystem::exists(root + "/ucr/multivariate")) return;
  struct Set {
    std::string name;
    std::size_t train, test, classes, longest, channels;
  };
  for (const Set& set : {Set{"ArticularyWordRecognition", 275, 300, 25, 144, 9},
                         {"BasicMotions", 40, 40, 4, 100, 6},
                         {"JapaneseVowels", 270, 370, 9, 29, 12}}) {
    CAPTURE(set.name);
    TestContext context;
    const auto data =
        make_component<Source>("source/ucr", {{"path", root + "/ucr/multivariate/" + set.name}})
            ->open(context);
    CHECK(data->outline().train_rows == set.train);
    CHECK(data->outline().test_rows == set.test);
    CHECK(data->outline().classes.size() == set.classes);
    CHECK(data->outline().layout == Layout::sequence(set.longest, set.channels));
  }
}

}  // namespace ucr_test
