// SPDX-License-Identifier: MIT
// The effect of blocks and test rows in the program: which results are paired, and by which test.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "program.hpp"
#include "semblance/random.hpp"

namespace blocks_test {

using namespace semblance::testing;

namespace {

/// Two noisy classes, a after b after a: the same labels for every seed.
std::string noisy(std::uint64_t seed, int rows = 60) {
  semblance::Random random(seed);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i)
    text << random.normal() + (i % 2) << "," << random.normal() << "," << (i % 2 ? "b" : "a")
         << "\n";
  return text.str();
}

/// A linear machine on `source`; `study` has the variations.
std::string study(const std::string& source, const std::string& varied) {
  return "name: blocks\nstudy:\n  metric: test.error_rate\n" + varied + "nodes:\n  s: " + source +
         "\n  x:    {is: normalizer/zscore, from: s}\n"
         "  svm:  {is: solver/linear_svm, from: x}\n"
         "  test: {is: evaluator/classification, from: svm}\n";
}

const std::string two_costs =
    "  baseline: {C: 1e-7}\n  slots:\n"
    "    C: {path: nodes.svm.C, values: [1e-7, 1]}\n";

struct Ablated {
  std::string output;
  nlohmann::json comparison;
  nlohmann::json methods;
};

Ablated ablate(const Workplace& work, const std::string& text) {
  work.file("s.yaml", text);
  const auto outcome = work("ablate s.yaml --data . --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  auto json = nlohmann::json::parse(work.content("out/study.json"));
  return {outcome.output, json.at("comparison"), json.at("methods")};
}

}  // namespace

TEST_CASE("test rows of other data are not paired, however alike their labels") {
  const Workplace work;
  work.file("one.csv", noisy(1));
  work.file("two.csv", noisy(2));
  work.file("copy.csv", noisy(1));
  const auto between = [](const std::string& other) {
    return study("{is: source/csv, path: one.csv, test_rows: 20}",
                 "  baseline: {data: one.csv}\n  slots:\n"
                 "    data: {path: nodes.s.path, values: [one.csv, " +
                     other + "]}\n");
  };
  for (const char* store : {"computed", "from the store"}) {
    INFO(store);
    const auto other = ablate(work, between("two.csv"));
    CHECK(other.comparison["methods"][1]["tests"]["mcnemar"].dump() ==
          R"({"remark":"other test rows"})");
    CHECK(other.output.find("other test rows") != std::string::npos);
    const auto same = ablate(work, between("copy.csv"));
    CHECK(same.comparison["methods"][1]["tests"]["mcnemar"]["p"] == 1);
  }
  SUBCASE("neither by compare") {
    for (const char* name : {"one", "two", "copy"})
      work.succeed(
          "run out/variants/data=one.csv/pipeline.yaml --data . --quiet --set nodes.s.path=" +
          std::string(name) + ".csv --out " + name);
    const auto other = work("compare one two");
    INFO(other.output);
    CHECK(other.output.find("other test rows") != std::string::npos);
    CHECK(work("compare one copy").output.find("1.000") != std::string::npos);
  }
}

TEST_CASE("the same test rows are paired where only what is learned from differs") {
  const Workplace work;
  work.file("train.csv", noisy(1));
  work.file("more.csv", noisy(1) + noisy(3));
  work.file("test.csv", noisy(2));
  const auto result =
      ablate(work, study("{is: source/csv, path: train.csv, test_path: test.csv}",
                         "  baseline: {data: train.csv}\n  slots:\n"
                         "    data: {path: nodes.s.path, values: [train.csv, more.csv]}\n"));
  CHECK(result.comparison["methods"][1]["tests"]["mcnemar"]["p"].is_number());
}

TEST_CASE("random splits of one file are tested as what they are") {
  const Workplace work;
  work.file("data.csv", noisy(1));
  const auto result = ablate(work, study("{is: source/csv, path: data.csv, test_fraction: 0.25}",
                                         two_costs + "  repeats: {seeds: 2}\n"));
  CHECK(result.comparison["blocks_are"] == "overlapping");
  CHECK(result.output.find("corrected resampled t-test") != std::string::npos);
  CHECK(result.comparison["friedman_p"].is_null());
  // With one degree of freedom Student's distribution is Cauchy's. 15 of 60 rows are tested.
  const auto& one = result.methods[0]["measurements"];
  const auto& other = result.methods[1]["measurements"];
  CHECK(one[0]["trained"] == 44);
  CHECK(one[0]["tested"] == 16);
  double d[2];
  for (std::size_t b = 0; b < 2; ++b)
    d[b] = other[b]["value"].get<double>() - one[b]["value"].get<double>();
  REQUIRE(d[0] != d[1]);
  const double variance = (d[0] - d[1]) * (d[0] - d[1]) / 2;
  const double t = (d[0] + d[1]) / 2 / std::sqrt(variance * (0.5 + 16.0 / 44));
  CHECK(result.comparison["methods"][1]["tests"]["t"]["p"].get<double>() ==
        doctest::Approx(1 - 2 / std::numbers::pi * std::atan(std::abs(t))).epsilon(1e-9));
  SUBCASE("also folds that lie in files of their own") {
    const std::string all = noisy(1);
    const std::size_t half = all.find('\n', all.size() / 2) + 1;
    work.file("first.csv", all.substr(0, half));
    work.file("second.csv", all.substr(half));
    const auto folds = ablate(
        work,
        study("{is: source/csv, path: first.csv, test_path: second.csv}",
              two_costs + "  repeats: {path: nodes.s.path, values: [first.csv, second.csv]}\n"));
    // The second repeat learns from its test rows; this test checks only what is noticed.
    CHECK(folds.comparison["blocks_are"] != "independent");
  }
}

TEST_CASE("of two methods that are equal by construction few are found to differ") {
  // Each sees one of two features with the same distribution. Twenty splits of each of twelve data
  // sets.
  const Workplace work;
  const auto p_of = [&](std::uint64_t data, double& naive_t) {
    semblance::Random random(data);
    std::ostringstream text;
    for (int i = 0; i < 90; ++i) {
      const double first = random.normal(), second = random.normal();
      text << first + i % 2 << "," << second + i % 2 << "," << (i % 2 ? "b" : "a") << "\n";
    }
    work.file("data.csv", text.str());
    const auto result = ablate(
        work, study("{is: source/csv, path: data.csv, ignore: [\"1\"], test_fraction: 0.3333}",
                    "  baseline: {sees: second}\n  slots:\n    sees:\n      second: {}\n"
                    "      first: {nodes.s.ignore: [\"2\"]}\n  repeats: {seeds: 20}\n"));
    double sum = 0, squares = 0;
    for (std::size_t b = 0; b < 20; ++b) {
      const double d = result.methods[1]["measurements"][b]["value"].get<double>() -
                       result.methods[0]["measurements"][b]["value"].get<double>();
      sum += d, squares += d * d;
    }
    naive_t = std::abs(sum / 20) / std::sqrt((squares - sum * sum / 20) / 19 / 20);
    return result.comparison["methods"][1]["tests"]["t"]["p"].get<double>();
  };
  int found = 0, found_by_naive_test = 0;
  for (std::uint64_t data = 1; data <= 12; ++data) {
    double t = 0;
    found += p_of(data, t) < 0.05 ? 1 : 0;
    found_by_naive_test += t > 2.093 ? 1 : 0;  // Student's 5 % with 19 degrees of freedom
  }
  CHECK(found <= 2);
  CHECK(found_by_naive_test >= 4);
}

TEST_CASE("data that are drawn anew for every seed are independent blocks") {
  const Workplace work;
  const auto result = ablate(work, study("{is: source/rings, train: 60, test: 60}",
                                         two_costs + "  repeats: {seeds: 6}\n"));
  CHECK(result.comparison["blocks_are"] == "independent");
  CHECK(result.comparison["methods"][1]["tests"]["wilcoxon"].contains("p"));
  SUBCASE("and with fewer than six Wilcoxon's test says that it cannot tell") {
    const auto few = ablate(work, study("{is: source/rings, train: 60, test: 60}",
                                        two_costs + "  repeats: {seeds: 3}\n"));
    CHECK(few.comparison["methods"][1]["tests"]["wilcoxon"].dump() ==
          R"({"remark":"too few blocks"})");
    CHECK(work.content("out/report.html").find("too few blocks") != std::string::npos);
    CHECK(work.content("out/table.tex").find("too few blocks") != std::string::npos);
    CHECK(work.content("out/table.csv").find("Wilcoxon: too few blocks") != std::string::npos);
  }
}

TEST_CASE("seeds that change nothing are one result, whose test rows are the pairs") {
  const Workplace work;
  work.file("train.csv", noisy(1));
  work.file("test.csv", noisy(2, 400));
  const std::string fixed = "{is: source/csv, path: train.csv, test_path: test.csv}";
  const auto result = ablate(work, study(fixed, two_costs + "  repeats: {seeds: 7}\n"));
  CHECK(result.comparison["blocks_are"] == "same_rows");
  const auto tests = result.comparison["methods"][1]["tests"];
  CHECK_FALSE(tests.contains("wilcoxon"));
  const auto once = ablate(work, study(fixed, two_costs));
  CHECK(tests["mcnemar"] == once.comparison["methods"][1]["tests"]["mcnemar"]);
  SUBCASE("where they change the training, rows and trainings are tested together") {
    std::string random = study(fixed, two_costs + "  repeats: {seeds: 4}\n");
    random.replace(random.find("  svm:"), 0,
                   "  bases: {is: basis/random, count: 3, from: s}\n"
                   "  map:   {is: similarity/rbf, from: x, bases: bases}\n");
    random.replace(random.find("from: x}\n  test"), 7, "from: map");
    const auto varying = ablate(work, random);
    CHECK(varying.comparison["blocks_are"] == "same_rows");
    CHECK(varying.comparison["methods"][1]["tests"]["t"].contains("p"));
    CHECK(varying.output.find("over test rows and blocks together") != std::string::npos);
  }
}

TEST_CASE("test pairs are known by their rows; an equal error rate is not compared pair by pair") {
  const Workplace work;
  const std::string pairs =
      "name: pairs\nstudy:\n  metric: test.eer\n" + two_costs +
      "nodes:\n  points: {is: source/checkerboard, task: interclass, classes: 20, "
      "examples_per_class: 4}\n"
      "  pairs:  {is: pairs/all, from: points}\n"
      "  svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, "
      "from: points, pairs: pairs}\n"
      "  test:   {is: evaluator/verification, from: svm}\n";
  const auto one = ablate(work, pairs);
  CHECK_FALSE(one.comparison["methods"][1]["tests"].contains("mcnemar"));
  const auto tested = [](const Ablated& from, std::size_t method) {
    return from.methods[method]["measurements"][0]["test_rows"].get<std::string>();
  };
  CHECK_FALSE(tested(one, 0).empty());
  CHECK(tested(one, 0) == tested(one, 1));
  const auto again = ablate(work, pairs);  // all of it from the store
  CHECK(again.methods == one.methods);
  CHECK(tested(ablate(work, "seed: 2\n" + pairs), 0) != tested(one, 0));
}

TEST_CASE("the best value at the edge of what was tried is remarked on, once") {
  const Workplace work;
  work.file("data.csv", noisy(1, 200));
  const std::string nodes =
      "nodes:\n  s: {is: source/csv, path: data.csv, test_rows: 60}\n"
      "  bases: {is: basis/random, count: 40, from: s}\n"
      "  map:   {is: similarity/rbf, gamma: 1, from: s, bases: bases}\n"
      "  svm:   {is: solver/linear_svm, from: map}\n"
      "  test:  {is: evaluator/classification, from: svm}\n";
  work.file("p.yaml", "name: edge\n" + nodes +
                          "select:\n  metric: svm.objective\n"
                          "  parameters:\n    C: {path: nodes.svm.C, values: [0.1, 1, 10]}\n");
  const auto outcome = work("run p.yaml --data . --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  const std::string remark = "the best C, 0.1, is the smallest of the 3 tried";
  CHECK(outcome.output.find(remark) != std::string::npos);
  CHECK(outcome.output.find(remark) == outcome.output.rfind(remark));
  CHECK(work.content("out/run.log").find(remark) != std::string::npos);
  CHECK(work.content("out/report.html").find(remark) != std::string::npos);
  const auto studied = ablate(work,
                              "name: edge\nstudy:\n  metric: svm.objective\n  slots:\n"
                              "    C: {path: nodes.svm.C, values: [0.1, 1, 10]}\n" +
                                  nodes);
  CHECK(studied.output.find(remark) != std::string::npos);
}

}  // namespace blocks_test
