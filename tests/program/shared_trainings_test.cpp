// SPDX-License-Identifier: MIT
// Trainings of kernel machines that differ in C alone share kernel values, which changes no bit.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "program.hpp"
#include "semblance/random.hpp"

namespace shared_trainings_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Three noisy classes, with a weight for each sample.
std::string samples() {
  semblance::Random random(5);
  std::ostringstream text;
  text << "x,y,weight,class\n";
  for (int i = 0; i < 150; ++i)
    text << random.normal() + (i % 3 == 1 ? 1.5 : 0) << ","
         << random.normal() + (i % 3 == 2 ? 1.5 : 0) << "," << 1 + i % 2 << ",c" << i % 3 << "\n";
  return text.str();
}

std::string pipeline(const std::string& costs, const std::string& solver = "",
                     const std::string& kernel = "is: similarity/rbf, gamma: 1") {
  return "name: costs\nseed: 3\nselect:\n  metric: test.error_rate\n  folds: 3\n"
         "  parameters:\n    C: {path: nodes.svm.C, values: " +
         costs +
         "}\nnodes:\n  s: {is: source/csv, path: s.csv, label: class, weight: weight}\n"
         "  svm: {is: solver/kernel_svm, kernel: {" +
         kernel + "}, " + solver +
         "C: 1, from: s}\n"
         "  test: {is: evaluator/classification, from: svm}\n";
}

std::string linear_pipeline(const std::string& costs, const std::string& solver = "") {
  std::string text = pipeline(costs, solver);
  const std::string machine = "solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}";
  text.replace(text.find(machine), machine.size(), "solver/linear_svm");
  return text.replace(text.find("C: 1, from"), 4, "C: 20");
}

Workplace& prepared(Workplace& work) {
  work.file("s.csv", samples());
  return work;
}

/// All arrays in a store, by their place in it.
std::map<std::string, std::string> arrays(const Workplace& work, const std::string& cache) {
  std::map<std::string, std::string> found;
  const fs::path folder = work.path / cache / "artifacts";
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.path().extension() == ".npy")
      found[fs::relative(item.path(), folder)] = work.content(fs::relative(item.path(), work.path));
  return found;
}

/// The choice among all costs, and each alone, where nothing is shared: the same store.
void check(const std::string& solver, const std::string& kernel) {
  Workplace work;
  prepared(work).file("all.yaml", pipeline("[10, 0.1, 1]", solver, kernel));
  work.succeed("run all.yaml --data . --out all --cache together --threads 1");
  for (const char* cost : {"10", "0.1", "1"}) {
    work.file("one.yaml", pipeline("[" + std::string(cost) + "]", solver, kernel));
    work.succeed("run one.yaml --data . --out one --cache apart --threads 1");
  }
  const auto together = arrays(work, "together"), apart = arrays(work, "apart");
  CHECK(together.size() >= 9);
  for (const auto& [name, content] : together) {
    CAPTURE(name);
    REQUIRE(apart.contains(name));
    CHECK(apart.at(name) == content);
  }
}

}  // namespace

TEST_CASE("trials that share kernel values store what they store alone, bit by bit") {
  check("", "is: similarity/rbf, gamma: 1");
  check("class_weights: {c1: 3}, ", "is: similarity/rbf");
  check("repair: clip, ", "is: similarity/polynomial, offset: -2");
}

TEST_CASE("neither threads, nor memory, nor a part of the trials in the store change a bit") {
  Workplace work;
  prepared(work).file("p.yaml", pipeline("[10, 0.1, 1, 100]"));
  work.file("part.yaml", pipeline("[1]"));
  work.succeed("run p.yaml --data . --out one --cache one --threads 1");
  work.succeed("run p.yaml --data . --out two --cache two --threads 2 --memory 112M");
  work.succeed("run part.yaml --data . --out part --cache resumed");
  work.succeed("run p.yaml --data . --out resumed --cache resumed --threads 3");
  const auto wanted = arrays(work, "one");
  CHECK(arrays(work, "two") == wanted);
  for (const auto& [name, content] : wanted) CHECK(arrays(work, "resumed").at(name) == content);
  const auto trials = [&](const char* out) {
    return work.metrics(out).at("selection").at("trials").dump();
  };
  CHECK(trials("two") == trials("one"));
  CHECK(trials("resumed") == trials("one"));
}

TEST_CASE("trials of linear machines solve smaller costs first, bit by bit") {
  Workplace work;
  prepared(work).file("all.yaml", linear_pipeline("[10, 0.1, 1]"));
  work.succeed("run all.yaml --data . --out one --cache together --threads 1");
  work.succeed("run all.yaml --data . --out two --cache two --threads 2");
  const auto together = arrays(work, "together");
  CHECK(arrays(work, "two") == together);
  work.file("0.yaml", linear_pipeline("[0.1]"));
  work.file("1.yaml", linear_pipeline("[1]", "solved_before: [0.1], "));
  work.file("2.yaml", linear_pipeline("[10]", "solved_before: [0.1, 1], "));
  for (const char* file : {"0.yaml", "1.yaml", "2.yaml"})
    work.succeed(std::string("run ") + file + " --data . --out apart --cache apart --threads 1");
  std::size_t same = 0;
  for (const auto& [name, content] : arrays(work, "apart"))
    if (together.contains(name)) {
      CAPTURE(name);
      CHECK(together.at(name) == content);
      ++same;
    }
  CHECK(same >= 9);  // for three costs and folds
  // The chosen machine begins with no other cost.
  CHECK_FALSE(work.metrics("one").at("nodes").at("svm").contains("path"));
}

TEST_CASE("a trial that stops at its maximum of iterations is reported") {
  Workplace work;
  prepared(work).file("p.yaml", pipeline("[0.01, 1000]", "max_iterations: 300, "));
  const auto outcome = work.succeed("run p.yaml --data . --out out");
  CHECK(contains(outcome, "iteration limit"));
}

TEST_CASE("a plan says which trainings share") {
  Workplace work;
  prepared(work).file("p.yaml", pipeline("[10, 0.1, 1]"));
  CHECK(contains(work.succeed("plan p.yaml --data ."),
                 "in its trials, svm: 3 trainings on the same samples, which differ in C, share "
                 "their kernel values (3 times)\n"));
  work.file("linear.yaml", linear_pipeline("[10, 0.1, 1]"));
  CHECK(contains(work.succeed("plan linear.yaml --data ."),
                 "in its trials, svm: 3 trainings on the same samples, which differ in C, share "
                 "their solutions for smaller C (3 times)\n"));
  work.file("single.yaml", pipeline("[10]"));
  CHECK_FALSE(contains(work.succeed("plan single.yaml --data ."), "share"));
  work.file("study.yaml",
            "name: study\nstudy:\n  metric: test.error_rate\n  repeats: {folds: 2}\n  slots:\n"
            "    C: {path: nodes.svm.C, values: [10, 0.1, 1]}\nnodes:\n"
            "  s: {is: source/csv, path: s.csv, label: class, weight: weight}\n"
            "  svm: {is: solver/kernel_svm, from: s}\n"
            "  test: {is: evaluator/classification, from: svm}\n");
  CHECK(contains(work.succeed("plan study.yaml --data ."),
                 "svm: 3 trainings on the same samples, which differ in C, share their kernel "
                 "values (2 times)\n"));
  // What is in the store needs no training.
  work.succeed("ablate study.yaml --data . --out out");
  CHECK_FALSE(contains(work.succeed("plan study.yaml --data ."), "kernel values"));
}

TEST_CASE("small trainings on the same rows begin together, so that these are computed once") {
  Workplace work;
  prepared(work).file("study.yaml",
                      "name: study\nstudy:\n  metric: test.error_rate\n  slots:\n"
                      "    C: {path: nodes.svm.C, values: [10, 0.1, 1]}\nnodes:\n"
                      "  s: {is: source/csv, path: s.csv, label: class, test_fraction: 0.3}\n"
                      "  x: {is: normalizer/zscore, from: s}\n"
                      "  svm: {is: solver/kernel_svm, from: x}\n"
                      "  test: {is: evaluator/classification, from: svm}\n");
  work.succeed("ablate study.yaml --data . --out out --no-cache --threads 2");
  const auto trace = nlohmann::json::parse(work.content("out/trace.json"));
  int blocks = 0;
  for (const auto& event : trace.at("traceEvents"))
    blocks += event.value("name", "") == "x: rows" && event.at("args").at("first_row") == 0 ? 1 : 0;
  CHECK(blocks == 1);
}

}  // namespace shared_trainings_test
