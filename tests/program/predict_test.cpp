// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pipelines.hpp"
#include "program.hpp"

namespace predict_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

std::string table(int first, int last, bool labels) {
  std::string text = labels ? "a,b,class\n" : "a,b\n";
  for (int i = first; i < last; ++i) {
    text += std::to_string(i % 17) + "." + std::to_string(i % 10) + "," + std::to_string(i % 5);
    if (labels) text += i % 17 < 8 ? ",low" : ",high";
    text += "\n";
  }
  return text;
}

/// A model in out/model, of train.csv, tested on test.csv.
void train_on_table(const Workplace& work) {
  work.file("train.csv", table(0, 300, true));
  work.file("test.csv", table(300, 400, true));
  work.file("p.yaml", table_pipeline("path: train.csv, test_path: test.csv, label: class"));
  work.succeed("run p.yaml --data . --out out");
}

/// The fields of a CSV file without quotes, line by line.
std::vector<std::vector<std::string>> fields(const Workplace& work, const std::string& file) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(work.content(file));
  for (std::string line; std::getline(in, line);) {
    lines.emplace_back();
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, ',');) lines.back().push_back(field);
  }
  return lines;
}

/// The table with its columns in the order given by `order`.
std::string permuted(const std::string& table, const std::vector<std::size_t>& order) {
  std::string text;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> parts;
    std::istringstream all(line);
    for (std::string field; std::getline(all, field, ',');) parts.push_back(field);
    for (std::size_t k = 0; k < order.size(); ++k) text += (k ? "," : "") + parts[order[k]];
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("predict gives the bits that run gave for the same rows") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out");
  work.succeed("predict out/model --out p --threads 1");
  CHECK(work.content("p/svm.npy") == work.content("out/predictions/svm.npy"));
  CHECK(work.content("p/svm.csv") == work.content("out/predictions/svm.csv"));
}

TEST_CASE("predict --json tells what the lines for people tell") {
  const Workplace work;
  train_on_table(work);
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
  train_on_table(work);
  work.file("new.csv", table(310, 330, false));
  work.succeed(
      "predict out/model --data . --out p --set nodes.t.path=new.csv --set "
      "\"nodes.t.test_path=''\" "
      "--set nodes.t.label=none");
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
  train_on_table(work);
  work.file("narrow.csv", "a,class\n1,low\n2,high\n");
  const auto expect = [&](const std::string& arguments, int exit, const std::string& message) {
    work.expect("predict " + arguments, exit, message);
  };
  expect("nowhere", 1, "no such folder");
  expect("out", 1, "it has no model.json");
  expect("out/model --data . --set nodes.t.path=narrow.csv --set \"nodes.t.test_path=''\"", 1,
         "the header lacks the column 'b', which the model was trained on");
  expect("out/model --data . --set nodes.x.is=normalizer/min_max", 1,
         "only sources can be changed when predicting");
  expect("out/model --data . --set nodes.t.pth=a.csv", 2, "did you mean 'path'");
  SUBCASE("a damaged model") {
    std::ofstream(work.path / "out/model/model.json") << "{";
    expect("out/model --data .", 1,
           "is damaged: model.json: not JSON from column 2 on; copy it again, or train it again");
  }
  SUBCASE("a cut-off array") {
    for (const auto& item : fs::recursive_directory_iterator(work.path / "out/model/nodes/svm"))
      if (item.path().extension() == ".npy") fs::resize_file(item.path(), 130);
    expect("out/model --data .", 1, ".npy has the wrong size; copy it again, or train it again");
  }
}

TEST_CASE("all rows of new data are predicted, numbered as in the file, whatever was set aside") {
  const Workplace work;
  const std::string train = table(0, 300, true);
  for (const char* split : {"test_path: test.csv", "test_fraction: 0.3", "test_rows: 50"}) {
    CAPTURE(std::string(split));
    work.file("train.csv", train);
    work.file("test.csv", table(300, 400, true));
    work.file("new.csv", table(350, 420, true));
    work.file("p.yaml", table_pipeline(std::string("path: train.csv, ") + split));
    work.succeed("run p.yaml --data . --out out");
    // The training data need not exist.
    fs::remove(work.path / "train.csv");
    fs::remove(work.path / "test.csv");
    const auto outcome = work("predict out/model new.csv --out p");
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(outcome.output.find("70 rows predicted") != std::string::npos);
    CHECK(outcome.output.find("e: accuracy") != std::string::npos);
    CHECK(outcome.output.find("no new data") == std::string::npos);
    const auto rows = fields(work, "p/svm.csv");
    REQUIRE(rows.size() == 71);
    for (std::size_t i = 1; i < rows.size(); ++i) CHECK(rows[i][0] == std::to_string(i - 1));
    // As a parameter it is the same.
    work.succeed("predict out/model --out q --data . --set nodes.t.path=new.csv");
    CHECK(work.content("q/svm.csv") == work.content("p/svm.csv"));
  }
}

TEST_CASE("columns in another order give the same bits, when testing and when predicting") {
  const Workplace work;
  const std::string train = table(0, 300, true), test = table(300, 400, true);
  work.file("train.csv", train);
  work.file("test.csv", test);
  work.file("p.yaml", table_pipeline("path: train.csv, test_path: test.csv, label: class"));
  work.succeed("run p.yaml --data . --out out");
  const std::string wanted = work.content("out/predictions/svm.npy");
  for (const auto& order : {std::vector<std::size_t>{2, 1, 0}, {1, 0, 2}, {1, 2, 0}}) {
    work.file("test.csv", permuted(test, order));
    work.succeed("run p.yaml --data . --out again");
    CHECK(work.content("again/predictions/svm.npy") == wanted);
    work.file("new.csv", permuted(test, order));
    work.succeed("predict out/model new.csv --out p");
    CHECK(work.content("p/svm.npy") == wanted);
  }
  // Without the label too; without names by position, and that is said.
  work.file("new.csv", permuted(test, {1, 0}));
  work.succeed("predict out/model new.csv --out p");
  CHECK(work.content("p/svm.npy") == wanted);
  CHECK(fields(work, "p/svm.csv")[1][1].empty());
  work.file("new.csv", test.substr(test.find('\n') + 1));
  const auto outcome = work("predict out/model new.csv --out p --set nodes.t.label=-1");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(work.content("p/svm.npy") == wanted);
  const std::string said = "warning: t: columns are matched by position: the new data have";
  CHECK(outcome.output.find(said) != std::string::npos);
  CHECK(outcome.output.find(said) == outcome.output.rfind(said));
}

TEST_CASE("without new data predict says whose rows it predicts") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("p.yaml", table_pipeline("path: train.csv, test_fraction: 0.3"));
  work.succeed("run p.yaml --data . --out out");
  const auto outcome = work("predict out/model --out p");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("no new data given: these are the test rows of the training run") !=
        std::string::npos);
  CHECK(work.content("p/svm.csv") == work.content("out/predictions/svm.csv"));
  // Rows are numbered as in the file, although they are only some of its rows.
  const auto rows = fields(work, "p/svm.csv");
  CHECK(rows.back()[0] != std::to_string(rows.size() - 2));
  // Another seed would draw other rows, including training samples: all rows are predicted.
  work.succeed("predict out/model --seed 7 --out q");
  CHECK(fields(work, "q/svm.csv").size() == 301);
}

TEST_CASE("what cannot be meant by new data is refused in words") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("new.csv", table(300, 320, true));
  work.file("other.csv", "a,b,class\n1,2,none\n3,4,low\n");
  work.file("p.yaml", table_pipeline("path: train.csv, test_fraction: 0.3"));
  work.succeed("run p.yaml --data . --out out");
  const auto expect = [&](const std::string& arguments, int exit, const std::string& message) {
    work.expect("predict out/model " + arguments, exit, message);
  };
  expect("new.csv --data . --set nodes.t.test_fraction=0.5", 2,
         "'test_fraction' says which rows a training run uses or sets aside");
  expect("--data . --set nodes.t.test_fraction=0 --set nodes.t.test_path=new.csv", 2,
         "name the file: semblance predict MODEL");
  expect("nw.csv", 2, "did you mean 'new.csv'?");
  expect("new.csv other.csv", 2, "'other.csv' is one DATA too many");
  expect("other.csv", 0,
         "1 of 2 rows have a label that is not a class of the model, such as 'none'; they are "
         "treated as unlabelled");
  work.file("generated.yaml",
            "name: g\nnodes:\n  t: {is: source/xor}\n  svm: {is: "
            "solver/linear_svm, from: t}\n");
  work.succeed("run generated.yaml --out generated");
  work.expect("predict generated/model new.csv", 2, "it reads no file, so it cannot read");
}

TEST_CASE("a model of two sources is told which data are for which") {
  const Workplace work;
  work.file("train.csv", table(0, 300, true));
  work.file("new.csv", table(300, 330, true));
  work.file(
      "p.yaml",
      "name: two\nnodes:\n  t: {is: source/csv, path: train.csv}\n  u: {is: source/csv, path: "
      "train.csv, test_rows: 40}\n  v: {is: solver/linear_svm, from: t}\n  w: {is: "
      "solver/linear_svm, from: u}\n");
  work.succeed("run p.yaml --data . --out out");
  work.expect("predict out/model new.csv", 2,
              "the model has the sources 't', 'u': say which 'new.csv' is for");
  work.succeed("predict out/model u=new.csv --out p");
  CHECK(fields(work, "p/w.csv").size() == 31);
  CHECK(fields(work, "p/v.csv").size() == 301);
}

TEST_CASE("names of rows are carried into the predictions, in the run and in predict") {
  const Workplace work;
  std::string train = "who," + table(0, 1, true).substr(0, 10);
  std::istringstream in(table(0, 120, true));
  std::string line;
  std::getline(in, line);
  for (int i = 0; std::getline(in, line); ++i)
    train += "\"p, " + std::to_string(i) + "\"," + line + "\n";
  work.file("train.csv", train);
  work.file("new.csv", "b,who,a\n1,ann,2\n3,bob,4\n");
  work.file("p.yaml", table_pipeline("path: train.csv, test_rows: 20, id: who"));
  work.succeed("run p.yaml --data . --out out");
  const std::string predicted = work.content("out/predictions/svm.csv");
  CHECK(predicted.starts_with("row,label,predicted,score high,score low,name\n100,"));
  CHECK(predicted.find(",\"p, 100\"\n") != std::string::npos);
  work.succeed("run p.yaml --data . --out stored");  // from the store
  CHECK(work.content("stored/predictions/svm.csv") == predicted);
  CHECK(work("compare out stored --metric e.accuracy").exit == 0);  // which reads these files
  work.succeed("predict out/model new.csv --out p");
  const auto rows = fields(work, "p/svm.csv");
  CHECK(rows[0].back() == "name");
  CHECK(rows[1].back() == "ann");
  CHECK(rows[2].back() == "bob");
}

TEST_CASE("a model of pairs judges all pairs of new data, by their numbers and names") {
  const Workplace work;
  std::string train = "who,a,b,kind\n";
  for (int i = 0; i < 60; ++i)
    train += "r" + std::to_string(i) + "," + std::to_string(i % 6) + "." + std::to_string(i % 7) +
             "," + std::to_string(i % 5) + ",k" + std::to_string(i % 6) + "\n";
  work.file("train.csv", train);
  work.file("new.csv", "kind,b,a,who\nk0,1,0.5,x\nk0,2,0.1,y\nother,1,4.2,z\n");
  work.file("p.yaml", R"(name: pairs
nodes:
  t:     {is: source/csv, path: train.csv, id: who, test_class_fraction: 0.4}
  pairs: {is: pairs/all, from: t}
  svm:   {is: solver/pairwise_newton, from: t, pairs: pairs}
  e:     {is: evaluator/verification, from: svm}
)");
  work.succeed("run p.yaml --data . --out out");
  const auto outcome = work("predict out/model new.csv --out p");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("pairs predicted") != std::string::npos);
  const auto rows = fields(work, "p/svm.csv");
  CHECK(rows[0] ==
        std::vector<std::string>{"first", "second", "label", "score", "first name", "second name"});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const char* names[] = {"x", "y", "z"};
    CHECK(rows[i][4] == names[std::stoi(rows[i][0])]);
    CHECK(rows[i][5] == names[std::stoi(rows[i][1])]);
    CHECK(rows[i][2] ==
          (std::stoi(rows[i][0]) < 2 && std::stoi(rows[i][1]) < 2 ? "same" : "different"));
  }
}

TEST_CASE("sparse rows that name few columns fit the model") {
  const Workplace work;
  std::string train;
  for (int i = 0; i < 60; ++i)
    train += (i % 2 ? "+1 " : "-1 ") + std::to_string(1 + i % 3) + ":" + std::to_string(i % 4) +
             " 9:" + std::to_string(i % 2) + "\n";
  work.file("train.libsvm", train);
  work.file("new.libsvm", "2:1\n1:3 3:1\n");
  work.file("p.yaml",
            "name: sparse\nnodes:\n  t: {is: source/libsvm, path: train.libsvm, test_rows: 10}\n"
            "  svm: {is: solver/linear_svm, from: t}\n");
  work.succeed("run p.yaml --data . --out out");
  work.succeed("predict out/model new.libsvm --out p");
  CHECK(fields(work, "p/svm.csv").size() == 3);
}

}  // namespace predict_test
