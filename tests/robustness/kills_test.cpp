// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>

#include "killing.hpp"
#include "leftovers.hpp"
#include "pipelines.hpp"

namespace kills_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

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

TEST_CASE("an interval between checkpoints is refused, with what a run does instead") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  for (const char* verb : {"run", "ablate"})
    work.expect(std::string(verb) + " p.yaml --checkpoint 60", 2,
                "--checkpoint is gone: a run that was killed resumes after its last finished node");
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
