// SPDX-License-Identifier: MIT
// Scores that overflow are no result: they are refused wherever they would leave.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace finite_scores_test {

using namespace semblance::testing;

namespace {

std::string table(const std::vector<std::string>& more) {
  std::string text = "width,height,kind\n";
  for (int i = 0; i < 60; ++i)
    text += "0.0" + std::to_string(i % 10) + ",0.0" + std::to_string((i * 7) % 10) +
            (i % 10 < 5 ? ",low\n" : ",high\n");
  for (const std::string& row : more) text += row + "\n";
  return text;
}

const std::string far = "0.01,0.02,low\n3e38,-3e38,high";

}  // namespace

TEST_CASE("scores that are not finite end a run, with their row and column") {
  const Workplace work;
  work.file("train.csv", table({}));
  work.file("near.csv", "width,height,kind\n0.01,0.02,low\n0.08,0.03,high\n");
  work.file("far.csv", "width,height,kind\n" + far + "\n");
  const std::string rows =
      "name: p\nnodes:\n  t: {is: source/csv, path: train.csv, test_path: TEST.csv}\n";
  for (const auto& [name, nodes] : std::vector<std::pair<std::string, std::string>>{
           {"alone", "  svm: {is: solver/linear_svm, C: 1000, from: t}\n"},
           {"calibrated",
            "  svm: {is: solver/linear_svm, C: 1000, from: t}\n"
            "  sets: {is: calibrator/conformal, from: svm}\n"},
           {"judged",
            "  svm: {is: solver/linear_svm, C: 1000, from: t}\n"
            "  test: {is: evaluator/classification, from: svm}\n"}}) {
    CAPTURE(name);
    const auto at = [&](const std::string& test) {
      std::string text = rows + nodes;
      text.replace(text.find("TEST"), 4, test);
      return text;
    };
    work.file("far.yaml", at("far"));
    work.file("near.yaml", at("near"));
    const Workplace::Outcome outcome = work("run far.yaml --data . --out far");
    CAPTURE(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(contains(outcome, "node 'svm' (solver/linear_svm), while computing rows: the score of "));
    CHECK(contains(outcome, "of row 1 of the test data is "));
    CHECK(contains(outcome, "3e+38 in column 'width'"));
    work.succeed("run near.yaml --data . --out near");
    work.expect("predict near/model far.csv --out p", 1, " of row 1 of the new data is ");
    const auto lines =
        work.shell("printf '0.01,0.02\\n3e38,-3e38\\n' | $program predict near/model --stdin");
    CHECK(lines.exit == 1);
    CHECK(contains(lines, "not a finite number"));
  }
}

}  // namespace finite_scores_test
