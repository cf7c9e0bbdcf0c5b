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

}  // namespace blocks_test
