// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

#include "killing.hpp"
#include "leftovers.hpp"
#include "pipelines.hpp"

namespace kills_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Whether an unfinished training has a checkpoint.
bool has_kept(const Workplace& work) {
  std::error_code none;
  fs::directory_iterator item(work.path / "cache/kept", none), end;
  return !none && item != end;
}

/// Starts the program, and kills it soon after the first checkpoint of a training.
void kill_once_kept(const Workplace& work, const std::string& arguments, std::mt19937& random) {
  const pid_t process = work.start(arguments);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!has_kept(work) && std::chrono::steady_clock::now() < until) ::usleep(500);
  ::usleep(std::uniform_int_distribution<useconds_t>(0, 100'000)(random));
  ::kill(process, SIGKILL);
  wait_for(process);
}

}  // namespace

TEST_CASE("killed at random moments, the next run is right, to the bit, and nothing is left") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out whole --no-cache --quiet");
  const auto begin = std::chrono::steady_clock::now();
  work.succeed("run p.yaml --out killed --quiet");
  const std::chrono::duration<double, std::micro> whole = std::chrono::steady_clock::now() - begin;
  const std::string expected = results_of(work, "whole");
  CHECK(results_of(work, "killed") == expected);

  const int kills = repetitions("SEMBLANCE_TEST_KILLS", 15);
  const int seed = repetitions("SEMBLANCE_TEST_SEED", 7);
  MESSAGE(kills << " kills, seed " << seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  int met = 0;
  for (int kill = 0; kill < kills; ++kill) {
    // Mostly with an empty store, where much can be interrupted.
    if (kill % 3 != 0) fs::remove_all(work.path / "cache/artifacts");
    met += kill_at_random(work, "run p.yaml --out killed --quiet --cache-limit 1500K", random,
                          static_cast<unsigned>(1.1 * whole.count()));
    const auto next = work("run p.yaml --out killed --quiet");
    INFO("kill " << kill << "\n" << next.output);
    REQUIRE(next.exit == 0);
    REQUIRE(results_of(work, "killed") == expected);
    CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  }
  MESSAGE(met << " of them while it ran");
  CHECK(3 * met > kills);
  const auto again = work("run p.yaml --out again --quiet");
  CHECK(again.output.find("damaged") == std::string::npos);
  CHECK(results_of(work, "again") == expected);
}

TEST_CASE("killed while it trains, the next run goes on from what was kept, to the bit") {
  const Workplace work;
  for (const std::string solver : {"C: 10, tolerance: 1.0e-9", "regularizer: l1"}) {
    CAPTURE(solver);
    work.file("p.yaml",
              "name: long\nseed: 3\nnodes:\n"
              "  rows:  {is: source/clusters, classes: 6, columns: 40, train: 30000, test: 500}\n"
              "  bases: {is: basis/random, count: 250, from: rows}\n"
              "  rbf:   {is: similarity/rbf, gamma: 0.02, from: rows, bases: bases}\n"
              "  svm:   {is: solver/linear_svm, " +
                  solver +
                  ", from: rbf}\n"
                  "  test:  {is: evaluator/classification, from: svm}\n");
    work.succeed("run p.yaml --out whole --no-cache --quiet");
    const std::string often = "run p.yaml --out killed --quiet --checkpoint 0.001";
    std::mt19937 random(5);
    for (int kill = 0; kill < 4; ++kill) kill_once_kept(work, often, random);
    const auto next = work(often);
    INFO(next.output);
    REQUIRE(next.exit == 0);
    CHECK(results_of(work, "killed") == results_of(work, "whole"));
    CHECK(predictions(work, "killed") == predictions(work, "whole"));
    CHECK(contains(work.content("killed/run.log"), "svm: resumes from the checkpoint"));
    CHECK(fs::is_empty(work.path / "cache/kept"));
    CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
    fs::remove_all(work.path / "cache");
  }
}

TEST_CASE("without a store, or with a checkpoint of 0 seconds, nothing is kept") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out --quiet --no-cache --checkpoint 0.001");
  CHECK_FALSE(fs::exists(work.path / "cache/kept"));
  work.succeed("run p.yaml --out out --quiet --checkpoint 0");
  CHECK_FALSE(fs::exists(work.path / "cache/kept"));
  work.expect("run p.yaml --checkpoint -1", 2, "--checkpoint must be a number of seconds");
  work.expect("run p.yaml --checkpoint nan", 2, "--checkpoint must be a number of seconds");
}

TEST_CASE("what a killed process left in a store or a results folder goes with the next run") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out --quiet");
  // As if process 1, which lives and is somebody else's, had been killed with these in the making.
  work.file("out/.metrics.json.1-0.tmp", "half");
  work.file("out/predictions/.svm.csv.1-4.tmp", "half");
  work.file("out/model.new/model.json", "half");
  work.file("cache/drafts/1-0.lock", "");
  work.file("cache/drafts/1-0/3-key.state/part_0/state.json", "half");
  work.file("cache/drafts/1-7-old.rows/rows.npy", "half");
  // Not ours: a file that only looks a little like one.
  work.file("out/notes.tmp", "mine");
  work.succeed("run p.yaml --out out --quiet");
  fs::remove(work.path / "out/notes.tmp");
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
}

TEST_CASE("a draft of a process that lives is left alone") {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  work.file("q.yaml", small_pipeline);
  const pid_t process = work.start("run p.yaml --out long --quiet");
  const auto has_draft = [&] {
    // Folders may go while they are looked through.
    std::error_code gone;
    fs::recursive_directory_iterator item(work.path / "cache/drafts", gone), end;
    for (; !gone && item != end; item.increment(gone))
      if (item->path().filename() == "rows.npy") return true;
    return false;
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!has_draft() && std::chrono::steady_clock::now() < until) {
  }
  CHECK(work("run q.yaml --out short --quiet").exit == 0);
  CHECK_MESSAGE(wait_for(process) == 0, work.content("background.log"));
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
}

}  // namespace kills_test
