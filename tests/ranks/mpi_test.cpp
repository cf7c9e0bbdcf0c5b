// SPDX-License-Identifier: MIT
// Runs of several ranks over MPI, as users start them.
#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "mpi_testing.hpp"

using namespace semblance::testing;

namespace {

constexpr const char* pipeline = R"(name: ranks
seed: 3
nodes:
  rows:  {is: source/clusters, classes: 3, columns: 6, train: 9100, test: 1300}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 60, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.2, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, C: 1, from: phi}
  test:  {is: evaluator/classification, from: svm}
)";

}  // namespace

TEST_CASE("mpirun: the predictions and the model of one process, for any number of ranks") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  work.succeed("run " + file + " --out alone --no-cache");
  const std::string expected = results_of(work, "alone"), scores = predictions(work, "alone");
  const std::string weights = work.content("alone/model/nodes/svm/part_0/weights.npy");
  for (const int ranks : {1, 2, 3, 5}) {
    CAPTURE(ranks);
    const std::string out = "ranks" + std::to_string(ranks);
    std::string arguments = "run " + file + " --quiet --no-cache --threads 1 --out ";
    arguments += out;
    const auto outcome = over_ranks(work, ranks, arguments);
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(results_of(work, out) == expected);
    CHECK(predictions(work, out) == scores);
    CHECK(work.content(out + "/model/nodes/svm/part_0/weights.npy") == weights);
  }
}

TEST_CASE("mpirun: what nodes have learned is found in the store, with any number of ranks") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out first").exit == 0);
  const auto again = over_ranks(work, 3, "run " + file + " --quiet --out second --json");
  REQUIRE(again.exit == 0);
  CHECK(results_of(work, "first") == results_of(work, "second"));
  CHECK(work.metrics("second")["nodes"]["bases"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "second"));
  // One process finds what several have left, and the other way round.
  work.succeed("run " + file + " --out third");
  CHECK(work.metrics("third")["nodes"]["bases"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "third"));
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out fourth").exit == 0);
  CHECK(work.metrics("fourth")["nodes"]["svm"]["cached"] == true);
  CHECK(predictions(work, "first") == predictions(work, "fourth"));
}

TEST_CASE("mpirun: what is wrong is said once") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string wrong = work.file("wrong.yaml",
                                      "name: wrong\nnodes:\n  rows: {is: source/glyphs}\n"
                                      "  svm: {is: solver/linear_svn, from: rows}\n");
  const auto checked = over_ranks(work, 3, "run " + wrong);
  CHECK(checked.exit == 2);
  CHECK(count(checked.output, "unknown component 'solver/linear_svn'") == 1);

  work.file("in_the_way", "");
  const std::string file = work.file("p.yaml", pipeline);
  const auto refused = over_ranks(work, 3, "run " + file + " --quiet --out in_the_way/out");
  CHECK(refused.exit == 1);
  CHECK(count(refused.output, "cannot create the output folder") == 1);

  const auto classes = over_ranks(
      work, 3,
      "run " + file + " --quiet --no-cache --out out --set 'nodes.svm.class_weights=[1, 2]'");
  CHECK(classes.exit == 1);
  CHECK(count(classes.output, "'class_weights' has 2 values for 3 classes") == 1);
}

TEST_CASE("mpirun: ranks that would not compute the same bits are refused") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  const std::string run = " \"$program\" run " + file + " --mpi --quiet --no-cache --out out ";
  const auto kinds = work.shell(prepared_for_mpi + "mpirun -n 1" + run +
                                ": -n 1 env OPENBLAS_CORETYPE=Prescott" + run);
  CHECK(kinds.exit == 1);
  CHECK(contains(kinds, "rank 1 on "));
  CHECK(contains(kinds, "another kind of processor"));
  const auto others = work.shell(prepared_for_mpi + "mpirun -n 1" + run + ": -n 1" + run +
                                 "--set nodes.bases.count=50");
  CHECK(others.exit == 1);
  CHECK(contains(others, "has other data, or another version of the program"));
}

TEST_CASE("mpirun: a rank that is killed ends the job, and the next start is right") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  work.succeed("run " + file + " --out alone --no-cache");
  const std::string long_one =
      work.file("long.yaml",
                "name: long\nseed: 3\nnodes:\n"
                "  rows: {is: source/clusters, classes: 4, columns: 40, train: 60000, test: 2000}\n"
                "  svm:  {is: solver/ml3, iterations: 100, from: rows}\n"
                "  test: {is: evaluator/classification, from: svm}\n");
  const auto killed =
      work.shell(prepared_for_mpi + "mpirun -n 3 \"$program\" run " + long_one +
                 " --mpi --quiet --out killed > log 2>&1 & job=$!\n"
                 "for i in $(seq 100); do [ $(pgrep -c -f 'run.*long.yaml --mpi --quiet --out "
                 "killed') -gt 3 ] && break; sleep 0.1; done\n"
                 "sleep 1\n"
                 "victim=$(pgrep -f \"$program run .*long.yaml --mpi --quiet --out killed\" | grep "
                 "-v \"^$job$\" | tail -1)\n"
                 "kill -9 $victim\n"
                 "for i in $(seq 300); do kill -0 $job 2>/dev/null || break; sleep 0.1; done\n"
                 "kill -0 $job 2>/dev/null && { kill -9 $job; echo 'it hangs'; }\n"
                 "wait $job; echo \"exit $?\"; cat log");
  CAPTURE(killed.output);
  CHECK(!contains(killed, "it hangs"));
  CHECK(!contains(killed, "exit 0"));
  CHECK(!std::filesystem::exists(work.path / "killed/metrics.json"));
  REQUIRE(over_ranks(work, 2, "run " + file + " --quiet --out next").exit == 0);
  CHECK(results_of(work, "next") == results_of(work, "alone"));
}
