// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "pipelines.hpp"
#include "program.hpp"
#include "studies.hpp"

namespace out_folder_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

// An output folder has one complete run, whatever happened to the runs before and after it.

namespace {

/// Two machines, the second of which is slow with many iterations.
constexpr const char* two_machines = R"(name: two_machines
nodes:
  points: {is: source/clusters, classes: 5, columns: 20, train: 4000, test: 200}
  x:      {is: normalizer/zscore, from: points}
  one:    {is: solver/linear_svm, from: x}
  bases:  {is: basis/random, count: 800, from: x}
  rbf:    {is: similarity/rbf, gamma: 0.02, from: x, bases: bases}
  two:    {is: solver/ml3, models: 4, iterations: 2, from: rbf}
  test:   {is: evaluator/classification, from: two}
)";

constexpr const char* one_machine = R"(name: one_machine
nodes:
  points: {is: source/clusters, classes: 5, columns: 20, train: 4000, test: 200}
  x:      {is: normalizer/zscore, from: points}
  one:    {is: solver/linear_svm, from: x}
  test:   {is: evaluator/classification, from: one}
)";

std::string names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& item : fs::directory_iterator(folder))
    names.insert(item.path().filename().string());
  std::string text;
  for (const auto& name : names) text += name + " ";
  return text;
}

/// The contents of a folder of results, without times.
std::string content_of(const Workplace& work, const std::string& out) {
  return names_in(work.path / out) + work.content(out + "/pipeline.yaml") +
         work.content(out + "/model/model.json") + work.content(out + "/metrics.json") +
         predictions(work, out);
}

/// Hours.
constexpr const char* long_run =
    "run a.yaml --quiet --no-cache --out o --set nodes.two.iterations=100000";

}  // namespace

TEST_CASE("another pipeline's results replace all of the former's, and nothing else") {
  const Workplace work;
  work.file("a.yaml", two_machines);
  work.file("b.yaml", one_machine);
  work.succeed("run b.yaml --quiet --out alone");
  work.succeed("run a.yaml --quiet --out o");
  CHECK(names_in(work.path / "o/predictions") == "one.csv one.npy two.csv two.npy ");
  work.file("o/notes.txt", "mine");
  work.succeed("run b.yaml --quiet --out o");
  CHECK(work.content("o/notes.txt") == "mine");
  fs::remove(work.path / "o/notes.txt");
  CHECK(names_in(work.path / "o") == names_in(work.path / "alone"));
  CHECK(names_in(work.path / "o/predictions") == "one.csv one.npy ");
  CHECK(names_in(work.path / "o/model/nodes") == "one x ");
  CHECK(work.metrics("o").at("pipeline") == "one_machine");
  CHECK(work.content("o/pipeline.yaml") == work.content("alone/pipeline.yaml"));
  // Nor does anything of a run stay in a study's folder.
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --quiet --out study");
  work.succeed("ablate s.yaml --quiet --out o");
  CHECK(names_in(work.path / "o") == names_in(work.path / "study"));
  work.succeed("run b.yaml --quiet --out o");
  CHECK(names_in(work.path / "o") == names_in(work.path / "alone"));
}

TEST_CASE("a stopped run leaves a finished one's results whole, and its own beside them") {
  const Workplace work;
  work.file("a.yaml", two_machines);
  work.succeed("run a.yaml --quiet --no-cache --out o");
  const std::string before = content_of(work, "o");
  const auto stopped = work(std::string(long_run) + " --deadline 2");
  INFO(stopped.output);
  REQUIRE(stopped.exit == 1);
  CHECK(contains(stopped,
                 "'o' still has the results of the run that finished there before; those "
                 "of this one, as far as they go, are in 'o/unfinished'"));
  CHECK(contains(stopped, "report: o/unfinished/report.html"));
  CHECK(work.metrics("o/unfinished").at("stopped_by") == "the deadline");
  fs::rename(work.path / "o/unfinished", work.path / "aside");
  CHECK(content_of(work, "o") == before);
  fs::rename(work.path / "aside", work.path / "o/unfinished");
  work.succeed("run a.yaml --quiet --out o");
  CHECK_FALSE(fs::exists(work.path / "o/unfinished"));
  // If no run has finished, a stopped run is all there is, until a better one replaces it.
  CHECK(work("run a.yaml --quiet --no-cache --out n --deadline 0.01").exit == 1);
  CHECK(work.metrics("n").contains("stopped_by"));
  CHECK_FALSE(fs::exists(work.path / "n/unfinished"));
  work.succeed("run a.yaml --quiet --out n");
  CHECK_FALSE(work.metrics("n").contains("stopped_by"));
  CHECK(names_in(work.path / "n") == names_in(work.path / "o"));
}

TEST_CASE("a killed run leaves a finished one's results whole, and goes with the next") {
  const Workplace work;
  work.file("a.yaml", two_machines);
  work.succeed("run a.yaml --quiet --no-cache --out o");
  const std::string before = content_of(work, "o");
  const pid_t process = work.start(long_run);
  while (!fs::exists(work.path / "o/unfinished/pipeline.yaml")) ::usleep(2000);
  ::usleep(100'000);
  ::kill(process, SIGKILL);
  wait_for(process);
  fs::rename(work.path / "o/unfinished", work.path / "aside");
  std::string after = content_of(work, "o");
  if (const auto lease = after.find("running.lease "); lease < after.find('\n'))
    after.erase(lease, std::string("running.lease ").size());
  CHECK(after == before);
  fs::rename(work.path / "aside", work.path / "o/unfinished");
  work.succeed("predict o/model --quiet --out p");
  work.succeed("run a.yaml --quiet --no-cache --out o");
  CHECK_FALSE(fs::exists(work.path / "o/unfinished"));
}

TEST_CASE("predictions of another model replace the former's, and a run's folder keeps its own") {
  const Workplace work;
  work.file("a.yaml", two_machines);
  work.file("b.yaml", one_machine);
  work.succeed("run a.yaml --quiet --out a");
  work.succeed("run b.yaml --quiet --out b");
  work.succeed("predict a/model --quiet --out p");
  CHECK(fs::exists(work.path / "p/two.csv"));
  work.file("p/table.csv", "mine\n");
  work.succeed("predict b/model --quiet --out p");
  CHECK(names_in(work.path / "p") == "one.csv one.npy run.log table.csv ");
  const std::string before = content_of(work, "b");
  work.succeed("predict b/model --quiet --out b/more");
  fs::remove_all(work.path / "b/more");
  CHECK(content_of(work, "b") == before);
}

TEST_CASE("a folder in which workers meet is theirs") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.file("b.yaml", one_machine);
  work.succeed("ablate s.yaml --join o --quiet");
  const std::string table = work.content("o/table.csv");
  work.expect("run b.yaml --quiet --out o", 1,
              "workers meet in 'o' for the study 'small_study'; join them with --join FOLDER, or "
              "choose another folder with --out DIR");
  CHECK(work.content("o/table.csv") == table);
}

TEST_CASE("a folder named unfinished that is no run's is not touched") {
  const Workplace work;
  work.file("b.yaml", one_machine);
  fs::create_directories(work.path / "o/unfinished");
  work.file("o/unfinished/novel.txt", "mine");
  work.expect("run b.yaml --quiet --out o", 1, "what is there is no run's; move it");
  CHECK(work.content("o/unfinished/novel.txt") == "mine");
}

}  // namespace out_folder_test
