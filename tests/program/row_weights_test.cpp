// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace row_weights_test {

using namespace semblance::testing;

// Weights of rows and classes, from the file to the learned model.

namespace {

/// Every fifth row is spam; `weights`: as a column, else each row is repeated by its weight.
std::string mail(bool weights) {
  std::string text = weights ? "x,y,w,kind\n" : "x,y,kind\n";
  for (int i = 0; i < 90; ++i) {
    const bool spam = i % 5 == 0;
    const std::string row = std::to_string(i * 37 % 50 + (spam ? 12 : 0)) + "," +
                            std::to_string(i * 53 % 40 - (spam ? 9 : 0)) + ",";
    const std::string kind = spam ? "spam\n" : "ham\n";
    const int weight = i % 4;
    if (weights) text += row + std::to_string(weight) + "," + kind;
    for (int k = 0; !weights && k < weight; ++k) text += row + kind;
  }
  return text;
}

std::string pipeline(const std::string& solver, const std::string& weight = ", weight: w") {
  return "name: mail\nnodes:\n  mail: {is: source/csv, path: mail.csv, label: kind" + weight +
         "}\n  svm: {is: " + solver + ", from: mail}\n";
}

double objective(const Workplace& work, const std::string& out) {
  return work.metrics(out).at("nodes").at("svm").at("objective").get<double>();
}

}  // namespace

TEST_CASE("a column of weights trains what repeated rows train") {
  const Workplace work;
  work.file("mail.csv", mail(true));
  work.file("many/mail.csv", mail(false));
  for (const char* solver :
       {"solver/linear_svm, tolerance: 1e-8",
        "solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, C: 3, tolerance: 1e-6",
        "solver/linear_svm, tolerance: 1e-8, class_weights: {spam: 4}",
        "solver/linear_svm, tolerance: 1e-8, balanced: true"}) {
    CAPTURE(std::string(solver));
    work.file("p.yaml", pipeline(solver));
    work.file("q.yaml", pipeline(solver, ""));
    work.succeed("run p.yaml --data . --out weighted");
    work.succeed("run q.yaml --data many --out repeated");
    const double expected = objective(work, "repeated");
    CHECK(std::abs(objective(work, "weighted") / expected - 1) < 1e-5);
  }
  // Another column makes another node: nothing is taken from the store.
  work.file("p.yaml", pipeline("solver/linear_svm, tolerance: 1e-8"));
  work.succeed("run p.yaml --data . --out weighted");
  const double weighted = objective(work, "weighted");
  work.succeed("run p.yaml --data . --out other --set nodes.mail.weight=x");
  CHECK(std::abs(objective(work, "other") / weighted - 1) > 1e-3);
}

TEST_CASE("weights stay with their rows in the folds of a selection") {
  const Workplace work;
  work.file("mail.csv", mail(true));
  work.file("p.yaml", pipeline("solver/linear_svm, tolerance: 1e-8", ", weight: w, test_rows: 10") +
                          "  test: {is: evaluator/classification, from: svm}\nselect:\n  metric: "
                          "test.accuracy\n  folds: 3\n"
                          "  parameters:\n    C: {path: nodes.svm.C, values: [0.01, 1]}\n");
  work.succeed("run p.yaml --data . --out out");
}

TEST_CASE("a model with weights is applied to rows that have none") {
  const Workplace work;
  work.file("mail.csv", mail(true));
  work.file("p.yaml", pipeline("solver/linear_svm"));
  work.succeed("run p.yaml --data . --out out");
  work.file("new.csv", "y,x\n3,4\n-20,60\n");
  work.succeed("predict out/model new.csv --out told");
  work.file("wrong.csv", "y,x,w\n3,4,heavy\n");
  work.succeed("predict out/model wrong.csv --out told_too");
}

TEST_CASE("solvers that count every row once are refused before anything runs") {
  const Workplace work;
  work.file("mail.csv", mail(true));
  work.file("p.yaml", pipeline("solver/liblinear"));
  for (const char* verb : {"check", "plan", "run"}) {
    const auto outcome = work(std::string(verb) + " p.yaml --data .");
    CHECK(outcome.exit == 2);
    CHECK(outcome.output.find("p.yaml:4:37: error: solver/liblinear counts every row once, but "
                              "those of 'mail' have weights\n") != std::string::npos);
    CHECK(contains(outcome,
                   "use one that supports them: solver/linear_svm, solver/linear_svm_sgd, "));
    CHECK(contains(outcome, " and 3 more\n"));
  }
  // Nor is one inside another.
  const auto inside = work(
      "check p.yaml --data . --set nodes.svm.is=solver/greedy_selection --set "
      "'nodes.svm.solver={is: solver/libsvm}'");
  CHECK(inside.exit == 2);
}

TEST_CASE("class weights are by name; other forms and names are refused before anything runs") {
  const Workplace work;
  work.file("mail.csv", mail(true));
  work.file("p.yaml", pipeline("solver/linear_svm, class_weights: {span: 4}"));
  for (const char* verb : {"plan", "run"}) {
    const auto outcome = work(std::string(verb) + " p.yaml --data .");
    CHECK(outcome.exit != 0);
    CHECK(contains(outcome,
                   "'class_weights' names the class 'span', which 'mail' does not have; "
                   "did you mean 'spam'?"));
  }
  work.file("p.yaml", pipeline("solver/linear_svm, class_weights: [1, 4]"));
  const auto list = work("check p.yaml --data .");
  CHECK(list.exit == 2);
  CHECK(contains(list, "'class_weights' must be a mapping, got a list"));
  CHECK(contains(list, "write {NAME: VALUE}, one for each name"));
  work.file("p.yaml", pipeline("solver/greedy_selection, solver: {is: solver/linear_svm, "
                               "class_weights: {hum: 2}}"));
  CHECK(contains(work("plan p.yaml --data ."), "did you mean 'ham'?"));
}

TEST_CASE("a solver's description says whether it uses sample weights") {
  const Workplace work;
  CHECK(contains(work.succeed("describe solver/linear_svm"), "row weights it uses them"));
  CHECK(contains(work.succeed("describe solver/libsvm"), "row weights it takes none"));
}

}  // namespace row_weights_test
