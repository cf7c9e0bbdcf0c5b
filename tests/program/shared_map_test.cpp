// SPDX-License-Identifier: MIT
// Machines that share one map of similarities to all training samples have the same results as with
// the measure as their own kernel, also in folds.
#include <doctest/doctest.h>

#include <sstream>

#include "program.hpp"
#include "semblance/random.hpp"

namespace shared_map_test {

using namespace semblance::testing;

namespace {

std::string points(std::uint64_t seed, int rows) {
  semblance::Random random(seed);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i) {
    const int label = i % 3;
    text << random.normal() + label << "," << random.normal() - label << ","
         << "abc"[label] << "\n";
  }
  return text.str();
}

/// The measure is not semi-definite: the scores depend on how each row is compared with each.
const std::string measure = "is: similarity/polynomial, degree: 3, offset: -1";

std::string nodes(const Workplace& work, const std::string& svm) {
  return "name: shared\nseed: 2\nnodes:\n  s: {is: source/csv, path: " +
         work.file("train.csv", points(1, 60)) +
         ", test_path: " + work.file("test.csv", points(2, 90)) + "}\n" + svm +
         "  test: {is: evaluator/classification, from: svm}\n";
}

std::string own_kernel(const Workplace& work) {
  return nodes(work, "  svm: {is: solver/kernel_svm, repair: flip, C: 0.01, kernel: {" + measure +
                         "}, from: s}\n");
}

std::string on_map(const Workplace& work, const std::string& basis) {
  return nodes(work, "  bases: {is: " + basis + ", from: s}\n  map: {" + measure +
                         ", from: s, bases: bases}\n  svm: {is: solver/kernel_svm, repair: flip, "
                         "C: 0.01, kernel: {is: similarity/precomputed}, from: map}\n");
}

const std::string choice =
    "select: {metric: test.error_rate, folds: 4, parameters: {C: {path: nodes.svm.C, values: "
    "[0.0001, 0.01, 1]}}}\n";

double objective(const nlohmann::json& metrics) { return metrics["nodes"]["svm"]["objective"]; }
double error(const nlohmann::json& metrics) { return metrics["nodes"]["test"]["error_rate"]; }

}  // namespace

TEST_CASE("a machine on a map is the machine with the measure as its kernel") {
  const Workplace work;
  const auto run = [&](const std::string& name, const std::string& text) {
    work.succeed("run " + work.file(name + ".yaml", text) + " --no-cache --out " + name);
    return work.metrics(name);
  };
  const auto own = run("own", own_kernel(work) + choice);
  const auto map = run("map", on_map(work, "basis/all") + choice);
  for (std::size_t t = 0; t < 3; ++t)
    CHECK(map["selection"]["trials"][t]["folds"] == own["selection"]["trials"][t]["folds"]);
  CHECK(objective(map) == doctest::Approx(objective(own)).epsilon(1e-6));
  CHECK(error(map) == error(own));
  CHECK(error(own) < 0.5);
  // The bases may be in any order.
  const auto plain = run("plain", on_map(work, "basis/all"));
  const auto shuffled = run("shuffled", on_map(work, "basis/random, count: 60"));
  CHECK(objective(shuffled) == doctest::Approx(objective(plain)).epsilon(1e-6));
  CHECK(error(shuffled) == error(plain));
}

TEST_CASE("a map to some of the training rows is no matrix for a kernel machine") {
  const Workplace work;
  work.expect(
      "run " + work.file("p.yaml", on_map(work, "basis/random, count: 20")) + " --out o", 1,
      "similarity/precomputed reads each value of 'map' as the similarity to one training row, so "
      "all of them must be its bases: there are 60, but 20 bases");
}

}  // namespace shared_map_test
