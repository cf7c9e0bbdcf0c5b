// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "killing.hpp"
#include "program.hpp"

namespace memory_waits_test {

using namespace semblance::testing;

// Variants that fit into memory alone, but not together with others.

namespace {

/// Twelve variants on separate data. A single one trains within 117 MiB, with its map on disk.
const std::string pipeline = R"(
nodes:
  rows:  {is: source/clusters, classes: 5, columns: 40, train: 1400, test: 600}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 500, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.02, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, C: 1, tolerance: 1e-7, from: phi}
  test:  {is: evaluator/classification, from: svm}
)";

const std::string study = R"(name: s
study:
  metric: test.error_rate
  slots:
    C: {path: nodes.svm.C, values: [1, 100]}
  repeats: {seeds: 6}
)";

}  // namespace

TEST_CASE("a variant that does not fit beside others waits for their memory" *
          doctest::skip(sanitized)) {
  const Workplace work;
  work.file("one.yaml", "name: one" + pipeline);
  work.succeed("run one.yaml --no-cache --threads 2 --memory 119M --out one");
  work.file("s.yaml", study + pipeline.substr(1));
  work.succeed("ablate s.yaml --no-cache --threads 2 --memory 2G --out whole");
  for (const std::string cache : {"--no-cache", "--cache here"}) {
    const auto outcome = work("ablate s.yaml --threads 2 --memory 119M --out out " + cache);
    INFO(outcome.output);
    CHECK(outcome.exit == 0);
    CHECK(contains(outcome, "12 variants, 0 failed"));
    CHECK(work.content("out/table.csv") == work.content("whole/table.csv"));
    CHECK(work.content("out/study.json") == work.content("whole/study.json"));
    CHECK(contains(work.content("out/run.log"), "it is tried again, alone"));
  }
  const std::string joins = "ablate s.yaml --quiet --threads 2 --memory 119M --join shared";
  const pid_t first = work.start(joins, "first"), second = work.start(joins, "second");
  CHECK(wait_for(first) == 0);
  CHECK(wait_for(second) == 0);
  INFO(work.content("first"), work.content("second"));
  CHECK(work.content("shared/table.csv") == work.content("whole/table.csv"));
}

TEST_CASE("a study over many data sets needs the memory of one" * doctest::skip(sanitized)) {
  const Workplace work;
  // One block of rows of all variants takes 128 x 24 x 3500 values: two of them 86 MiB.
  std::string seeds =
      "study:\n  metric: test.error_rate\n"
      "  slots: {C: {path: nodes.svm.C, values: [1, 10]}}\n  repeats: {seeds: 24}\n";
  work.file("s.yaml", "name: s\n" + seeds + R"(nodes:
  rows:  {is: source/clusters, classes: 3, columns: 3500, train: 60, test: 30}
  x:     {is: normalizer/zscore, from: rows}
  svm:   {is: solver/linear_svm, C: 1, from: x}
  test:  {is: evaluator/classification, from: svm}
)");
  work.succeed("ablate s.yaml --no-cache --memory 2G --out whole");
  const auto outcome = work("ablate s.yaml --no-cache --quiet --memory 122M --out out");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(work.content("out/study.json") == work.content("whole/study.json"));
}

}  // namespace memory_waits_test
