// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>

#include "killing.hpp"
#include "program.hpp"
#include "studies.hpp"

namespace study_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

std::vector<std::string> variants(const Workplace& work, const std::string& out) {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(work.path / out / "variants"))
    names.push_back(item.path().filename());
  std::ranges::sort(names);
  return names;
}

/// The data of a table: every variant's figures and predictions, without times.
std::string results(const Workplace& work, const std::string& out) {
  std::string all;
  for (const auto& name : variants(work, out))
    all += name + results_of(work, out + "/variants/" + name);
  return all;
}

}  // namespace

TEST_CASE("a study gives the bits that its pipelines give when they are run one by one") {
  const Workplace work;
  work.file("s.yaml", small_study());
  const auto told = work.succeed("ablate s.yaml --out out");
  const auto names = variants(work, "out");
  REQUIRE(names.size() == 24);
  // Each result is told once, and nothing of the nodes in between.
  for (std::size_t i = 0; i < 24; ++i)
    CHECK(contains(told, std::to_string(i + 1) + " of 24  error_rate "));
  for (const std::string& name : names) CHECK(contains(told, "  " + name));
  CHECK_FALSE(contains(told, ": done"));
  for (const std::size_t i : {0, 7, 14, 23}) {
    const std::string folder = "out/variants/" + names[i];
    work.succeed("run '" + folder + "/pipeline.yaml' --no-cache --out alone_" + std::to_string(i));
    const std::string separate = "alone_" + std::to_string(i);
    CHECK(work.content(folder + "/predictions/svm.csv") ==
          work.content(separate + "/predictions/svm.csv"));
    CHECK(work.metrics(folder).at("nodes").at("svm").at("objective") ==
          work.metrics(separate).at("nodes").at("svm").at("objective"));
  }
}

TEST_CASE("a study computes what is equal once, within it and after it") {
  const Workplace work;
  work.file("s.yaml", small_study());
  const auto planned = work("plan s.yaml");
  INFO(planned.output);
  CHECK(planned.exit == 0);
  CHECK(planned.output.find("24 variants with 196 nodes; shared: ") != std::string::npos);
  work.succeed("ablate s.yaml --out out");
  const auto metrics = work.metrics("out");
  std::size_t hogs = 0;
  for (const auto& [name, node] : metrics.at("nodes").items()) hogs += name.starts_with("hog");
  CHECK(hogs == 2);  // one a seed
  work.succeed("ablate s.yaml --out again");
  const auto again = work.metrics("again");
  for (const auto& [name, node] : again.at("nodes").items())
    CHECK_MESSAGE(node.at("cached").get<bool>(), name);
  CHECK(results(work, "out") == results(work, "again"));
}

TEST_CASE("a study is the same with one thread, without the store and within little memory") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --out out");
  work.succeed("ablate s.yaml --no-cache --threads 1 --memory 180M --out other");
  CHECK(results(work, "out") == results(work, "other"));
}

TEST_CASE("killed at ten random moments, a study goes on and ends in the same table") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --no-cache --out whole");
  std::mt19937 random(7);
  for (int kill = 0; kill < 10; ++kill)
    kill_at_random(work, "ablate s.yaml --out killed", random, 400'000);
  work.succeed("ablate s.yaml --out resumed");
  CHECK(results(work, "whole") == results(work, "resumed"));
  CHECK(work.content("whole/table.csv") == work.content("resumed/table.csv"));
}

TEST_CASE("a variant that fails is reported and the others go on") {
  const Workplace work;
  work.file("s.yaml", failing_study);
  for (const std::string cache : {"", " --no-cache"}) {
    const auto outcome =
        work("ablate s.yaml --out out --plugin-path " + plugins + "/throwing.so" + cache);
    INFO(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(outcome.output.find("while preparing: thrown in bind") != std::string::npos);
    CHECK(outcome.output.find("while computing rows: thrown in apply") != std::string::npos);
    CHECK(outcome.output.find("1 of 4 variants fails with it, first 'f=apply'") !=
          std::string::npos);
    CHECK(variants(work, "out") == std::vector<std::string>{"f=as_is", "f=nowhere"});
  }
}

TEST_CASE("a failure of all variants does not say that others continue") {
  const Workplace work;
  work.file("s.yaml", R"(name: failing
study:
  metric: test.error_rate
  slots:
    C: {path: nodes.svm.C, values: [0.1, 1]}
nodes:
  glyphs: {is: source/glyphs, train_per_class: 10, test_per_class: 5}
  f:   {is: feature/throwing, where: apply, from: glyphs}
  svm: {is: solver/linear_svm, from: f}
  test: {is: evaluator/classification, from: svm}
)");
  work.expect("ablate s.yaml --out out --plugin-path " + plugins + "/throwing.so", 1,
              "2 of 2 variants fail with it, first 'C=0.1'; no variant can run");
}

TEST_CASE("with --fail-fast the first failure ends the study") {
  const Workplace work;
  work.file("s.yaml", failing_study);
  work.expect("ablate s.yaml --fail-fast --out out --plugin-path " + plugins + "/throwing.so", 1,
              "while preparing: thrown in bind");
  CHECK_FALSE(fs::exists(work.path / "out/variants"));
}

TEST_CASE("a misspelt figure is found before anything runs") {
  const Workplace work;
  std::string study = small_study();
  study.replace(study.find("test.error_rate"), 15, "test.error_rat");
  work.file("s.yaml", study);
  for (const char* verb : {"ablate s.yaml --out out", "check s.yaml"}) {
    const auto outcome = work(verb);
    INFO(outcome.output);
    CHECK(outcome.exit == 2);
    CHECK(outcome.output.find("error: node 'test' (evaluator/classification) reports no figure "
                              "'error_rat'") != std::string::npos);
    CHECK(outcome.output.find("did you mean 'error_rate'?") != std::string::npos);
  }
  CHECK_FALSE(fs::exists(work.path / "out"));
}

TEST_CASE("of accuracies the highest is the best, without 'better'") {
  const Workplace work;
  work.file("s.yaml", R"(name: rings
study:
  metric: test.accuracy
  slots:
    C: {path: nodes.svm.C, values: [0.0001, 1]}
)" + rings_nodes);
  const auto outcome = work("ablate s.yaml --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  const auto accuracy = [&](const std::string& variant) {
    return work.metrics("out/variants/" + variant)["nodes"]["test"]["accuracy"].get<double>();
  };
  REQUIRE(accuracy("C=1") > accuracy("C=0.0001"));
  CHECK(outcome.output.find("  C=0.0001  (best so far)\n") != std::string::npos);
  CHECK(outcome.output.find("  C=1  (best so far)\n") != std::string::npos);
  CHECK(outcome.output.find("accuracy [%]") != std::string::npos);
  const std::string table = work.content("out/table.md");
  CHECK_MESSAGE(table.find("| 1 | **") != std::string::npos, table);
  CHECK_MESSAGE(table.find("| 0.0001 | **") == std::string::npos, table);
  const auto study = nlohmann::json::parse(work.content("out/study.json"));
  CHECK(study["higher_is_better"] == true);
  CHECK(study["unit"] == "share");
}

TEST_CASE("studies and pipelines are told apart") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.file("p.yaml", small_pipeline);
  const auto run = work("run s.yaml");
  CHECK(run.exit == 2);
  CHECK(run.output.find("'s.yaml' is a study; `semblance ablate` runs all of its variants") !=
        std::string::npos);
  work.expect("ablate p.yaml", 2, "this is not a study");
  work.expect("check s.yaml", 0, "study 'small_study' with 24 variants can run");
  CHECK(work("graph s.yaml --out g.svg").exit == 0);
}

TEST_CASE("a study is remembered with its best method, and can be compared") {
  const Workplace work;
  work.file("s.yaml", small_study("  only: {C: 1}\n"));
  const auto outcome = work("ablate s.yaml --json --quiet");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("\"study\": \"small_study\"") != std::string::npos);
  const auto history = work("history list");
  INFO(history.output);
  CHECK(history.exit == 0);
  CHECK(history.output.find("small_study") != std::string::npos);
  CHECK(history.output.find("features=") != std::string::npos);
  work.succeed("ablate s.yaml --out first --quiet");
  const auto compared = work("compare first --out tables");
  INFO(compared.output);
  CHECK(compared.exit == 0);
  CHECK(work.content("first/table.csv") == work.content("tables/table.csv"));
}

TEST_CASE("a study of 200 variants is checked") {
  const Workplace work;
  work.file("s.yaml", small_study());
  std::string values;
  for (int i = 1; i <= 17; ++i) values += (i > 1 ? ", " : "") + std::to_string(i);
  std::string study = small_study();
  study.replace(study.find("[0.1, 1]"), 8, "[" + values + "]");
  work.file("s.yaml", study);
  work.expect("check s.yaml", 0, "with 204 variants can run");
}

TEST_CASE("methods are compared over the alternatives of a slot, each the mean of its repeats") {
  const Workplace work;
  work.file("p.yaml", R"(name: sets
study:
  metric: test.error_rate
  over: data
  baseline: {C: 1}
  slots:
    C: {path: nodes.svm.C, values: [0.01, 1, 100]}
    data:
      few:  {}
      more: {nodes.points.train: 200}
      most: {nodes.points.noise: 0.3}
  repeats: {seeds: 3}
nodes:
  points: {is: source/rings, train: 100, test: 200}
  bases:  {is: basis/random, count: 10, from: points}
  rbf:    {is: similarity/rbf, from: points, bases: bases}
  svm:    {is: solver/linear_svm, from: rbf}
  test:   {is: evaluator/classification, from: svm}
)");
  const auto outcome = work("ablate p.yaml --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("Mean ± standard deviation over the 3 choices of 'data'") !=
        std::string::npos);
  const auto study = nlohmann::json::parse(work.content("out/study.json"));
  REQUIRE(study["blocks"] == nlohmann::json({"few", "more", "most"}));
  REQUIRE(study["methods"].size() == 3);
  for (const auto& method : study["methods"]) {
    const std::string name = method["name"];
    for (std::size_t b = 0; b < 3; ++b) {
      double sum = 0;
      for (const char* seed : {"1", "2", "3"})
        sum +=
            work.metrics("out/variants/" + name + ",data=" + study["blocks"][b].get<std::string>() +
                         ",seed=" + seed)["nodes"]["test"]["error_rate"]
                .get<double>();
      CHECK(method["measurements"][b]["value"].get<double>() == doctest::Approx(sum / 3));
    }
  }
  const std::string csv = work.content("out/table.csv");
  CHECK(csv.substr(0, csv.find('\n')).find("data") == std::string::npos);
}

TEST_CASE("what is compared over must be a slot, and there must be another") {
  const Workplace work;
  work.file("p.yaml", small_study("  over: feature\n"));
  const auto typo = work("check p.yaml");
  INFO(typo.output);
  CHECK(typo.exit == 2);
  CHECK(typo.output.find("unknown slot 'feature'") != std::string::npos);
  CHECK(typo.output.find("did you mean 'features'?") != std::string::npos);
}

TEST_CASE("an alternative brings along the parameters that are chosen for it") {
  const Workplace work;
  work.file("p.yaml", R"(name: chosen
study:
  metric: test.error_rate
  slots:
    machine:
      sgd:    {nodes.svm.is: solver/linear_svm_sgd}
      linear:
        nodes.svm.is: solver/linear_svm
        select.parameters: {C: {path: nodes.svm.C, values: [0.1, 1]}}
nodes:
  points: {is: source/rings, train: 100, test: 100}
  bases:  {is: basis/random, count: 10, from: points}
  rbf:    {is: similarity/rbf, from: points, bases: bases}
  svm:    {is: solver/linear_svm_sgd, from: rbf}
  test:   {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 3
  parameters: {lambda: {path: nodes.svm.lambda, values: [1e-4, 1e-2]}}
)");
  work.succeed("ablate p.yaml --out out");
  const auto chosen = [&](const std::string& machine) {
    return work.metrics("out/variants/machine=" + machine)["selection"].dump();
  };
  CHECK(chosen("linear").find("\"C\"") != std::string::npos);
  CHECK(chosen("linear").find("lambda") == std::string::npos);
  CHECK(chosen("sgd").find("lambda") != std::string::npos);
}

TEST_CASE("several figures in one table, what was chosen, and any recorded figure afterwards") {
  const Workplace work;
  work.file("p.yaml", R"(name: several
study:
  metric: [test.error_rate, test.macro_f1, svm.train_seconds]
  baseline: {count: 5}
  slots: {count: {path: nodes.bases.count, from: 5, to: 15, steps: 3}}
  repeats: {seeds: 2}
nodes:
  points: {is: source/rings, train: 100, test: 100}
  bases:  {is: basis/random, count: 10, from: points}
  rbf:    {is: similarity/rbf, from: points, bases: bases}
  svm:    {is: solver/linear_svm, from: rbf}
  test:   {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 2
  parameters: {C: {path: nodes.svm.C, values: [1, 10]}}
)");
  const auto outcome = work.succeed("ablate p.yaml --out out");
  INFO(outcome.output);
  CHECK(outcome.output.find("macro f1 [%]") != std::string::npos);
  CHECK(outcome.output.find("train time [s]") != std::string::npos);
  CHECK(outcome.output.find("chosen C") != std::string::npos);
  const auto study = nlohmann::json::parse(work.content("out/study.json"));
  const auto& first = study["methods"][0]["measurements"][0];
  CHECK(first["folders"][0] == "variants/count=5,seed=1");
  const auto metrics = work.metrics("out/variants/count=5,seed=1");
  CHECK(first["further"][0] == metrics["nodes"]["test"]["macro_f1"]);
  CHECK(first["chosen"]["C"][0] == metrics["selection"]["chosen"]["C"]);
  const auto compared = work.succeed("compare out --metric svm.train_seconds --out times");
  CHECK(compared.output.find("train time [s]") != std::string::npos);
  CHECK(work.content("times/table.csv").find("train_seconds seed=1") != std::string::npos);
  const auto accuracy = work.succeed("compare out --metric accuracy");
  CHECK(accuracy.output.find("accuracy [%]") != std::string::npos);
  CHECK(accuracy.output.find("more is better") != std::string::npos);
  work.expect("compare out --metric test.acuracy", 2, "did you mean 'accuracy'?");
  work.expect("compare out --metric svm.accuracy", 2, "no variant reports 'svm.accuracy'");
  work.expect("compare out --metric rows", 2, "add --better lower or --better higher");
  work.succeed("compare out --metric rows --better higher");
  work.expect("compare out --metric accuracy --better lower", 2, "omit --better");
}

TEST_CASE("a data folder that is missing is one message, however many data sets a study has") {
  const Workplace work;
  std::string sets;
  for (int i = 1; i <= 8; ++i)
    sets += "      d" + std::to_string(i) + ": {nodes.t.path: d" + std::to_string(i) + ".csv}\n";
  work.file("s.yaml",
            "name: s\nstudy:\n  metric: e.error_rate\n  over: data\n  slots:\n    data:\n" + sets +
                "    C: {path: nodes.svm.C, values: [1, 2]}\nnodes:\n  t: {is: source/csv, "
                "path: d1.csv, label: y}\n  svm: {is: solver/linear_svm, from: t}\n  e: {is: "
                "evaluator/classification, from: svm}\n");
  const auto outcome = work("check s.yaml --data nowhere");
  INFO(outcome.output);
  CHECK(outcome.exit == 2);
  CHECK(outcome.output.find("8 files or folders do not exist: '") != std::string::npos);
  CHECK(outcome.output.find("d3.csv' and 5 more\n") != std::string::npos);
  CHECK(outcome.output.find("d4.csv") == std::string::npos);
}

TEST_CASE("of many variants the best so far and every twentieth part are shown") {
  const Workplace work;
  work.file("s.yaml", R"(name: many
study:
  metric: test.error_rate
  slots: {C: {path: nodes.svm.C, from: 0.001, to: 1000, steps: 200, scale: log}}
nodes:
  points: {is: source/rings, train: 30, test: 30}
  svm:    {is: solver/linear_svm, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  const auto outcome = work.succeed("ablate s.yaml --out out");
  INFO(outcome.output);
  std::size_t lines = 0;
  for (std::size_t at = 0;
       (at = outcome.output.find(" of 200  error_rate", at)) != std::string::npos; ++at)
    ++lines;
  CHECK(lines >= 20);
  CHECK(lines < 60);
  CHECK(outcome.output.find("  200 of 200  error_rate") != std::string::npos);
}

TEST_CASE("with repeats, the best so far is a mean over all of a combination's") {
  const Workplace work;
  work.file("s.yaml", R"(name: rings
study:
  metric: test.accuracy
  slots:
    C: {path: nodes.svm.C, values: [0.0001, 1]}
  repeats: {seeds: 3}
)" + rings_nodes);
  const std::string output = work.succeed("ablate s.yaml --out out --threads 1").output;
  INFO(output);
  CHECK(output.find("  6 of 6  accuracy") != std::string::npos);
  CHECK(output.find("seed=1  (best so far)") == std::string::npos);
  CHECK(output.find("  mean of 3  accuracy") != std::string::npos);
  CHECK(output.find("%  C=1  (best so far)\n") != std::string::npos);
}

TEST_CASE("a variant that failed is not counted as unfinished") {
  const Workplace work;
  work.file("s.yaml", R"(name: rings
study:
  metric: test.accuracy
  slots:
    kernel: {linear: {}, chi_square: {nodes.svm.kernel.is: similarity/chi_square}}
nodes:
  points: {is: source/rings, train: 30, test: 30}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/linear}, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  const auto outcome = work("ablate s.yaml --out out");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(outcome.output.find("2 variants, 1 failed; ") != std::string::npos);
}

TEST_CASE("what a deadline leaves undone is said to be so, and not to have failed") {
  const Workplace work;
  work.file("s.yaml", small_study());
  const auto outcome = work("ablate s.yaml --deadline 0.001 --out out");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(outcome.output.find("stopped by the deadline") != std::string::npos);
  CHECK(outcome.output.find("Failed") == std::string::npos);
  const std::string table = work.content("out/table.md");
  CHECK(table.find("Failed") == std::string::npos);
  CHECK(table.find("Not measured") != std::string::npos);
}

}  // namespace study_test
