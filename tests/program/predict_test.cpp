// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pipelines.hpp"
#include "program.hpp"

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* table_pipeline = R"(name: table
nodes:
  t:   {is: source/csv, path: train.csv, test_path: test.csv, label: class}
  x:   {is: normalizer/zscore, from: t}
  svm: {is: solver/linear_svm, from: x}
  e:   {is: evaluator/classification, from: svm}
)";

std::string table(int first, int last, bool labels) {
  std::string text = labels ? "a,b,class\n" : "a,b\n";
  for (int i = first; i < last; ++i) {
    text += std::to_string(i % 17) + "." + std::to_string(i % 10) + "," + std::to_string(i % 5);
    if (labels) text += i % 17 < 8 ? ",low" : ",high";
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("predict gives the bits that run gave for the same rows") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  REQUIRE(work("run p.yaml --out out").exit == 0);
  const auto outcome = work("predict out/model --out p --threads 1");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(work.content("p/svm.npy") == work.content("out/predictions/svm.npy"));
  CHECK(work.content("p/svm.csv") == work.content("out/predictions/svm.csv"));
}

TEST_CASE("predict --json tells what the lines for people tell") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("test.csv", table(300, 400, true));
  work.file("p.yaml", table_pipeline);
  REQUIRE(work("run p.yaml --data . --out out").exit == 0);
  const auto outcome = work("predict out/model --data . --out p --json --quiet");
  REQUIRE(outcome.exit == 0);
  const auto told = nlohmann::json::parse(outcome.output);
  CHECK(told["rows"] == 100);
  CHECK(told["pairs"] == 0);
  CHECK(told["files"].size() == 2);
  const auto run = nlohmann::json::parse(work.content("out/metrics.json"));
  CHECK(told["nodes"]["e"]["accuracy"] == run["nodes"]["e"]["accuracy"]);
  // Nothing of a model comes from the artifact store.
  CHECK(work("predict out/model --data . --out q --no-cache").exit == 2);
}

TEST_CASE("predict takes rows of another size, without labels, from another kind of source") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("test.csv", table(300, 400, true));
  work.file("new.csv", table(310, 330, false));
  work.file("p.yaml", table_pipeline);
  REQUIRE(work("run p.yaml --data . --out out").exit == 0);
  const auto outcome = work(
      "predict out/model --data . --out p --set nodes.t.path=new.csv --set "
      "\"nodes.t.test_path=''\" "
      "--set nodes.t.label=none");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  // Rows 310 to 330 were rows 10 to 30 of the test file: the same scores, without a label.
  const auto rows = [&](const std::string& file) {
    std::vector<std::string> scores;
    std::ifstream in(work.path / file);
    for (std::string line; std::getline(in, line);) {
      for (int comma = 0; comma < 2; ++comma) line = line.substr(line.find(',') + 1);
      scores.push_back(line);
    }
    return scores;
  };
  const auto all = rows("out/predictions/svm.csv"), some = rows("p/svm.csv");
  REQUIRE(some.size() == 21);
  for (std::size_t i = 1; i < some.size(); ++i) CHECK(some[i] == all[i + 10]);
}

TEST_CASE("what does not fit the model is refused") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("test.csv", table(300, 400, true));
  work.file("narrow.csv", "a,class\n1,low\n2,high\n");
  work.file("p.yaml", table_pipeline);
  REQUIRE(work("run p.yaml --data . --out out").exit == 0);
  const auto expect = [&](const std::string& arguments, int exit, const std::string& message) {
    const auto outcome = work("predict " + arguments);
    INFO(outcome.output);
    CHECK(outcome.exit == exit);
    CHECK(outcome.output.find(message) != std::string::npos);
  };
  expect("nowhere", 1, "there is no such folder");
  expect("out", 1, "it has no model.json");
  expect("out/model --data . --set nodes.t.path=narrow.csv --set \"nodes.t.test_path=''\"", 1,
         "its rows are each a vector of 1, the model was trained on rows that are each a vector "
         "of 2");
  expect("out/model --data . --set nodes.x.is=normalizer/min_max", 1,
         "only sources can be changed when predicting");
  expect("out/model --data . --set nodes.t.pth=a.csv", 2, "did you mean 'path'");
  SUBCASE("a damaged model") {
    std::ofstream(work.path / "out/model/model.json") << "{";
    expect("out/model --data .", 1, "model.json is damaged");
  }
  SUBCASE("a cut-off array") {
    for (const auto& item : fs::recursive_directory_iterator(work.path / "out/model/nodes/svm"))
      if (item.path().extension() == ".npy") fs::resize_file(item.path(), 130);
    expect("out/model --data .", 1, ".npy has another size; take it from where it was copied from");
  }
}
