// SPDX-License-Identifier: MIT
// One store and several machines: no locks, or ineffective ones; clocks that differ by days;
// processes killed at any moment. other_machine.cpp simulates a machine per process.
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <random>
#include <sstream>
#include <thread>

#include "killing.hpp"
#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

namespace shared_store_test {

using namespace semblance::testing;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> variants = {
    "", " --set nodes.svm.C=10", " --set nodes.rigid.shift=2", " --set nodes.rbf.gamma=0.5"};

/// The environment of machine `i`. The first two have unique clocks and names; every third has
/// locks while the others have none, as with an overloaded file server.
std::string machine(std::size_t i, const std::string& locks) {
  constexpr std::array days = {0, 3, -2, 400};
  return "LD_PRELOAD=" SEMBLANCE_OTHER_MACHINE " SEMBLANCE_TEST_HOST=node" + std::to_string(i) +
         " SEMBLANCE_TEST_CLOCK=" + std::to_string(86400L * days[i % days.size()] + 7) +
         (locks == "some" && i % 3 == 2 ? " " : " SEMBLANCE_TEST_LOCKS=" + locks + " ");
}

std::string out(std::size_t i) { return "out" + std::to_string(i); }

/// The states and rows of a model: all but the times in its description.
std::string model(const Workplace& work, const std::string& run) {
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(work.path / run / "model"))
    if (item.path().extension() == ".npy" || item.path().filename() == "state.json")
      files.push_back(item.path().lexically_relative(work.path));
  std::ranges::sort(files);
  REQUIRE(files.size() > 5);
  std::string all;
  for (const auto& file : files) all += work.content(file.string());
  return all;
}

struct SharedStore {
  SharedStore() {
    work.file("p.yaml", small_pipeline);
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& variant : variants) {
      work.succeed("run p.yaml --quiet --no-cache --out alone" + variant);
      expected.push_back(results("alone"));
    }
    one_run = (std::chrono::steady_clock::now() - begin) / variants.size();
  }

  std::string results(const std::string& run) const {
    return results_of(work, run) + model(work, run);
  }

  /// Starts run i on machine i.
  pid_t start(std::size_t i, const std::string& locks, const std::string& more = "") {
    work.environment = machine(i, locks);
    const pid_t process = work.start(
        "run p.yaml --quiet --threads 1 --out " + out(i) + variants[i % variants.size()] + more,
        "log" + std::to_string(i));
    work.environment.clear();
    return process;
  }

  void wait_and_check(const std::vector<pid_t>& processes) const {
    std::vector<int> ends;
    for (const pid_t process : processes) ends.push_back(wait_for(process));
    for (std::size_t i = 0; i < processes.size(); ++i) {
      REQUIRE_MESSAGE(ends[i] == 0, work.content("log" + std::to_string(i)));
      CHECK_MESSAGE(results(out(i)) == expected[i % variants.size()], i);
    }
  }

  /// Simulates two days passing on the file server.
  void let_days_go_by() const {
    for (const auto& item : fs::recursive_directory_iterator(work.path))
      fs::last_write_time(item.path(), fs::file_time_type::clock::now() - 48h);
  }

  Workplace work;
  std::vector<std::string> expected;
  std::chrono::steady_clock::duration one_run{};
};

}  // namespace

TEST_CASE("machines that share a store get what one gets alone, whatever becomes of locks") {
  if (sanitized) return;
  SharedStore shared;
  for (const char* locks : {"none", "alone", "some"}) {
    CAPTURE(locks);
    fs::remove_all(shared.work.path / "cache");
    for (const char* more : {"", " --cache-limit 100K"}) {
      std::vector<pid_t> processes;
      for (std::size_t i = 0; i < 6; ++i) processes.push_back(shared.start(i, locks, more));
      shared.wait_and_check(processes);
      CHECK_MESSAGE(leftovers(shared.work.path).empty(), leftovers(shared.work.path));
    }
  }
}

TEST_CASE("killed at random moments on several machines, the next is right and clears up") {
  if (sanitized) return;
  SharedStore shared;
  const int kills = repetitions("SEMBLANCE_TEST_KILLS", 30);
  const int seed = repetitions("SEMBLANCE_TEST_SEED", 7);
  MESSAGE(kills << " kills, seed " << seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  using Microseconds = std::chrono::duration<unsigned, std::micro>;
  const auto longest = std::chrono::duration_cast<Microseconds>(2 * shared.one_run).count();
  int met = 0;
  for (int killed = 0; killed < kills;) {
    // Mostly with an empty store, where much can be interrupted.
    if (killed % 4 != 3) fs::remove_all(shared.work.path / "cache/artifacts");
    std::vector<pid_t> processes;
    for (std::size_t i = 0; i < 4; ++i)
      processes.push_back(shared.start(i, "some", " --cache-limit 1500K"));
    for (std::size_t i = 0; i < 3; ++i, ++killed) {
      ::usleep(std::uniform_int_distribution<useconds_t>(1000, longest / 3)(random));
      ::kill(processes[i], SIGKILL);
    }
    for (std::size_t i = 0; i < 3; ++i) met += wait_for(processes[i]) == -SIGKILL;
    // The fourth continues in parallel.
    REQUIRE_MESSAGE(wait_for(processes[3]) == 0, shared.work.content("log3"));
    CHECK(shared.results(out(3)) == shared.expected[3]);
  }
  MESSAGE(met << " of them while it ran");
  CHECK(2 * met > kills);

  // Files left by other machines may still be in use; a day later they are abandoned.
  shared.work.succeed("run p.yaml --quiet --out undisturbed");
  CHECK(shared.results("undisturbed") == shared.expected[0]);
  shared.let_days_go_by();
  const auto last = shared.work.succeed("run p.yaml --out undisturbed");
  CHECK_FALSE(contains(last, "damaged"));
  CHECK(shared.results("undisturbed") == shared.expected[0]);
  CHECK_MESSAGE(leftovers(shared.work.path / "cache").empty(),
                leftovers(shared.work.path / "cache"));
}

TEST_CASE(
    "what a killed process left on a machine without locks goes with that machine's next run") {
  if (sanitized) return;
  SharedStore shared;
  std::mt19937 random(3);
  for (int kill = 0; kill < 4; ++kill) {
    fs::remove_all(shared.work.path / "cache/artifacts");
    const pid_t process = shared.start(0, "none");
    ::usleep(std::uniform_int_distribution<useconds_t>(50000, 300000)(random));
    ::kill(process, SIGKILL);
    wait_for(process);
    shared.wait_and_check({shared.start(0, "none")});
    CHECK_MESSAGE(leftovers(shared.work.path).empty(), leftovers(shared.work.path));
  }
}

TEST_CASE("artifacts that vanish under runs are read to the end, or computed again") {
  if (sanitized) return;
  SharedStore shared;
  const fs::path artifacts = shared.work.path / "cache/artifacts";
  shared.wait_and_check({shared.start(0, "none")});
  fs::copy(artifacts, shared.work.path / "kept", fs::copy_options::recursive);
  std::mt19937 random(5);
  for (int round = 0; round < repetitions("SEMBLANCE_TEST_ROUNDS", 8); ++round) {
    fs::remove_all(artifacts);
    fs::copy(shared.work.path / "kept", artifacts, fs::copy_options::recursive);
    std::vector<pid_t> processes;
    for (std::size_t i = 0; i < 3; ++i) processes.push_back(shared.start(i, "none"));
    // When the runs have begun to look, until they are done.
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 60));
    const auto until = std::chrono::steady_clock::now() + 200ms;
    while (std::chrono::steady_clock::now() < until) {
      std::vector<fs::path> found;
      std::error_code gone;
      for (fs::directory_iterator item(artifacts, gone), end; !gone && item != end;
           item.increment(gone))
        found.push_back(item->path());
      // They are deleted in place, which is worse than what the program does.
      for (const fs::path& artifact : found) fs::remove_all(artifact, gone);
      std::this_thread::sleep_for(1ms);
    }
    shared.wait_and_check(processes);
  }
}

TEST_CASE("without locks, two runs of one machine do not write into one folder") {
  if (sanitized) return;
  Workplace work;
  work.file("p.yaml", wide_pipeline);
  work.file("q.yaml", small_pipeline);
  work.environment = machine(0, "none");
  const pid_t process = work.start("run p.yaml --quiet --no-cache --out out");
  while (!fs::exists(work.path / "out/pipeline.yaml")) std::this_thread::sleep_for(1ms);
  work.expect("run q.yaml --quiet --out out", 1, "another run is writing to 'out' (process ");
  CHECK(wait_for(process) == 0);
  CHECK(work.metrics("out").at("pipeline") == "wide");
  CHECK(work("run q.yaml --quiet --out out").exit == 0);
}

TEST_CASE("the library that makes other machines does so") {
  if (sanitized) return;
  const Workplace work;
  const auto seen = work.shell("date +%s; " + machine(1, "none") + "date +%s; " +
                               machine(1, "none") + "flock -n lock true");
  std::istringstream said(seen.output);
  long here = 0, there = 0;
  said >> here >> there;
  CHECK(there - here >= 3 * 86400);
  CHECK(contains(seen, "No locks available"));
}

TEST_CASE("a data set is fetched without locks") {
  if (sanitized) return;
  Workplace work;
  work.file("mirror/f.txt", "1 2\n3 4\n");
  work.file("sets.yaml", R"(data_sets:
  s:
    summary: a set
    licence: free to try
    cite: nobody
    page: nowhere
    downloads:
      - url: http://localhost/f.txt
        sha256: 871d6e7f463a42c5573203c50db6e52da506d5395af73e09237410dec5eff856
        gives: {s/f.txt: {lines: 2}}
)");
  work.environment = machine(0, "none");
  const std::string get = "data get s --data data --catalogue sets.yaml --mirror mirror";
  const pid_t first = work.start(get, "log0");
  const pid_t second = work.start(get, "log1");
  CHECK_MESSAGE(wait_for(first) == 0, work.content("log0"));
  CHECK_MESSAGE(wait_for(second) == 0, work.content("log1"));
  CHECK(work.content("data/s/f.txt") == "1 2\n3 4\n");
  for (const auto& item : fs::recursive_directory_iterator(work.path / "data/.downloads"))
    CHECK_MESSAGE((item.is_directory() || item.path().extension() == ".lock"),
                  item.path().string());
}

TEST_CASE("a history needs no locks") {
  if (sanitized) return;
  Workplace work;
  work.file("p.yaml", small_pipeline);
  work.environment = machine(0, "none");
  CHECK(work.succeed("run p.yaml --quiet").output.empty());
  CHECK(contains(work.succeed("history list"), "  done  "));
  CHECK(contains(work("doctor"), "has no file locks"));
}

}  // namespace shared_store_test
