// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "program.hpp"

namespace tables_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

// Tables with categories and missing values, from the file to new data.

namespace {

/// The class follows the city, mostly; a fifth of the sizes is missing. `moved`: the columns in
/// another order, without the class.
std::string people(int first, int last, bool moved = false) {
  const char* const cities[] = {"Oslo", "Rome", "Bern"};
  std::string text = moved ? "city,size\n" : "size,city,class\n";
  for (int i = first; i < last; ++i) {
    const std::string city = cities[i % 3];
    const std::string size = i % 5 == 3 ? "" : std::to_string(i * 37 % 100);
    const std::string kind = i % 3 == 0 || i % 11 == 5 ? "cold" : "warm";
    text.append(moved ? city + "," + size : size + "," + city + "," + kind).append("\n");
  }
  return text;
}

std::string pipeline(const std::string& first_nodes) {
  return "name: people\nnodes:\n" + first_nodes +
         "  x:     {is: normalizer/zscore, from: whole}\n"
         "  svm:   {is: solver/linear_svm, from: x}\n"
         "  test:  {is: evaluator/classification, from: svm}\n";
}

const std::string keeping = pipeline(
    "  table: {is: source/csv, path: people.csv, categorical: [city], missing: keep, test_rows: "
    "40}\n"
    "  whole: {is: normalizer/impute, from: table}\n");

}  // namespace

TEST_CASE("what takes no missing values is refused before anything runs") {
  const Workplace work;
  work.file("people.csv", people(0, 120));
  work.file("p.yaml", pipeline("  table: {is: source/csv, path: people.csv, categorical: [city], "
                               "missing: keep}\n"
                               "  whole: {is: normalizer/none, from: table}\n"));
  for (const char* verb : {"check", "plan", "run"}) {
    const auto outcome = work(std::string(verb) + " p.yaml --data .");
    CHECK(outcome.exit == 2);
    CHECK(outcome.output.find(
              "p.yaml:4:38: error: 'from' of normalizer/none takes no missing values, but 'table' "
              "keeps them\n"
              "    4 |   whole: {is: normalizer/none, from: table}\n"
              "      |                                      ^~~~~\n"
              "      = fill them in first: put normalizer/impute after 'table' and take its "
              "samples\n") != std::string::npos);
  }
  work.file("gaps.tsv", "a\t1\tNaN\t3\nb\t1\t2\t3\n");
  work.file("s.yaml", pipeline("  table: {is: source/ucr, path: gaps.tsv, missing: keep}\n"
                               "  whole: {is: feature/flatten, from: table}\n"));
  CHECK(contains(work("check s.yaml --data ."),
                 "= fill them in first: put normalizer/impute_series after 'table' and"));
  // All consumers are reported; a model has the trained graph.
  work.file("p.yaml", keeping);
  work.succeed("run p.yaml --data . --out out");
  const auto many = work("check p.yaml --data . --set nodes.x.from=[whole,table]");
  CHECK(many.exit == 2);
  CHECK(contains(many,
                 "'from' of normalizer/zscore takes no missing values, but 'table' keeps them"));
}

TEST_CASE("a model knows categories by name, in whatever order new data have their columns") {
  const Workplace work;
  work.file("people.csv", people(0, 160));
  work.file("p.yaml", keeping);
  work.succeed("run p.yaml --data . --out out");
  const auto model = nlohmann::json::parse(work.content("out/model/model.json"));
  CHECK(model.at("sources").at("table").at("columns") ==
        nlohmann::json({"size", "city=Bern", "city=Oslo", "city=Rome"}));
  CHECK(work.metrics("out").at("nodes").at("test").at("accuracy") > 0.8);

  work.file("new.csv", people(120, 160, true));
  work.succeed("predict out/model new.csv --out predicted");
  CHECK(work.content("predicted/svm.npy") == work.content("out/predictions/svm.npy"));

  work.file("odd.csv", "city,size\nRome,5\nParis,7\n");
  const auto refused = work("predict out/model odd.csv --out odd");
  CHECK(refused.exit == 1);
  CHECK(
      contains(refused,
               "odd.csv: line 3: column 'city' is 'Paris', which is not in the rows that the model "
               "was trained on; correct it, or set 'unknown: none' to read it as none of the "
               "categories"));
  work.succeed("predict out/model odd.csv --set nodes.table.unknown=none --out odd");
}

TEST_CASE("each fold fills in what its own training rows say") {
  const Workplace work;
  work.file("people.csv", people(0, 120));
  work.file("p.yaml", keeping +
                          "select:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n"
                          "    C: {path: nodes.svm.C, values: [0.1, 1]}\n");
  work.succeed("run p.yaml --data . --out out");
  // Learned states are in the store: once per fold, and once for all training samples.
  std::set<std::string> fills;
  for (const auto& item : fs::recursive_directory_iterator(work.path))
    if (item.path().filename() == "fill.npy" && !contains(item.path().string(), "/model/"))
      fills.insert(work.content(fs::relative(item.path(), work.path).string()));
  CHECK(fills.size() == 4);
}

TEST_CASE("weights have the names of the columns, where these are still what they were") {
  const Workplace work;
  work.file("people.csv", people(0, 120));
  work.file("p.yaml", keeping);
  const auto weights = [&](const std::string& options) {
    work.succeed("run p.yaml --data . --out out " + options);
    const auto svm = work.metrics("out").at("nodes").at("svm");
    return svm.contains("weights") ? svm.at("weights").at("rows") : nlohmann::json();
  };
  CHECK(weights("") == nlohmann::json({"size", "city=Bern", "city=Oslo", "city=Rome"}));
  CHECK(weights("--set nodes.x.is=normalizer/min_max").size() == 4);
  // Doubled columns, and the concatenated columns of two nodes, have no names.
  CHECK(weights("--set nodes.whole.indicator=true").is_null());
  CHECK(weights("--set nodes.svm.from=[x,whole]").is_null());
}

}  // namespace tables_test
