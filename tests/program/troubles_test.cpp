// SPDX-License-Identifier: MIT
// The messages of a run with problems of its machines, plugins or rows.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "program.hpp"

namespace troubles_test {

using namespace semblance::testing;

namespace {

const std::string plugin_file = SEMBLANCE_TEST_PLUGINS "/troubled.so";
const std::string plugin = " --plugin-path " + plugin_file + " --data . ";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Rows whose first value is their number, of two classes.
std::string numbered_rows(std::size_t rows) {
  std::string text = "n,x,y\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += std::to_string(i) + "," + std::to_string(i * 37 % 11) + (i % 2 ? ",a\n" : ",b\n");
  return text;
}

std::string map_of(const std::string& similarity) {
  return "name: p\nnodes:\n"
         "  t:   {is: source/csv, path: rows.csv, label: y, test_fraction: 0.25}\n"
         "  b:   {is: basis/random, count: 5, from: t}\n"
         "  map: {is: similarity/" +
         similarity +
         ", from: t, bases: b}\n"
         "  svm: {is: solver/linear_svm, from: map}\n"
         "  e:   {is: evaluator/classification, from: svm}\n";
}

/// Overlapping classes, for a machine with a limited number of steps.
std::string short_machine(int steps) {
  return "name: p\nnodes:\n"
         "  t:   {is: source/banana, train: 200, test: 50}\n"
         "  svm: {is: solver/kernel_svm, C: 1000, max_iterations: " +
         std::to_string(steps) +
         ", from: t}\n"
         "  e:   {is: evaluator/classification, from: svm}\n";
}

}  // namespace

TEST_CASE(
    "a machine that has not converged is warned of, on the terminal, in the log, on the page") {
  const Workplace work;
  const std::string file = work.file("p.yaml", short_machine(3));
  const std::string text =
      "svm: ended at the iteration limit without converging, with a duality gap";
  for (const char* again : {"computed", "from the store"}) {
    INFO(again);
    const auto outcome = work.succeed("run " + file + " --out out");
    CHECK(count(outcome.output, text) == 1);
    CHECK(contains(outcome, "; raise max_iterations, lower C or scale its input"));
    CHECK(contains(work.content("out/run.log"), text));
    CHECK(contains(work.content("out/report.html"), text));
    CHECK(work.metrics("out")["nodes"]["svm"]["certificate"] == "iteration limit");
  }
  const auto long_enough =
      work.succeed("run " + work.file("q.yaml", short_machine(10000000)) + " --out other");
  CHECK(!contains(long_enough, "warning"));
}

TEST_CASE("a study warns once of machines that have not converged, with the largest gap") {
  const Workplace work;
  const std::string machine = short_machine(3);
  const std::string study =
      work.file("s.yaml",
                "name: limits\nstudy:\n  metric: e.error_rate\n  slots:\n"
                "    cost: {path: nodes.svm.C, values: [10, 1000]}\n"
                "    steps: {path: nodes.svm.max_iterations, values: [3, 1000000]}\n" +
                    machine.substr(machine.find("nodes:")));
  const auto outcome = work.succeed("ablate " + study + " --out out");
  INFO(outcome.output);
  CHECK(count(outcome.output, "without converging") == 1);
  CHECK(contains(outcome,
                 "svm: 2 of 4 trainings ended at the iteration limit without converging, with a "
                 "duality gap of up to "));
  CHECK(contains(work.content("out/report.html"), "svm: 2 of 4 trainings ended"));
}

TEST_CASE("a figure that is not a number fails its evaluator, in a run, a study and check-plugin") {
  const Workplace work;
  const std::string pipeline =
      "name: p\nnodes:\n"
      "  t:   {is: source/xor, train: 40, test: 40}\n"
      "  svm: {is: solver/kernel_svm, from: t}\n"
      "  e:   {is: evaluator/no_number, from: svm}\n";
  work.expect("run " + work.file("p.yaml", pipeline) + plugin, 1,
              "node 'e' (evaluator/no_number), while evaluating: the figure 'kappa' is not a "
              "number (NaN): what does not exist must not be reported; this is a mistake in "
              "evaluator/no_number");
  const std::string study = work.file("s.yaml",
                                      "name: s\nstudy:\n  metric: e.kappa\n  slots:\n"
                                      "    cost: {path: nodes.svm.C, values: [1, 2]}\n" +
                                          pipeline.substr(pipeline.find("nodes:")));
  const auto outcome = work("ablate " + study + " --out out" + plugin);
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(contains(outcome, "2 failed"));
  CHECK(contains(work("check-plugin " + plugin_file), "the figure 'kappa' is not a number (NaN)"));
}

TEST_CASE("a crash says in which node, component and plugin it happened") {
  if (sanitized) return;  // which handle signals themselves
  const Workplace work;
  work.file("rows.csv", numbered_rows(80));
  struct Case {
    const char* mode;
    int exit;
    const char* what;
    int times = 1;
  };
  for (const auto& [mode, exit, what, times] :
       {Case{"segfault", -SIGSEGV, "segmentation fault"}, Case{"abort", -SIGABRT, "abort"},
        Case{"exit", 1, "exit", 10}}) {
    const std::string file = work.file(
        "p.yaml", map_of("troubled, mode: " + std::string(mode) + ", limit: 50, width: 1"));
    for (int time = 0; time < times; ++time) {
      const std::string out = std::string("out_") + mode + std::to_string(time);
      const auto outcome = work("run " + file + plugin + "--out " + out);
      INFO(mode << "\n" << outcome.output);
      CHECK(outcome.exit == exit);
      const std::string text =
          "semblance: crashed (" + std::string(what) +
          ") in node 'map' (similarity/troubled), while preparing the bases: a mistake in plugin "
          "'troubled' 1.2.3 (" +
          plugin_file + "), or in a library that it uses; 'semblance check-plugin' tests it\n";
      CHECK(contains(outcome, text));
      CHECK(contains(work.content(out + "/run.log"), text));
    }
  }
}

TEST_CASE("an error about a row names it by its number in the data") {
  const Workplace work;
  work.file("rows.csv", numbered_rows(80));
  for (const std::string mode : {"error", "exception"}) {
    // Only the last row fails, at any position among training and test samples.
    const std::string file =
        work.file("p.yaml", map_of("troubled, mode: " + mode + ", limit: 78.5, width: 1"));
    const auto outcome = work("run " + file + plugin + "--no-cache --seed 5");
    INFO(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(
        contains(outcome, mode == "error"
                              ? "row 79 of the data (counted from 0): its first value is too large"
                              : "row 79 of the data (counted from 0): a table is empty"));
  }
  std::string rows = numbered_rows(12);
  work.file("rows.csv", rows);
  work.file("test.csv", "n,x,y\n3,1,a\n4,1,b\n1000,2,a\n");
  const std::string file =
      work.file("q.yaml",
                "name: q\nnodes:\n"
                "  t:   {is: source/csv, path: rows.csv, test_path: test.csv, label: y}\n"
                "  b:   {is: basis/all, from: t}\n"
                "  map: {is: similarity/troubled, limit: 100, width: 1, from: t, bases: b}\n"
                "  svm: {is: solver/linear_svm, from: map}\n"
                "  e:   {is: evaluator/classification, from: svm}\n");
  work.expect("run " + file + plugin + "--no-cache", 1,
              "row 2 of the test data (counted from 0): its first value is too large");
}

TEST_CASE("similarities that are not what their definition says end the run") {
  const Workplace work;
  work.file("rows.csv", numbered_rows(80));
  const std::string text = "differ from their definition by up to 0.0";
  const auto map = work("run " + work.file("p.yaml", map_of("coarse")) + plugin);
  INFO(map.output);
  CHECK(map.exit == 1);
  CHECK(contains(map,
                 "node 'map' (similarity/coarse), while preparing the bases: similarities of "
                 "a sample of rows " +
                     text));
  CHECK(contains(map, "center and scale the samples (normalizer/zscore)"));
  const auto machine = work("run " +
                            work.file("q.yaml",
                                      "name: q\nnodes:\n"
                                      "  t:   {is: source/banana, train: 100, test: 10}\n"
                                      "  svm: {is: solver/kernel_svm, kernel: {is: "
                                      "similarity/coarse}, from: t}\n"
                                      "  e:   {is: evaluator/classification, from: svm}\n") +
                            plugin);
  INFO(machine.output);
  CHECK(machine.exit == 1);
  CHECK(contains(machine, "the kernel's values for a sample of training rows " + text));
}

TEST_CASE("metrics say by how much a sample of values differs from its definition") {
  const Workplace work;
  const std::string file =
      work.file("p.yaml",
                "name: p\nnodes:\n"
                "  t:   {is: source/banana, train: 300, test: 50}\n"
                "  b:   {is: basis/random, count: 30, from: t}\n"
                "  map: {is: similarity/rbf, gamma: 2, from: t, bases: b}\n"
                "  lin: {is: solver/linear_svm, from: map}\n"
                "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 2}, from: t}\n"
                "  e:   {is: evaluator/classification, from: lin}\n"
                "  f:   {is: evaluator/classification, from: svm}\n");
  work.succeed("run " + file + " --out out");
  const auto nodes = work.metrics("out")["nodes"];
  for (const char* node : {"map", "svm"}) {
    CHECK(nodes[node]["check_error"] > 0.0);
    CHECK(nodes[node]["check_error"] < 1e-5);
  }
  CHECK(nodes["svm"]["check_violation"] <= nodes["svm"]["violation"].get<double>() + 1e-4);
}

TEST_CASE("predict names the plugin that a model needs") {
  const Workplace work;
  work.file("rows.csv", numbered_rows(80));
  const std::string file =
      work.file("p.yaml", map_of("troubled, mode: error, limit: 1000, width: 5"));
  work.succeed("run " + file + plugin + "--out out");
  const auto without = work("predict out/model rows.csv");
  CHECK(without.exit == 2);
  CHECK(without.output ==
        "semblance: the model 'out/model' needs the plugin 'troubled' 1.2.3 (troubled.so), which "
        "is not among those found; give the file or its folder with --plugin-path\n");
  work.succeed("predict out/model rows.csv" + plugin);
}

TEST_CASE("the command that repeats a run is that of the program as it is called") {
  const Workplace work;
  const std::string file = work.file("p.yaml", short_machine(1000000));
  work.succeed("run " + file + " --out out");
  CHECK(contains(work.content("out/report.html"), "./semblance run"));
  namespace fs = std::filesystem;
  const fs::path program = SEMBLANCE_PROGRAM;
  fs::create_directories(work.path / "usr/bin");
  fs::copy_file(program, work.path / "usr/bin/semblance");
  fs::create_directory_symlink(program.parent_path().parent_path() / "lib", work.path / "usr/lib");
  if (fs::exists(program.parent_path().parent_path() / "share"))
    fs::create_directory_symlink(program.parent_path().parent_path() / "share",
                                 work.path / "usr/share");
  const auto outcome = work.shell("usr/bin/semblance run p.yaml --out installed");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(contains(work.content("installed/report.html"), "semblance run"));
  CHECK(!contains(work.content("installed/report.html"), "./semblance run"));
}

}  // namespace troubles_test
