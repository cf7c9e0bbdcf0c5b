// SPDX-License-Identifier: MIT
// A similarity matrix in a file gives the same results as the similarity of vectors, whichever rows
// the source or a cross-validation sets aside.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace precomputed_test {

using namespace semblance::testing;
using semblance::Random;

namespace {

constexpr std::size_t count = 96, aside = 24;

struct Samples {
  std::vector<std::array<double, 3>> points;
  std::vector<char> classes;

  Samples() {
    Random random(11);
    for (std::size_t i = 0; i < count; ++i) {
      classes.push_back("abc"[random.below(3)]);
      const double centre = classes.back() - 'a';
      points.push_back({random.normal() + centre, random.normal() - centre, random.normal()});
    }
  }

  double rbf(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
      sum += (points[i][k] - points[j][k]) * (points[i][k] - points[j][k]);
    return std::exp(-0.5 * sum);
  }

  std::string vectors(std::size_t first, std::size_t end) const {
    std::ostringstream text;
    text.precision(9);
    for (std::size_t i = first; i < end; ++i)
      text << points[i][0] << "," << points[i][1] << "," << points[i][2] << "," << classes[i]
           << "\n";
    return text.str();
  }

  /// A matrix with a column for each of the first `columns` samples, after an id if requested.
  std::string matrix(std::size_t first, std::size_t end, std::size_t columns,
                     bool id = false) const {
    std::ostringstream text;
    text.precision(9);
    for (std::size_t i = first; i < end; ++i) {
      if (id) text << i << ",";
      for (std::size_t j = 0; j < columns; ++j) text << rbf(i, j) << ",";
      text << classes[i] << "\n";
    }
    return text.str();
  }
};

/// All ways of using a measure; MEASURE is replaced by it, SOURCE by the table's parameters.
std::string pipeline(const std::string& source, const std::string& measure) {
  std::string text = R"(name: p
nodes:
  t:        {is: source/csv, SOURCE}
  bases:    {is: basis/random, count: 15, from: t}
  s:        {is: MEASURE, from: t, bases: bases}
  phi:      {is: normalizer/mean_norm, from: s}
  svm:      {is: solver/linear_svm, from: phi}
  test:     {is: evaluator/classification, from: svm}
  spectrum: {is: evaluator/spectrum, from: s}
  features: {is: normalizer/nystrom, from: s}
  reduced:  {is: solver/linear_svm, from: features}
  reduced_test: {is: evaluator/classification, from: reduced}
  medoids:  {is: basis/k_medoids, per_class: 5, similarity: {is: MEASURE}, from: t}
  typical:  {is: MEASURE, from: t, bases: medoids}
  tsvm:     {is: solver/linear_svm, from: typical}
  ttest:    {is: evaluator/classification, from: tsvm}
  kernel:   {is: solver/kernel_svm, C: 3, kernel: {is: MEASURE}, from: t}
  ktest:    {is: evaluator/classification, from: kernel}
  greedy:   {is: solver/greedy_selection, solver: {is: solver/kernel_svm, kernel: {is: MEASURE}}, from: t}
  gtest:    {is: evaluator/classification, from: greedy}
  pairs:    {is: pairs/all, from: t}
  psvm:     {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning, kernel: {is: MEASURE}}, from: t, pairs: pairs}
  ptest:    {is: evaluator/verification, from: psvm}
)";
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("{is: MEASURE}", "{is: " + measure + "}");
  replace("MEASURE", measure);
  replace("SOURCE", source);
  return text;
}

const std::string rbf = "similarity/rbf, gamma: 0.5", given = "similarity/precomputed";

/// The classes that a solver's predictions name.
std::vector<std::string> predicted(const Workplace& work, const std::string& out,
                                   const std::string& solver) {
  std::istringstream in(work.content(out + "/predictions/" + solver + ".csv"));
  std::vector<std::string> all;
  std::string line;
  std::getline(in, line);
  REQUIRE(line.starts_with("row,label,predicted"));
  while (std::getline(in, line)) {
    const auto first = line.find(','), second = line.find(',', first + 1);
    all.push_back(line.substr(0, line.find(',', second + 1)));
  }
  return all;
}

void compare(const std::string& split, const std::string& matrix_split = "") {
  CAPTURE(split);
  const Workplace work;
  const Samples samples;
  const bool two = split.find("test_path") != std::string::npos;
  const std::size_t first = two ? count - aside : count;
  work.file("v.csv", samples.vectors(0, first));
  work.file("m.csv", samples.matrix(0, first, first));
  work.file("v_test.csv", samples.vectors(first, count));
  work.file("m_test.csv", samples.matrix(first, count, first));
  work.file("vectors.yaml", pipeline("path: v.csv" + split, rbf));
  work.file("matrix.yaml",
            pipeline("path: m.csv" + (matrix_split.empty() ? split : matrix_split), given));
  for (const std::string name : {"vectors", "matrix"}) {
    work.succeed("run " + name + ".yaml --data . --quiet --out " + name);
  }
  for (const std::string solver : {"svm", "reduced", "tsvm", "kernel", "greedy"})
    CHECK_MESSAGE(predicted(work, "vectors", solver) == predicted(work, "matrix", solver), solver);
  const auto direct = work.metrics("vectors")["nodes"], read = work.metrics("matrix")["nodes"];
  for (const auto& [node, figure] :
       std::vector<std::pair<std::string, std::string>>{{"spectrum", "smallest_eigenvalue"},
                                                        {"spectrum", "largest_eigenvalue"},
                                                        {"kernel", "objective"},
                                                        {"greedy", "cross_validated_accuracy"},
                                                        {"psvm", "objective"},
                                                        {"ptest", "eer"}}) {
    CAPTURE(node);
    CHECK(read[node][figure].get<double>() ==
          doctest::Approx(direct[node][figure].get<double>()).epsilon(2e-3));
  }
}

}  // namespace

TEST_CASE("a matrix in a file makes what its measure makes, however the rows are divided" *
          doctest::skip(sanitized)) {
  compare(", test_fraction: 0.3");
  compare(", test_rows: 24");
  compare(", test_path: v_test.csv", ", test_path: m_test.csv");
}

TEST_CASE("a matrix that is not symmetric is a map, and no kernel") {
  const Workplace work;
  const Samples samples;
  std::istringstream lines(samples.matrix(0, count, count));
  std::string text, line;
  for (std::size_t i = 0; std::getline(lines, line); ++i)
    text += i == 5 ? "0.9" + line.substr(line.find(',')) + "\n" : line + "\n";
  work.file("m.csv", text);
  const std::string rows = "name: p\nnodes:\n  t: {is: source/csv, path: m.csv}\n";
  const std::string given = ", kernel: {is: similarity/precomputed}, from: t}\n";
  for (const std::string solver : {"kernel_svm", "one_class_svm"}) {
    work.file("k.yaml", rows + "  svm: {is: solver/" + solver + given);
    const auto outcome = work("run k.yaml --data .");
    CAPTURE(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(contains(outcome, "the kernel is not symmetric, but a kernel machine needs s(a, b)"));
    CHECK(contains(outcome, "row 5"));
    CHECK(contains(outcome, "row 0"));
  }
  work.file("map.yaml", rows +
                            "  b: {is: basis/all, from: t}\n  s: {is: similarity/precomputed, "
                            "from: t, bases: b}\n  svm: {is: solver/linear_svm, from: s}\n");
  work.succeed("run map.yaml --data .");
}

TEST_CASE("inside the folds of a cross-validation as well" * doctest::skip(sanitized)) {
  const Workplace work;
  const Samples samples;
  work.file("v.csv", samples.vectors(0, count));
  work.file("m.csv", samples.matrix(0, count, count));
  const auto trials = [&](const std::string& name, const std::string& table,
                          const std::string& measure, const std::string& solver) {
    work.file(name + ".yaml",
              "name: p\nnodes:\n  t: {is: source/csv, path: " + table + ", test_fraction: 0.25}\n" +
                  "  svm: {is: " + solver + ", from: t}\n" +
                  "  test: {is: evaluator/classification, from: svm}\n"
                  "select: {metric: test.error_rate, better: lower, folds: 3, parameters: {k: "
                  "{kernel: {nodes.svm.KERNEL: {is: " +
                  measure + "}}}}}\n");
    std::string text = work.content(name + ".yaml");
    const bool greedy = solver.find("greedy") != std::string::npos;
    text.replace(text.find("KERNEL"), 6, greedy ? "solver.kernel" : "kernel");
    work.file(name + ".yaml", text);
    work.succeed("run " + name + ".yaml --data . --quiet --out " + name);
    auto chosen = work.metrics(name)["selection"]["trials"][0]["folds"];
    chosen.push_back(work.metrics(name)["nodes"]["test"]["error_rate"]);
    return chosen.dump();
  };
  for (const std::string solver :
       {"solver/kernel_svm", "solver/greedy_selection, solver: {is: solver/kernel_svm}"})
    CHECK(trials("vectors", "v.csv", rbf, solver) == trials("matrix", "m.csv", given, solver));
}

TEST_CASE("a matrix that has not as many columns as there are rows is refused") {
  const Workplace work;
  const Samples samples;
  work.file("id.csv", samples.matrix(0, count, count, true));
  work.file("few.csv", samples.matrix(0, count, count - aside));
  const auto problem = [&](const std::string& table, const std::string& use) {
    work.file("p.yaml",
              "name: p\nnodes:\n  t: {is: source/csv, test_rows: 24, path: " + table + "}\n" + use);
    const auto outcome = work("run p.yaml --data . --out out");
    CHECK(outcome.exit != 0);
    return outcome.output;
  };
  const std::string uses[] = {
      "  bases: {is: basis/index, per_class: 5, from: t}\n"
      "  s: {is: similarity/precomputed, from: t, bases: bases}\n"
      "  svm: {is: solver/linear_svm, from: s}\n",
      "  svm: {is: solver/kernel_svm, kernel: {is: similarity/precomputed}, from: t}\n",
      "  m: {is: basis/k_medoids, similarity: {is: similarity/precomputed}, from: t}\n"
      "  s: {is: similarity/rbf, from: t, bases: m}\n"
      "  svm: {is: solver/linear_svm, from: s}\n"};
  for (const std::string& use : uses) {
    CAPTURE(use);
    const auto id = problem("id.csv", use);
    CHECK_MESSAGE(id.find("the samples have 97 values, but there are 96 such rows; drop "
                          "columns that hold something else, such as an id") != std::string::npos,
                  id);
    const auto few = problem("few.csv", use);
    CHECK_MESSAGE(
        few.find("the samples have 72 values, but there are 96 such rows") != std::string::npos,
        few);
    CHECK(few.find("test_path") != std::string::npos);
  }
  // Before anything runs, wherever the matrix is used.
  work.file("p.yaml", "name: p\nnodes:\n  t: {is: source/csv, path: id.csv}\n" + uses[1]);
  CHECK(work("plan p.yaml --data .").exit != 0);
}

}  // namespace precomputed_test
