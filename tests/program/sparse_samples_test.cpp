// SPDX-License-Identifier: MIT
// Pipelines on sparse samples: components have the same results as on the dense form, and
// components that cannot take them are refused before anything runs.
#include <doctest/doctest.h>

#include <sstream>

#include "program.hpp"
#include "semblance/random.hpp"

namespace sparse_samples_test {

using namespace semblance::testing;

namespace {

/// Words of three subjects, in LIBSVM's format.
std::string documents(std::uint64_t seed, int rows) {
  semblance::Random random(seed);
  std::ostringstream text;
  for (int i = 0; i < rows; ++i) {
    text << "abc"[i % 3];
    for (std::uint64_t word = 1; word <= 120; ++word)
      if (random.below(word % 3 == static_cast<std::uint64_t>(i % 3) ? 6 : 30) == 0)
        text << ' ' << word << ':' << 1 + random.below(4);
    text << " 121:1\n";
  }
  return text.str();
}

/// With `x` as sparse samples, or in dense form.
std::string pipeline(const Workplace& work, bool sparse, const std::string& nodes) {
  return "name: documents\nseed: 3\nnodes:\n  words: {is: source/libsvm, rows: sparse, path: " +
         work.file("train.svm", documents(1, 120)) +
         ", test_path: " + work.file("test.svm", documents(2, 90)) + "}\n" +
         "  length: {is: normalizer/unit_length, from: words}\n" +
         (sparse ? "  x: {is: normalizer/max_abs, from: length}\n"
                 : "  laid_out: {is: feature/dense, from: length}\n"
                   "  x: {is: normalizer/max_abs, from: laid_out}\n") +
         nodes;
}

const std::string test = "  test: {is: evaluator/classification, from: svm}\n";

std::string on_map(const std::string& basis, const std::string& solver) {
  return "  bases: {" + basis +
         ", from: x}\n  s: {is: similarity/cosine, from: x, bases: bases}\n" + solver + test;
}

std::string machine(const std::string& kernel) {
  return "  svm: {is: solver/kernel_svm, from: x, kernel: {is: " + kernel + "}}\n";
}

std::string map_by(const std::string& measure) {
  return "  bases: {is: basis/random, count: 9, from: x}\n  s: {is: " + measure +
         ", from: x, bases: bases}\n  svm: {is: solver/linear_svm, from: s}\n";
}

}  // namespace

TEST_CASE("machines on sparse samples predict what they predict on dense ones") {
  const Workplace work;
  const std::string linear = "  svm: {is: solver/linear_svm, from: s}\n";
  const std::string medoids =
      "is: basis/k_medoids, per_class: 5, similarity: {is: similarity/rbf, gamma: 0.5}";
  for (const std::string& nodes :
       {on_map("is: basis/random, count: 30", linear), on_map(medoids, linear),
        on_map("is: basis/index, per_class: 12",
               "  phi: {is: normalizer/nystrom, from: s}\n  svm: {is: solver/linear_svm, from: "
               "phi}\n"),
        on_map("is: basis/all", "  svm: {is: solver/nearest_neighbour, k: 3, from: s}\n"),
        on_map("is: basis/all",
               "  svm: {is: solver/kernel_svm, kernel: {is: similarity/precomputed}, from: s}\n"),
        on_map("is: basis/random, count: 40",
               "  i: {is: similarity/intersection, from: x, bases: bases}\n"
               "  t: {is: similarity/tanimoto, from: x, bases: bases}\n"
               "  svm: {is: solver/linear_svm, from: [s, i, t]}\n"),
        machine("similarity/rbf, gamma: 0.3") + test, machine("similarity/intersection") + test,
        machine("similarity/tanimoto") + test}) {
    CAPTURE(nodes);
    for (const bool sparse : {true, false}) {
      const std::string name = sparse ? "sparse" : "dense";
      work.succeed("run " + work.file(name + ".yaml", pipeline(work, sparse, nodes)) +
                   " --no-cache --out " + name);
    }
    const std::string expected = predictions(work, "dense");
    CHECK_FALSE(expected.empty());
    CHECK(predictions(work, "sparse") == expected);
    const double error = work.metrics("sparse")["nodes"]["test"]["error_rate"];
    CHECK(error < 0.3);
    CHECK(error == work.metrics("dense")["nodes"]["test"]["error_rate"]);
  }
}

TEST_CASE("what needs dense samples is refused before anything runs") {
  const Workplace work;
  for (const std::string& nodes :
       {map_by("similarity/jittered"), map_by("similarity/sum, columns: 4"),
        map_by("similarity/rbf, precision: bf16"), machine("similarity/rigid"),
        machine("similarity/sum, first: {is: similarity/rigid}")}) {
    CAPTURE(nodes);
    const auto outcome = work("run " + work.file("wrong.yaml", pipeline(work, true, nodes + test)) +
                              " --no-cache --out wrong");
    CAPTURE(outcome.output);
    CHECK(outcome.exit != 0);
    CHECK(contains(outcome, "sparse"));
    // Nothing has been learned before.
    CHECK_FALSE(contains(outcome, "length: done"));
    CHECK_FALSE(contains(outcome, "svm: done"));
  }
}

}  // namespace sparse_samples_test
