// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

namespace concurrent_runs_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Runs all at once and returns the messages of the failed ones.
std::string all_at_once(const Workplace& work, const std::vector<std::string>& runs) {
  std::vector<pid_t> processes;
  for (std::size_t i = 0; i < runs.size(); ++i)
    processes.push_back(work.start(runs[i], "log" + std::to_string(i)));
  std::string failures;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const int end = wait_for(processes[i]); end != 0)
      failures +=
          runs[i] + ": " + std::to_string(end) + "\n" + work.content("log" + std::to_string(i));
  return failures;
}

const std::vector<std::string> variants = {
    "", " --set nodes.svm.C=10", " --set nodes.rigid.shift=2", " --set nodes.rbf.gamma=0.5"};

std::string out(std::size_t i) { return "out" + std::to_string(i); }

/// `count` runs, every one of the first `different` variants.
std::vector<std::string> runs(std::size_t count, std::size_t different, const std::string& more) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back("run p.yaml --quiet --threads 1 --out " + out(i) + variants[i % different] +
                  more);
  return all;
}

struct Alone {
  Alone() {
    work.file("p.yaml", small_pipeline);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      work.succeed("run p.yaml --quiet --no-cache --out alone" + variants[i]);
      expected.push_back(results_of(work, "alone"));
    }
  }
  void check(std::size_t count, std::size_t different, const std::string& more = "") {
    const std::string failures = all_at_once(work, runs(count, different, more));
    REQUIRE_MESSAGE(failures.empty(), failures);
    for (std::size_t i = 0; i < count; ++i)
      CHECK_MESSAGE(results_of(work, out(i)) == expected[i % different], i);
    CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  }
  Workplace work;
  std::vector<std::string> expected;
};

}  // namespace

TEST_CASE(
    "two and eight runs at once on one store get what they get alone, also where it is damaged and "
    "while it is trimmed") {
  Alone alone;
  alone.check(2, 1);
  alone.check(8, 4);
  fs::remove_all(alone.work.path / "cache");
  alone.check(8, 1);
  // Then everything is in the store.
  REQUIRE(alone.work("run p.yaml --out stored --quiet").exit == 0);
  const auto metrics = alone.work.metrics("stored");
  REQUIRE(metrics.at("nodes").size() > 4);
  for (const auto& [name, node] : metrics.at("nodes").items())
    CHECK_MESSAGE(node.at("cached").get<bool>(), name);
  // All of it is damaged.
  for (const auto& item : fs::recursive_directory_iterator(alone.work.path / "cache/artifacts"))
    if (item.is_regular_file()) fs::resize_file(item.path(), item.file_size() / 2);
  alone.check(8, 4);
  // Each trims it to almost nothing.
  for (int round = 0; round < 3; ++round) alone.check(8, 4, " --cache-limit 100K");
}

TEST_CASE("runs that begin in the same second have folders of their own") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  const std::string failures =
      all_at_once(work, std::vector<std::string>(4, "run p.yaml --quiet --threads 1"));
  REQUIRE_MESSAGE(failures.empty(), failures);
  std::size_t folders = 0;
  for (const auto& item : fs::directory_iterator(work.path / "runs"))
    if (item.is_directory() && item.path().filename() != ".history") {
      ++folders;
      CHECK(fs::exists(item.path() / "metrics.json"));
    }
  CHECK(folders == 4);
  const auto history = work("history list --json");
  CHECK(nlohmann::json::parse(history.output).size() == 4);
}

TEST_CASE("a folder that another run is writing into is refused") {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  work.file("q.yaml", small_pipeline);
  const pid_t process = work.start("run p.yaml --quiet --no-cache --out out");
  while (!fs::exists(work.path / "out/pipeline.yaml")) {
  }
  work.expect("run q.yaml --quiet --out out", 1, "another run is writing to 'out'");
  CHECK(wait_for(process) == 0);
  CHECK(work.metrics("out").at("pipeline") == "wide");
  CHECK(work("run q.yaml --quiet --out out").exit == 0);
}

}  // namespace concurrent_runs_test
