// SPDX-License-Identifier: MIT
// `select` with `folds: leave_one_out` has the same result as one fold per row, or is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace leave_one_out_test {

using namespace semblance::testing;

namespace {

constexpr int rows = 60;

/// Whole numbers, so that many rows are equally far; two classes that overlap.
std::string points() {
  semblance::Random random(8);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i) {
    const bool second = i % 3 == 0;
    text << random.below(6) + (second ? 2 : 0) << "," << random.below(6) << ","
         << (second ? "b" : "a") << "\n";
  }
  return text.str();
}

/// How similar each row is to each; not symmetric.
std::string matrix() {
  semblance::Random random(9);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j)
      text << random.below(40) + (i % 3 == j % 3 ? 2 : 0) + (i == j ? 100 : 0) << ",";
    text << "abc"[i % 3] << "\n";
  }
  return text.str();
}

std::string pipeline(const std::string& file, const std::string& similarity) {
  return "name: neighbours\nseed: 3\nnodes:\n"
         "  s: {is: source/csv, path: " +
         file +
         "}\n  bases: {is: basis/all, from: s}\n"
         "  map: {is: " +
         similarity +
         ", from: s, bases: bases}\n"
         "  nn: {is: solver/nearest_neighbour, from: map}\n"
         "  test: {is: evaluator/classification, from: nn}\n";
}

std::string select(const std::string& parameters) {
  return "select:\n  metric: test.error_rate\n  folds: leave_one_out\n  parameters:\n" + parameters;
}

const std::string neighbours = "    k: {path: nodes.nn.k, values: [1, 2, 3, 5, 12]}\n";

/// The error rates of a selection, by value.
std::vector<std::pair<std::string, double>> errors(const nlohmann::json& selection) {
  std::vector<std::pair<std::string, double>> found;
  for (const auto& trial : selection["trials"])
    found.emplace_back(trial["values"].dump(), trial["mean"].get<double>());
  return found;
}

}  // namespace

TEST_CASE("leaving each row out gives what a fold for each row gives") {
  const Workplace work;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {pipeline(work.file("points.csv", points()), "similarity/rbf, gamma: 1"),
       neighbours + "    gamma: {path: nodes.map.gamma, values: [0.01, 100]}\n"},
      {pipeline(work.file("matrix.csv", matrix()), "similarity/precomputed"), neighbours}};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    CAPTURE(c);
    const std::string file =
        work.file("p" + std::to_string(c) + ".yaml", cases[c].first + select(cases[c].second));
    const auto outcome = work.succeed("run " + file + " --no-cache --out one");
    CHECK(contains(outcome, "each row predicted from all others, best of "));
    work.succeed("run " + file + " --no-cache --out folds --set select.folds=60");
    const auto one = work.metrics("one")["selection"], folds = work.metrics("folds")["selection"];
    const auto found = errors(one), expected = errors(folds);
    REQUIRE(found.size() == expected.size());
    for (std::size_t t = 0; t < found.size(); ++t) {
      CHECK(found[t].first == expected[t].first);
      CHECK(found[t].second == doctest::Approx(expected[t].second).epsilon(1e-12));
      CHECK(found[t].second > 0);
      CHECK(found[t].second < 1);
    }
    CHECK(one["chosen"] == folds["chosen"]);
    CHECK(one["folds"] == "leave_one_out");
    CHECK_FALSE(one.contains("standard_error"));
    CHECK(contains(work.content("one/report.html"), "each training row predicted from all others"));
  }
}

TEST_CASE("a choice by leaving each row out depends neither on threads nor on the store") {
  const Workplace work;
  const std::string file =
      work.file("p.yaml", pipeline(work.file("points.csv", points()), "similarity/rbf, gamma: 1") +
                              select(neighbours));
  std::vector<nlohmann::json> found;
  for (const std::string options : {"--threads 1 --no-cache", "--threads 3", "--threads 2"}) {
    work.succeed("run " + file + " " + options + " --out o");
    found.push_back(work.metrics("o")["selection"]["trials"]);
  }
  CHECK(found[0] == found[1]);
  CHECK(found[1] == found[2]);
}

TEST_CASE("what is beside the metric's nodes does not stand in the way") {
  const Workplace work;
  const std::string file =
      work.file("p.yaml", pipeline(work.file("points.csv", points()), "similarity/rbf, gamma: 1") +
                              "  phi: {is: normalizer/mean_norm, from: map}\n"
                              "  svm: {is: solver/linear_svm, from: phi}\n"
                              "  other: {is: evaluator/classification, from: svm}\n" +
                              select(neighbours));
  work.succeed("run " + file + " --out o");
}

TEST_CASE("where a row cannot be left out without training, that is said before the run") {
  const Workplace work;
  const std::string text = pipeline(work.file("points.csv", points()), "similarity/rbf, gamma: 1") +
                           "  x: {is: normalizer/zscore, from: s}\n"
                           "  phi: {is: normalizer/mean_norm, from: map}\n"
                           "  other: {is: solver/linear_svm, from: [x, phi]}\n"
                           "  rest: {is: evaluator/classification, from: other}\n";
  const std::string file = work.file(
      "p.yaml",
      text +
          "select: {metric: test.error_rate, folds: leave_one_out, parameters: {gamma: {path: "
          "nodes.map.gamma, values: [1, 2]}}}\n");
  const auto refused = [&](const std::string& set, const std::string& message) {
    CAPTURE(set);
    const auto outcome = work("check " + file + " " + set);
    CHECK(outcome.exit == 2);
    CHECK_MESSAGE(contains(outcome, message), outcome.output);
    CHECK_MESSAGE(contains(outcome, "set folds: 10 in select"), outcome.output);
  };
  refused("--set nodes.map.from=x",
          "rows cannot be left out one at a time: 'x' "
          "(normalizer/zscore) learns from the training rows");
  refused("--set nodes.nn.from=phi",
          "'phi' (normalizer/mean_norm) works on similarities to all training rows, of which the "
          "one left out is one");
  refused("--set nodes.nn.is=solver/linear_svm",
          "'nn' (solver/linear_svm) would have to be trained for each row");
  refused("--set nodes.bases.is=basis/random --set nodes.bases.count=60",
          "'bases' (basis/random) does not take all training rows, so it would choose others "
          "without one of them");
  refused("--set nodes.nn.from=s",
          "'nn' (solver/nearest_neighbour) must have one similarity to all training rows as its "
          "only input");
  const auto own = work("check " + file + " --set select.metric=nn.train_seconds");
  CHECK(own.exit == 2);
  CHECK(contains(own, "the metric must be a figure of an evaluator"));
}

TEST_CASE("too many neighbours for the rows that are left") {
  const Workplace work;
  const std::string file =
      work.file("p.yaml", pipeline(work.file("points.csv", points()), "similarity/rbf, gamma: 1") +
                              "select: {metric: test.error_rate, folds: leave_one_out}\n");
  work.expect("run " + file + " --out o --set nodes.nn.k=60", 1,
              "60 neighbours (k) cannot be found among the 59 bases that are left");
}

}  // namespace leave_one_out_test
