// SPDX-License-Identifier: MIT
// Rows without labels are rows like others: some train, some test.
#include <algorithm>

#include "tests/sources_testing.hpp"

namespace unlabelled_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

const Value none = std::string("none");

/// Checks that the rows have no labels, and how many train and test.
void check_rows(const std::string& id, const Parameters& parameters, std::size_t train,
                std::size_t test) {
  CAPTURE(id);
  TestContext context;
  const auto source = make_component<Source>(id, parameters);
  CHECK(source->target_kind() == TargetKind::none);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == train);
  CHECK(data->outline().test_rows == test);
  CHECK(data->outline().classes.empty());
  CHECK(labels(*data) == Labels(train + test, -1));
}

Parameters with(Parameters parameters, const std::string& name, const Value& value) {
  parameters.emplace_back(name, value);
  return parameters;
}

}  // namespace

TEST_CASE("tables, strings, documents, sparse rows, series and pictures without labels train") {
  const TempFolder folder;
  const std::string classes = "@problemName t\n@univariate true\n@classLabel true a b\n@data\n";
  const std::string small = "P2\n1 1\n255\n";
  folder.write("pictures/1.pgm", small + "1\n");
  folder.write("pictures/2.pgm", small + "2\n");
  folder.write("classes/a/1.pgm", small + "1\n");
  folder.write("classes/b/2.pgm", small + "2\n");
  folder.write("texts/1.txt", "one word");
  folder.write("texts/2.txt", "two words");
  const std::vector<std::pair<std::string, Parameters>> sources = {
      {"source/csv", {{"path", folder.write("t.csv", "1,2\n3,4\n")}, {"label", none}}},
      {"source/arff",
       {{"path", folder.write("t.arff", "@relation t\n@attribute x numeric\n@data\n1\n2\n")},
        {"label", none}}},
      {"source/strings", {{"path", folder.write("t.tsv", "ab\ncd\n")}, {"label", none}}},
      {"source/strings", {{"path", folder.write("t.fa", ">a\nab\n>b\ncd\n")}, {"label", none}}},
      {"source/text",
       {{"path", folder.path() + "/texts"}, {"label", none}, {"least_rows", std::int64_t{1}}}},
      {"source/libsvm", {{"path", folder.write("t.txt", "1:1\n1:2 2:3\n")}, {"label", none}}},
      {"source/libsvm", {{"path", folder.write("l.txt", "a,b 1:1\nb 1:2\n")}, {"label", none}}},
      {"source/ucr",
       {{"path", folder.write("t.ts", classes + "1,2,3:a\n4,5,6:b\n")}, {"label", none}}},
      {"source/ucr", {{"path", folder.write("s.tsv", "7\t1\t2\n8\t3\t4\n")}, {"label", none}}},
      {"source/ucr",
       {{"path", folder.write("b.tsv", "1\t2\n3\t4\n")}, {"labels", std::string("absent")}}},
      {"source/images", {{"path", folder.path() + "/pictures"}, {"label", none}}},
      {"source/images", {{"path", folder.path() + "/classes"}, {"label", none}}},
      {"source/npy",
       {{"path", folder.write("x.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                                           "(2, 1), }",
                                           bytes_of<float>({1, 2})))}}},
  };
  for (const auto& [id, parameters] : sources) {
    check_rows(id, parameters, 2, 0);
    check_rows(id, with(parameters, "test_rows", std::int64_t{1}), 1, 1);
    check_rows(id, with(parameters, "test_fraction", .5), 1, 1);
    check_rows(id, with(parameters, "role", std::string("test")), 0, 2);
  }
}

TEST_CASE("a class that a line of .tsv begins with is no value, even where it is ignored") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>(
          "source/ucr", {{"path", folder.write("s.tsv", "7\t1\t2\n8\t3\t4\n")}, {"label", none}}),
      context);
  CHECK(row_of(*data, 1) == Floats{3, 4});
}

TEST_CASE("images of idx without labels train") {
  const TempFolder folder;
  const std::string head = big_endian(0x803) + big_endian(2) + big_endian(1) + big_endian(1);
  check_rows("source/idx", {{"train_images", folder.write("images", head + "ab")}}, 2, 0);
}

TEST_CASE("a second file tests, and a share of the rows is drawn by the seed") {
  const TempFolder folder;
  std::string text = "x\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + "\n";
  const Parameters table = {{"path", folder.write("t.csv", text)}, {"label", none}};
  check_rows("source/csv", with(table, "test_path", folder.write("u.csv", "x\n7\n")), 40, 1);
  const Parameters drawn = with(table, "test_fraction", .25);
  check_rows("source/csv", drawn, 30, 10);
  check_seeded(*make_component<Source>("source/csv", drawn));
}

TEST_CASE("groups of rows without labels stay together") {
  const TempFolder folder;
  std::string text = "x,who\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + ",p" + std::to_string(i % 8) + "\n";
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/csv", {{"path", folder.write("t.csv", text)},
                                                          {"label", none},
                                                          {"groups", std::string("who")},
                                                          {"test_fraction", .25}}),
                   context);
  CHECK(data->outline().test_rows == 10);
  const auto groups = data->groups();
  for (std::size_t i = 30; i < 40; ++i)
    CHECK(std::ranges::find(groups.first(30), groups[i]) == groups.first(30).end());
}

TEST_CASE("what is said of classes does not suit rows without labels") {
  const TempFolder folder;
  const Parameters table = {{"path", folder.write("t.csv", "1,2\n3,4\n")}, {"label", none}};
  TestContext context;
  const auto open = [&](const std::string& name, const Value& value) {
    make_component<Source>("source/csv", with(table, name, value))->open(context);
  };
  CHECK_THROWS_WITH_AS(
      open("test_class_fraction", .5),
      "'test_class_fraction' is about classes, but the rows have none; set 'test_fraction'", Error);
  CHECK_THROWS_WITH_AS(open("missing_labels", std::string("drop")),
                       "'missing_labels' is about classes, but the rows have none; remove it",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/libsvm",
                             {{"path", none}, {"label", none}, {"target", std::string("numbers")}}),
      "'target: numbers' says what labels are, but 'label: none' that there are none; remove one",
      Error);
}

TEST_CASE("new data for a model may lack labels whatever the model's source says of classes") {
  const TempFolder folder;
  TestContext context;
  const auto source =
      make_component<Source>("source/csv", {{"path", folder.write("t.csv", "1,2\n3,4\n")},
                                            {"label", none},
                                            {"missing_labels", std::string("drop")}});
  source->apply_model({"", Layout::vector(2), {"a", "b"}, {}});
  CHECK(source->open(context)->outline().test_rows == 2);
}

}  // namespace unlabelled_test
