// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>

#include "pipelines.hpp"
#include "program.hpp"

namespace compare_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Exits with `exit` and says `message`.
void expect(const Workplace& work, const std::string& arguments, int exit,
            const std::string& message) {
  const auto outcome = work("compare " + arguments);
  INFO(arguments << "\n" << outcome.output);
  CHECK(outcome.exit == exit);
  CHECK(outcome.output.find(message) != std::string::npos);
}

void run(const Workplace& work, const std::string& arguments) {
  const auto outcome = work("run p.yaml --quiet " + arguments);
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
}

std::string study(const std::string& name, const std::string& blocks, const std::string& values) {
  std::string measurements;
  for (std::size_t at = 0; at < values.size();) {
    const std::size_t end = std::min(values.find(' ', at), values.size());
    measurements += (at > 0 ? "," : "") + std::string(R"({"value":)") +
                    values.substr(at, end - at) + R"(,"error":"","correct":"","test_rows":""})";
    at = end + 1;
  }
  return R"({"study":")" + name +
         R"(","metric":"error_rate","unit":"share","higher_is_better":false,"slots":[{"name":"x","alternatives":)"
         R"(["a"]}],"blocks":)" +
         blocks + R"(,"baseline":0,"methods":[{"name":"a","choices":["a"],"measurements":[)" +
         measurements + "]}]}";
}

}  // namespace

TEST_CASE("two runs on the same test rows are paired row by row") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  run(work, "--out one");
  run(work, "--out two --set nodes.svm.C=1e-6");
  const auto outcome = work("compare one two --out table");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("error rate [%]") != std::string::npos);
  CHECK(outcome.output.find("p McNemar") != std::string::npos);
  CHECK(outcome.output.find("written: table/table.tex") != std::string::npos);
  const std::string csv = work.content("table/table.csv");
  INFO(csv);
  const double error = work.metrics("two").at("nodes").at("test").at("error_rate");
  CHECK(csv.find("\ntwo," + nlohmann::json(error).dump() + ",") != std::string::npos);
  SUBCASE("and give the same files again, from any folder") {
    fs::create_directory(work.path / "elsewhere");
    fs::rename(work.path / "one", work.path / "elsewhere/one");
    fs::rename(work.path / "two", work.path / "elsewhere/two");
    work.succeed("compare elsewhere/one elsewhere/two --out again");
    for (const char* file : {"table.csv", "table.md", "table.tex"})
      CHECK(work.content(std::string("table/") + file) ==
            work.content(std::string("again/") + file));
  }
  SUBCASE("other test rows are not") {
    run(work, "--out small --set nodes.glyphs.test_per_class=10");
    work.expect("compare one small", 0, "other test rows\n");
  }
  SUBCASE("any figure of any node can be compared, against any run") {
    const auto other = work("compare one two --metric svm.objective --baseline two");
    INFO(other.output);
    CHECK(other.exit == 0);
    CHECK(other.output.find("objective") != std::string::npos);
    CHECK(other.output.find("baseline\n") > other.output.find("\ntwo "));
  }
  SUBCASE("which of two values is better is what the figure's declaration says") {
    const auto accuracy = work("compare one two --metric accuracy --out accuracy");
    INFO(accuracy.output);
    CHECK(accuracy.exit == 0);
    CHECK(accuracy.output.find("accuracy [%]") != std::string::npos);
    CHECK(work.content("accuracy/table.md").find("| one | **") != std::string::npos);
    expect(work, "one two --metric accuracy --better lower", 2,
           "--better: higher is better for 'accuracy', as evaluator/classification declares");
    expect(work, "one two --metric rows", 2,
           "it is unknown which of two values of 'rows' is better; add --better lower");
    expect(work, "one two --metric rows --better lower", 0, "rows");
    expect(work, "one two --metric acuracy", 2, "did you mean 'accuracy'?");
    expect(work, "one two --better best", 2, "--better takes lower or higher, not 'best'");
  }
  SUBCASE("folders of a version that did not write it are understood by what is installed") {
    for (const char* folder : {"one", "two"}) {
      auto metrics =
          nlohmann::ordered_json::parse(work.content(std::string(folder) + "/metrics.json"));
      REQUIRE(metrics.contains("figures"));
      metrics.erase("figures");
      std::ofstream(work.path / folder / "metrics.json") << metrics.dump();
    }
    expect(work, "one two", 0, "error rate [%]");
    expect(work, "one two --metric accuracy --out accuracy", 0, "accuracy [%]");
    CHECK(work.content("accuracy/table.md").find("| one | **") != std::string::npos);
  }
  SUBCASE("what is wrong is said") {
    expect(work, "", 2, "a folder is missing; usage: semblance compare DIR... [options]");
    expect(work, "one one", 2, "'one' is given twice");
    expect(work, "one --metric test.eer", 2, "test.error_rate");
    expect(work, "one --metric tst.error_rate", 2, "unknown node 'tst' in 'one'");
    expect(work, "one --metric .", 2, "--metric takes FIGURE or NODE.FIGURE");
    expect(work, "one two --baseline three", 2, "unknown method 'three'; choose from:\n  one");
    expect(work, "nowhere", 1, "no folder 'nowhere'");
    expect(work, "one cache", 1, "is neither the folder of a run (metrics.json) nor of a study");
    expect(work, "one --out p.yaml/x", 1, "cannot create the folder 'p.yaml/x'");
    std::ofstream(work.path / "one/predictions/svm.csv") << "row,label,predicted,s\n0,a,b,1\n";
    expect(work, "one", 1, "metrics.json next to it says");
    std::ofstream(work.path / "one/predictions/svm.csv") << "row,label,predicted,s\nx,a,b,1\n";
    expect(work, "one", 1, "row 0 is out of place");
    std::ofstream(work.path / "one/pipeline.yaml") << "nodes: [";
    expect(work, "one", 1, "pipeline.yaml' is damaged");
    std::ofstream(work.path / "one/metrics.json") << R"({"pipeline": 3})";
    expect(work, "one", 1, "'pipeline' is missing or has the wrong type");
    fs::resize_file(work.path / "two/metrics.json", 100);
    expect(work, "two", 1, "two/metrics.json: is damaged");
  }
}

TEST_CASE("runs of one pipeline with several seeds are the repeats of one method") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  for (const char* seed : {"1", "2"}) {
    run(work, std::string("--seed ") + seed + " --out a" + seed);
    run(work, std::string("--seed ") + seed + " --set nodes.svm.C=1e-6 --out b" + seed);
  }
  const auto outcome = work("compare a2 a1 b1 b2 --out table");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("small (a2 ...)") != std::string::npos);
  const std::string csv = work.content("table/table.csv");
  CHECK(csv.starts_with("method,error_rate seed 1,error_rate seed 2,mean"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
  SUBCASE("a seed that one of them lacks is missing in its row") {
    work.expect("compare a1 a2 b1", 0, "seed 2: no run with this seed");
  }
  SUBCASE("the same seed twice leaves every folder for itself, and says so") {
    fs::copy(work.path / "a1", work.path / "copy", fs::copy_options::recursive);
    const auto twice = work("compare a1 a2 copy");
    CHECK(twice.exit == 0);
    CHECK(twice.output.find("'a1' and 'copy' are the same pipeline with the same seed") !=
          std::string::npos);
    CHECK(twice.output.find("1.000") != std::string::npos);
  }
}

TEST_CASE("an evaluator that only draws or describes is no method, and has not failed") {
  const Workplace work;
  work.file("p.yaml", R"(name: drawn
nodes:
  points: {is: source/banana, train: 40, test: 40}
  wide:   {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
  narrow: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 9}, from: points}
  wide_test:    {is: evaluator/classification, from: wide}
  narrow_test:  {is: evaluator/classification, from: narrow}
  wide_regions: {is: evaluator/boundary, from: wide}
  local:        {is: solver/ml3, models: 2, from: points}
  local_test:   {is: evaluator/classification, from: local}
  local_models: {is: evaluator/assignments, from: local}
)");
  run(work, "--out one");
  const auto outcome = work("compare one");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("one:narrow_test") != std::string::npos);
  CHECK(outcome.output.find("one:local_test") != std::string::npos);
  CHECK(outcome.output.find("regions") == std::string::npos);
  CHECK(outcome.output.find("local_models") == std::string::npos);
  CHECK(outcome.output.find("Failed") == std::string::npos);
  // Descriptive evaluators are compared if their figure is requested; fewer figures are not a
  // failure.
  const auto models = work("compare one --metric mean_entropy --better higher");
  CHECK(models.exit == 0);
  CHECK(models.output.find("wide_test") == std::string::npos);
}

TEST_CASE("a run that was stopped is a failed method") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  run(work, "--out one");
  work.file("w.yaml", wide_pipeline);
  REQUIRE(work("run w.yaml --deadline 0.05 --out stopped").exit == 1);
  const auto outcome = work("compare one stopped");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("Failed: stopped: the run ended before 'test' was done") !=
        std::string::npos);
}

TEST_CASE("studies are compared when they have the same blocks and metric") {
  const Workplace work;
  work.file("one/study.json", study("normalizers", R"(["1","2"])", "0.25 0.5"));
  work.file("two/study.json", study("bases", R"(["1","2"])", "0.125 null"));
  auto outcome = work("compare one");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("37.50 ± 17.68 *") != std::string::npos);
  outcome = work("compare one two");
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("\nnormalizers: a") != std::string::npos);
  CHECK(outcome.output.find("\nbases: a") != std::string::npos);
  CHECK(outcome.output.find("1 of 2") != std::string::npos);
  work.file("three/study.json", study("folds", R"(["1","3"])", "0.125 0.25"));
  expect(work, "one three", 1,
         "'normalizers' has the blocks '1', '2' but 'folds' has the blocks '1', '3': only results");
  expect(work, "one --metric eer", 1, "'one' is a study of 'error_rate', not of 'eer'");
  work.file("p.yaml", small_pipeline);
  run(work, "--out run");
  expect(
      work, "one run", 1,
      "'normalizers' has the blocks '1', '2' but 'runs' has one result per method: only results");
  work.file("four/study.json", study("one block", R"([""])", "0.5"));
  expect(work, "four run", 0, "one block: a");
  work.file("bad/study.json", study("bad", R"(["1"])", "0.5 0.25"));
  expect(work, "bad", 1,
         "bad/study.json: methods[0].measurements must have one entry per block, 1, but has 2");
}

}  // namespace compare_test
