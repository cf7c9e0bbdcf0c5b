// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <random>

#include "killing.hpp"
#include "shared_studies.hpp"
#include "studies.hpp"

namespace workers_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

/// Starts a number of workers on `file`; returns their exit codes.
std::vector<int> work_together(const Workplace& work, int workers, const std::string& command) {
  std::vector<pid_t> processes;
  processes.reserve(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i)
    processes.push_back(work.start(command + " --quiet --threads 1", "log" + std::to_string(i)));
  std::vector<int> ends;
  ends.reserve(processes.size());
  for (const pid_t process : processes) ends.push_back(wait_for(process));
  return ends;
}

std::string logs(const Workplace& work, int workers) {
  std::string all;
  for (int i = 0; i < workers; ++i) all += work.content("log" + std::to_string(i));
  return all;
}

/// The undisturbed run that others are compared with.
void run_alone(const Workplace& work, const std::string& file, const std::string& more = "") {
  work.succeed("ablate " + file + " --join alone --quiet" + more);
}

/// Checks that three workers on the study NAME.yaml produce the same table as a single run.
void shared_as_alone(const Workplace& work, const std::string& name) {
  const std::string command = "ablate " + name + ".yaml";
  work.succeed(command + " --no-cache --quiet --out plain_" + name);
  const auto ends = work_together(work, 3, command + " --join " + name);
  INFO(logs(work, 3));
  CHECK(ends == std::vector<int>(3, 0));
  CHECK(work.content(name + "/table.csv") == work.content("plain_" + name + "/table.csv"));
  CHECK(left_behind(work, name).size() > 1000);
  const auto status = status_of(work, name);
  CHECK(!status.at("parts").empty());
  for (const auto& part : status.at("parts")) {
    INFO(part.dump());
    CHECK(part.at("done") == part.at("nodes"));
  }
}

const std::string selecting = R"(seed: 3
select:
  metric: test.error_rate
  folds: 3
  parameters:
    C: {path: nodes.svm.C, values: [0.001, 1, 10]}
    cell: {path: nodes.hog.cell, values: [4, 8]}
)";

const std::string glyph_nodes = R"(nodes:
  glyphs: {is: source/glyphs, train_per_class: 12, test_per_class: 6}
  hog: {is: feature/hog, cell: 4, from: glyphs}
  x:   {is: normalizer/zscore, from: hog}
  svm: {is: solver/linear_svm, from: x}
  test: {is: evaluator/classification, from: svm}
)";

}  // namespace

TEST_CASE("one, two and three workers leave what the study leaves alone, and share its work") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --no-cache --quiet --out plain");
  run_alone(work, "s.yaml");
  CHECK(work.content("alone/table.csv") == work.content("plain/table.csv"));
  CHECK(work.content("alone/study.json") == work.content("plain/study.json"));
  const int all = units_done(work, "alone");
  for (const int workers : {2, 3}) {
    const std::string out = "with" + std::to_string(workers);
    const auto ends = work_together(work, workers, "ablate s.yaml --join " + out);
    INFO(logs(work, workers));
    CHECK(ends == std::vector<int>(static_cast<std::size_t>(workers), 0));
    CHECK(difference(left_behind(work, out), left_behind(work, "alone")) == "");
    // Nothing is computed twice.
    CHECK(units_done(work, out) == all);
  }
}

TEST_CASE("studies that select inside, and studies in steps, are shared as well") {
  const Workplace work;
  work.file("select.yaml",
            "name: chosen\nstudy:\n  metric: test.error_rate\n  slots:\n    x: {path: "
            "nodes.x.is, values: [normalizer/zscore, normalizer/mean_norm]}\n" +
                selecting + glyph_nodes);
  work.file("steps.yaml", board_in_steps());
  shared_as_alone(work, "select");
  // Sources and what only streams are counted as ablate counts them.
  const auto metrics = nlohmann::json::parse(work.content("plain_select/metrics.json"));
  CHECK(status_of(work, "select").at("parts").back().at("nodes").get<std::size_t>() ==
        metrics.at("nodes").size());
  shared_as_alone(work, "steps");
}

TEST_CASE("a selection inside a run is shared as well") {
  const Workplace work;
  work.file("p.yaml", "name: p\n" + selecting + glyph_nodes);
  work.succeed("run p.yaml --no-cache --quiet --out plain");
  const auto ends = work_together(work, 2, "run p.yaml --join out");
  INFO(logs(work, 2));
  CHECK(ends == std::vector<int>(2, 0));
  CHECK(results_of(work, "out") == results_of(work, "plain"));
  CHECK(fs::exists(work.path / "out/model"));
  CHECK(work.succeed("predict out/model --out predicted").exit == 0);
}

TEST_CASE("workers that are killed at random moments, and others that come later, change nothing") {
  const Workplace work;
  work.file("s.yaml", small_study());
  run_alone(work, "s.yaml");
  std::mt19937 random(11);
  const int rounds = repetitions("SEMBLANCE_KILLS", 4);
  for (int round = 0; round < rounds; ++round) {
    const std::string out = "killed" + std::to_string(round);
    const std::string command = "ablate s.yaml --quiet --threads 1 --join " + out;
    const pid_t steady = work.start(command, "steady");
    for (int kill = 0; kill < 3; ++kill) kill_at_random(work, command, random, 150'000);
    const int end = wait_for(steady);
    INFO(work.content("steady"));
    CHECK(end == 0);
    // Whoever was killed while it wrote the results has left that to the next.
    work.succeed(command);
    CHECK(difference(left_behind(work, out), left_behind(work, "alone")) == "");
  }
}

TEST_CASE("killed again and again, one worker after the other ends with the same results") {
  const Workplace work;
  work.file("s.yaml", small_study());
  run_alone(work, "s.yaml");
  std::mt19937 random(3);
  const std::string command = "ablate s.yaml --quiet --threads 1 --join out";
  for (int kill = 0; kill < 12; ++kill) kill_at_random(work, command, random, 250'000);
  work.succeed(command);
  CHECK(difference(left_behind(work, "out"), left_behind(work, "alone")) == "");
}

TEST_CASE("a worker that comes late finds nothing to do") {
  const Workplace work;
  work.file("s.yaml", small_study());
  run_alone(work, "s.yaml");
  const int before = units_done(work, "alone");
  const auto page = work.content("alone/report.html");
  const auto late = work.succeed("ablate s.yaml --join alone");
  CHECK(contains(late, "the study 'small_study' is complete; report: "));
  CHECK(units_done(work, "alone") == before);
  CHECK(work.content("alone/report.html") == page);
}

TEST_CASE("what fails is tried once, told by the status, and tried again when asked for") {
  const Workplace work;
  work.file("s.yaml", failing_study);
  const std::string more = " --plugin-path " + plugins + "/throwing.so";
  CHECK(work("ablate s.yaml --no-cache --quiet --out plain" + more).exit == 1);
  const auto ends = work_together(work, 2, "ablate s.yaml --join out" + more);
  INFO(logs(work, 2));
  // The worker that writes the results reports that some failed.
  CHECK(std::ranges::count(ends, 1) == 1);
  CHECK(std::ranges::count(ends, 0) == 1);
  CHECK(work.content("out/table.csv") == work.content("plain/table.csv"));
  CHECK(work.content("out/study.json") == work.content("plain/study.json"));
  const auto status = status_of(work, "out");
  REQUIRE(status.at("failures").size() == 1);
  CHECK(contains(status.at("failures")[0].at("message").get<std::string>(),
                 "while computing rows: thrown in apply"));
  CHECK(status.at("failures")[0].at("variants") == 1);
  CHECK(status.at("complete") == true);
  CHECK(status.at("parts")[0].at("variants_finished") == 2);
  CHECK(status.at("parts")[0].at("variants_failed") == 2);
  const auto told = work.succeed("study status out");
  CHECK(contains(told, "thrown in apply (in 1 variant)"));

  // The note is older than the next worker, which does not change it.
  const std::string note = fs::directory_iterator(work.path / "out/joint/failed")->path();
  const auto written = fs::last_write_time(note);
  work.succeed("ablate s.yaml --join out --quiet" + more);
  CHECK(fs::last_write_time(note) == written);
  CHECK(work("ablate s.yaml --join out --quiet --retry-failed" + more).exit == 1);
  CHECK(fs::last_write_time(note) != written);
  CHECK(work.content("out/study.json") == work.content("plain/study.json"));
}

TEST_CASE("a study that gains an alternative computes only that") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --join out --quiet");
  const int before = units_done(work, "out");
  std::string more = small_study();
  more.replace(more.find("[0.1, 1]"), 8, "[0.1, 1, 10]");
  work.file("s.yaml", more);
  work.succeed("ablate s.yaml --no-cache --quiet --out plain");
  work.succeed("ablate s.yaml --join out --quiet");
  CHECK(work.content("out/table.csv") == work.content("plain/table.csv"));
  // Twelve more variants: each trains, scores and judges; everything else is shared.
  CHECK(units_done(work, "out") - before == 36);
  CHECK(status_of(work, "out").at("parts")[0].at("variants") == 36);
}

TEST_CASE("a folder of something else, and options that make no sense, are refused") {
  const Workplace work;
  work.file("s.yaml", small_study());
  std::string other = small_study();
  other.replace(other.find("small_study"), 11, "other_study");
  work.file("other.yaml", other);
  work.succeed("ablate s.yaml --join out --quiet");
  work.expect("ablate other.yaml --join out", 1,
              "is of the study 'small_study', not of the study 'other_study'; choose another "
              "folder");
  work.expect("ablate s.yaml --join out --no-cache", 2,
              "omit --no-cache: what the workers compute is in the store");
  work.expect("ablate s.yaml --join out --fail-fast", 2, "omit --fail-fast: workers that join");
  work.expect("ablate s.yaml --join out --cache-limit 1G", 2,
              "omit --cache-limit: workers never trim");
  work.expect("ablate s.yaml --join out --out elsewhere", 2, "--join FOLDER is where");
  work.expect("ablate s.yaml --on slurm --jobs 3 --out o", 2,
              "--on is gone: submit `semblance ablate STUDY --join FOLDER` with sbatch --array");
  work.expect("ablate s.yaml --retry-failed", 2, "--retry-failed goes with --join");
  work.expect("study status nowhere", 1, "no worker has started in");
  work.expect("study", 2, "study takes status FOLDER");
  work.expect("study cancel out", 2, "study takes status FOLDER; got 'cancel'");
  work.expect("study status", 2, "FOLDER is missing; usage: semblance study status FOLDER");
  CHECK_FALSE(fs::exists(work.path / "elsewhere"));
}

TEST_CASE("workers whose data differ do not mix their results") {
  const Workplace work;
  work.file("data/t.csv", "1,2,a\n2,1,b\n3,1,a\n0,2,b\n1,1,a\n2,2,b\n");
  work.file("other/t.csv", "1,2,a\n2,1,b\n3,1,a\n0,2,b\n1,1,a\n2,3,b\n");
  work.file(
      "s.yaml",
      "name: s\nstudy:\n  metric: svm.objective\n  slots:\n    C: {path: nodes.svm.C, values: "
      "[1, 2]}\nnodes:\n  t: {is: source/csv, path: t.csv}\n  svm: {is: solver/linear_svm, "
      "from: t}\n");
  work.succeed("ablate s.yaml --join out --quiet --data data");
  work.expect("ablate s.yaml --join out --quiet --data other", 1,
              "is not the same on this machine");
  fs::create_directories(work.path / "moved");
  fs::copy(work.path / "data/t.csv", work.path / "moved/t.csv");
  work.succeed("ablate s.yaml --join out --quiet --data moved");
}

TEST_CASE("with --require-same-cpu, workers on another kind of processor do not join") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --join shared --quiet --require-same-cpu");
  const std::string again = " ablate s.yaml --join shared --quiet";
  const std::string elsewhere = "OPENBLAS_CORETYPE=Nehalem exec \"$program\"" + again;
  const auto refused = work.shell(elsewhere + " --require-same-cpu 2>&1");
  CHECK(refused.exit == 1);
  CHECK(contains(refused, "has another kind of processor ("));
  CHECK(contains(refused, "and --require-same-cpu refuses that: join from machines of that kind"));
  // A refused worker has done nothing and blocks nobody.
  work.succeed(again + " --require-same-cpu");
  CHECK(work.shell(elsewhere + " 2>&1").exit == 0);
}

TEST_CASE("a worker that is stopped says so and keeps its work; another continues it") {
  const Workplace work;
  std::string large = small_study();
  large.replace(large.find("train_per_class: 30"), 19, "train_per_class: 400");
  large.replace(large.find("seeds: 2"), 8, "seeds: 6");
  work.file("s.yaml", large);
  const pid_t worker = work.start("ablate s.yaml --quiet --threads 1 --join out");
  while (!fs::exists(work.path / "out/joint/parts") || fs::is_empty(work.path / "out/joint/parts"))
    ::usleep(10'000);
  work.expect("ablate s.yaml --join out --set nodes.rbf.gamma=7", 1,
              "1 worker is still at work on another version of the study 'small_study'");
  ::kill(worker, SIGTERM);
  CHECK(wait_for(worker) == 1);
  CHECK(contains(work.content("background.log"), "finished work is kept"));
  const auto status = status_of(work, "out");
  CHECK(status.at("complete") == false);
  CHECK(status.at("workers") == 0);
  CHECK(status.at("parts")[0].at("done") < status.at("parts")[0].at("nodes"));
}

}  // namespace workers_test
