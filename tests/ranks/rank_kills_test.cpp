// SPDX-License-Identifier: MIT
// Ranks that are killed at random moments: the job ends soon, and the next start is right.
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "killing.hpp"
#include "mpi_testing.hpp"

namespace rank_kills_test {

using namespace semblance::testing;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int ranks = 3;

/// A background job of several ranks, each of which reports its process id.
class Job {
 public:
  Job(const Workplace& work, const std::string& arguments) : work_(work) {
    for (int r = 0; r < ranks; ++r) fs::remove(pid_file(r));
    fs::remove(work.path / "ended");
    fs::remove_all(work.path / "killed/unfinished");
    logged_before_ = log_bytes();
    work.shell(prepared_for_mpi + "( mpirun -n " + std::to_string(ranks) +
               " sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$program\" " + arguments +
               " --mpi' > job.log 2>&1; echo $? > ended.new; mv ended.new ended ) > /dev/null 2>&1 "
               "&");
  }
  bool ended() const { return fs::exists(work_.path / "ended"); }
  /// Whether it ended in time.
  bool ends_within(std::chrono::seconds time) const {
    for (const auto until = Clock::now() + time; Clock::now() < until;) {
      if (ended()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return ended();
  }
  int exit() const { return std::stoi(work_.content("ended")); }
  std::string log() const { return work_.content("job.log"); }
  /// False if it had already ended.
  bool kill_rank(int rank) const {
    const pid_t process = pid(rank);
    return process > 0 && !ended() && ::kill(process, SIGKILL) == 0;
  }
  /// Waits until all ranks have started and the first one has logged something about the run.
  bool begins() const {
    for (const auto until = Clock::now() + std::chrono::seconds(30); Clock::now() < until;) {
      bool all = true;
      for (int r = 0; r < ranks; ++r) all = all && pid(r) > 0;
      if (all && log_bytes() > logged_before_) return true;
      if (ended()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

 private:
  fs::path pid_file(int rank) const { return work_.path / ("pid." + std::to_string(rank)); }
  pid_t pid(int rank) const {
    pid_t number = 0;
    std::ifstream(pid_file(rank)) >> number;
    return number;
  }

  /// In both logs: a run next to a finished one has its own.
  std::uintmax_t log_bytes() const {
    std::uintmax_t bytes = 0;
    for (const char* log : {"killed/run.log", "killed/unfinished/run.log"}) {
      std::error_code none;
      const auto found = fs::file_size(work_.path / log, none);
      if (!none) bytes += found;
    }
    return bytes;
  }

  const Workplace& work_;
  std::uintmax_t logged_before_ = 0;
};

constexpr const char* pipeline = R"(name: killed
seed: 3
nodes:
  rows:  {is: source/clusters, classes: 4, columns: 20, train: 30000, test: 1000}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 200, from: x}
  rbf:   {is: similarity/rbf, gamma: 0.05, from: x, bases: bases}
  svm:   {is: solver/linear_svm, C: 10, tolerance: 1.0e-8, from: rbf}
  test:  {is: evaluator/classification, from: svm}
)";

}  // namespace

TEST_CASE("mpirun: ranks killed at random moments end the job soon, and the next start is right") {
  const Workplace work;
  if (mpi_is_missing(work)) return;
  const std::string file = work.file("p.yaml", pipeline);
  work.succeed("run " + file + " --out alone --no-cache --quiet");
  const std::string expected = results_of(work, "alone"), scores = predictions(work, "alone");
  const std::string weights = work.content("alone/model/nodes/svm/part_0/weights.npy");
  const std::string arguments = "run " + file + " --quiet --threads 1 --out killed";

  const auto begin = Clock::now();
  REQUIRE(over_ranks(work, ranks, arguments).exit == 0);
  const auto whole =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
  const int kills = repetitions("SEMBLANCE_TEST_KILLS", 4);
  const int seed = repetitions("SEMBLANCE_TEST_SEED", 7);
  MESSAGE(kills << " kills, seed " << seed << "; undisturbed it takes " << whole << " ms");
  std::mt19937 random(static_cast<unsigned>(seed));
  int met = 0, told = 0;
  std::chrono::milliseconds longest{0};
  for (int kill = 0; kill < kills; ++kill) {
    if (kill % 3 != 2) fs::remove_all(work.path / "cache");
    const Job job(work, arguments);
    // Sometimes before it has started.
    if (kill % 5 != 4) REQUIRE_MESSAGE(job.begins(), job.log());
    std::this_thread::sleep_for(std::chrono::milliseconds(
        std::uniform_int_distribution<std::int64_t>(0, whole * 4 / 10)(random)));
    const int victim = std::uniform_int_distribution<int>(0, ranks - 1)(random);
    const bool killed = job.kill_rank(victim);
    const auto since = Clock::now();
    CAPTURE(kill);
    CAPTURE(victim);
    REQUIRE_MESSAGE(job.ends_within(std::chrono::seconds(killed ? 10 : 60)), job.log());
    if (killed && job.exit() != 0) {
      ++met;
      longest = std::max(
          longest, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - since));
      const std::string gone = "rank " + std::to_string(victim) + " on ";
      const bool said =
          contains(job.log(), gone) && contains(job.log(), "is gone, killed or crashed");
      told += said;
      if (!said) MESSAGE(job.log());
    }
    const int next = std::uniform_int_distribution<int>(1, ranks)(random);
    const auto again = over_ranks(work, next, arguments);
    INFO(again.output);
    REQUIRE(again.exit == 0);
    REQUIRE(results_of(work, "killed") == expected);
    REQUIRE(predictions(work, "killed") == scores);
    REQUIRE(work.content("killed/model/nodes/svm/part_0/weights.npy") == weights);
  }
  MESSAGE(met << " of them while it ran, ended within " << longest.count() << " ms; " << told
              << " times a rank told which one was gone");
  CHECK(met > 0);
}

}  // namespace rank_kills_test
