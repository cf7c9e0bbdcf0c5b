// SPDX-License-Identifier: MIT
// Rows that belong together, such as those of one patient, are never divided: a model that learned
// from some of them would recognize the others.
#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace grouped_folds_test {

using namespace semblance::testing;

namespace {

constexpr int people = 40, rows_each = 6;

/// People who are easily recognized by two values, with random classes: only a model that has seen
/// them in other rows knows their class. A third, much larger value reveals the class in seven rows
/// of ten for everyone.
std::string table() {
  semblance::Random random(3);
  std::vector<std::string> lines;
  for (int person = 0; person < people; ++person) {
    const double x = 10 * random.normal(), y = 10 * random.normal();
    for (int i = 0; i < rows_each; ++i) {
      std::ostringstream line;
      const bool second = person % 2 == 1;
      const bool hint = random.uniform() < 0.7 ? second : !second;
      line << x + 0.01 * random.normal() << "," << y + 0.01 * random.normal() << ","
           << (hint ? 1000 : 0) << ",person " << person << "," << (second ? "b" : "a") << "\n";
      lines.push_back(line.str());
    }
  }
  random.shuffle(std::span(lines));
  std::string text = "x,y,hint,who,kind\n";
  for (const std::string& line : lines) text += line;
  return text;
}

const std::string learner =
    "  svm: {is: solver/kernel_svm, C: 100, kernel: {is: similarity/rbf, gamma: 10}, from: s}\n";
const std::string evaluator = "  test: {is: evaluator/classification, from: svm}\n";

std::string source(const std::string& more) {
  return "name: people\nseed: 2\nnodes:\n  s: {is: source/csv, path: t.csv, label: kind, columns: "
         "[x, y]" +
         more + "}\n";
}

const std::string grouped = ", groups: who", ungrouped;

std::string selection(const std::string& folds) {
  return "select: {metric: test.accuracy, folds: " + folds + "}\n";
}

struct People {
  People() { work.file("t.csv", table()); }

  nlohmann::json run(const std::string& pipeline, const std::string& options = "") const {
    work.file("p.yaml", pipeline);
    work.succeed("run p.yaml --data . --quiet --no-cache --out out" + options);
    return work.metrics("out");
  }
  std::vector<double> folds(const std::string& pipeline, const std::string& options = "") const {
    return run(pipeline, options).at("selection").at("trials").at(0).at("folds");
  }
  void refused(const std::string& pipeline, const std::string& message) const {
    work.file("p.yaml", pipeline);
    work.expect("check p.yaml --data .", 2, message);
  }
  Workplace work;
};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

}  // namespace

TEST_CASE("folds by row recognize people, folds by group do not") {
  const People here;
  const auto pipeline = [](const std::string& groups, const std::string& folds) {
    return source(groups) + learner + evaluator + selection(folds);
  };
  const auto by_row = here.folds(pipeline(ungrouped, "5"));
  CHECK(mean(by_row) > 0.99);
  const auto by_group = here.folds(pipeline(grouped, "5"));
  CHECK(mean(by_group) < 0.7);
  CHECK(here.folds(pipeline(grouped, "{count: 5, by: group}")) == by_group);
  CHECK(here.folds(pipeline(grouped, "{by: group}")) == by_group);
  CHECK(here.folds(pipeline(grouped, "{count: 5, by: row}")) == by_row);
  CHECK(here.folds(pipeline(grouped, "5"), " --set 'select.folds={count: 5, by: row}'") == by_row);
  for (const char* threads : {" --threads 1", " --threads 3"})
    CHECK(here.folds(pipeline(grouped, "5"), threads) == by_group);
}

TEST_CASE("test_fraction takes whole groups") {
  const People here;
  const auto accuracy = [&](const std::string& more) {
    return here.run(source(more + ", test_fraction: 0.25") + learner + evaluator)
        .at("nodes")
        .at("test")
        .at("accuracy")
        .get<double>();
  };
  CHECK(accuracy(ungrouped) > 0.99);
  CHECK(accuracy(grouped) < 0.8);
  CHECK(accuracy(grouped + ", split_by: row") > 0.99);
}

TEST_CASE("a study's folds keep groups together, with several seeds and when variants choose") {
  const People here;
  const auto values = [&](const std::string& groups, const std::string& folds,
                          const std::string& end = "") {
    here.work.file("s.yaml",
                   source(groups) + learner + evaluator + end +
                       "study:\n  metric: test.accuracy\n  slots: {C: {path: nodes.svm.C, values: "
                       "[1, 100]}}\n  repeats: {folds: " +
                       folds + ", seeds: 2}\n");
    here.work.succeed("ablate s.yaml --data . --quiet --no-cache --out out");
    const auto study = nlohmann::json::parse(here.work.content("out/study.json"));
    std::vector<double> all;
    for (const auto& measured : study.at("methods").at(1).at("measurements"))
      all.push_back(measured.at("value"));
    return all;
  };
  const auto by_group = values(grouped, "{count: 4, by: group}");
  REQUIRE(by_group.size() == 8);
  CHECK(mean(by_group) < 0.7);
  CHECK(values(grouped, "4") == by_group);
  const auto by_row = values(grouped, "{count: 4, by: row}");
  CHECK(mean(by_row) > 0.99);
  CHECK(values(ungrouped, "4") == by_row);
  // The folds of the seeds are those of its seeds' own cross-validations.
  const auto own = here.folds(source(grouped) + learner + evaluator + selection("4"), " --seed 3");
  CHECK(std::vector<double>(by_group.begin() + 4, by_group.end()) == own);
  // Each variant chooses on folds of the other folds' rows, which keep groups together again.
  CHECK(mean(values(grouped, "4",
                    "select: {metric: test.accuracy, folds: 3, parameters: {gamma: {path: "
                    "nodes.svm.kernel.gamma, values: [1, 10]}}}\n")) < 0.7);
}

TEST_CASE("a selection chooses what holds for new groups") {
  const People here;
  const auto chosen = [&](const std::string& groups, const std::string& folds) {
    const auto metrics = here.run(source(groups) + learner + evaluator +
                                  "select:\n  metric: test.accuracy\n  folds: " + folds +
                                  "\n  parameters:\n    columns: {path: nodes.s.columns, values: "
                                  "[[x, y], [hint]]}\n");
    return metrics.at("selection").at("chosen").at("columns").get<std::string>();
  };
  CHECK(chosen(grouped, "5") == "hint");
  CHECK(chosen(grouped, "{count: 5, by: row}") == "x+y");
}

TEST_CASE("a calibrator learns from scores of new groups") {
  const People here;
  const auto log_loss = [&](const std::string& groups, const std::string& folds) {
    const auto nodes = here.run(source(groups + ", test_fraction: 0.25") + learner +
                                "  p: {is: calibrator/probabilities" + folds +
                                ", from: svm}\n  test: {is: evaluator/classification, from: p}\n")
                           .at("nodes");
    return nodes.at("p").at("held_out_log_loss").get<double>();
  };
  const double by_row = log_loss(ungrouped, ""), by_group = log_loss(grouped, "");
  CHECK(by_row < 0.1);
  CHECK(by_group > 0.6);
  CHECK(log_loss(grouped, ", folds_by: group") == by_group);
  CHECK(log_loss(grouped + ", split_by: row", ", folds_by: row") == by_row);
  here.refused(source(ungrouped) + learner +
                   "  p: {is: calibrator/probabilities, folds_by: group, from: svm}\n",
               "'p' makes folds by group, but the rows of 's' have no groups");
}

TEST_CASE("greedy_selection adds the inputs that tell of new groups") {
  const People here;
  const auto first = [&](const std::string& groups, const std::string& folds) {
    const auto nodes =
        here.run(
                "name: greedy\nseed: 2\nnodes:\n  s: {is: source/csv, path: t.csv, label: kind, "
                "columns: [x, y, hint]" +
                groups +
                "}\n  bases: {is: basis/all, from: s}\n"
                "  known: {is: similarity/rbf, gamma: 10, from: s, bases: bases}\n"
                "  hinted: {is: similarity/rbf, gamma: 1e-6, from: s, bases: bases}\n"
                "  chosen: {is: solver/greedy_selection, most: 1" +
                folds + ", from: [known, hinted]}\n")
            .at("nodes");
    return nodes.at("chosen").at("order").get<std::string>();
  };
  CHECK(first(grouped, "") == "hinted");
  CHECK(first(grouped, ", folds_by: row") == "known");
}

TEST_CASE("folds by group need groups, and one row left out at a time does not fit them") {
  const People here;
  const std::string nodes = source(ungrouped) + learner + evaluator;
  here.refused(nodes + selection("{count: 5, by: group}"),
               "'folds' are by group, but the rows of 's' have no groups");
  here.refused(nodes + selection("{count: 5, by: people}"),
               "'by' must be group or row, got 'people'");
  here.refused(nodes + selection("{folds: 5}"), "'folds' has no 'folds'");
  here.refused(nodes +
                   "study:\n  metric: test.accuracy\n  slots: {C: {path: nodes.svm.C, values: "
                   "[1, 100]}}\n  repeats: {folds: {count: 3, by: group}}\n",
               "'folds' are by group, but the rows of 's' have no groups");
  const std::string neighbours =
      source(grouped) +
      "  bases: {is: basis/all, from: s}\n  near: {is: similarity/rbf, gamma: 10, from: s, bases: "
      "bases}\n  svm: {is: solver/nearest_neighbour, from: near}\n" +
      evaluator;
  here.refused(neighbours + selection("leave_one_out"),
               "rows of 's' have groups, and leave_one_out leaves out one row at a time");
  const auto by_row = here.run(neighbours + selection("{count: leave_one_out, by: row}"));
  CHECK(by_row.at("selection").at("trials").at(0).at("mean").get<double>() > 0.99);
  CHECK(mean(here.folds(neighbours + selection("5"))) < 0.7);
}

TEST_CASE("too few groups, and a class of a single group") {
  const People here;
  here.work.file("p.yaml", source(grouped) + learner + evaluator + selection("41"));
  here.work.expect("run p.yaml --data . --out out", 1,
                   "41 folds by group need at least as many groups, but the training rows are of "
                   "40; lower 'folds' of select");
  std::string text = table();
  for (int i = 0; i < 3; ++i) text += std::to_string(100 + i) + ",50,1,person 7,c\n";
  here.work.file("t.csv", text);
  here.work.file("p.yaml", source(grouped) + learner + evaluator + selection("5"));
  here.work.expect("run p.yaml --data . --out out", 0,
                   "class 'c' has all its training rows in a single group, which every fold "
                   "learns from and none tests");
}

}  // namespace grouped_folds_test
