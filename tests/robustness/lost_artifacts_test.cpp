// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "program.hpp"

namespace lost_artifacts_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

// Deleting anything from the store is safe, and damaged artifacts are not used: if any artifact is
// missing or damaged, the same run and one with a different parameter have the same results as with
// a complete store.

namespace {

constexpr const char* calibrated = R"(name: calibrated
nodes:
  points: {is: source/rings, classes: 3, train: 60, test: 30}
  z:      {is: normalizer/zscore, from: points}
  bases:  {is: basis/random, count: 8, from: z}
  rbf:    {is: similarity/rbf, gamma: 1, from: z, bases: bases}
  svm:    {is: solver/linear_svm, C: 1, from: rbf}
  p:      {is: calibrator/probabilities, folds: 2, from: svm}
  test:   {is: evaluator/classification, from: p}
)";

constexpr const char* selected = R"(name: selected
select:
  metric: test.error_rate
  folds: 2
  parameters:
    gamma: {path: nodes.rbf.gamma, values: [0.5, 2]}
nodes:
  points: {is: source/rings, classes: 3, train: 60, test: 30}
  z:      {is: normalizer/zscore, from: points}
  bases:  {is: basis/random, count: 8, from: z}
  rbf:    {is: similarity/rbf, gamma: 1, from: z, bases: bases}
  svm:    {is: solver/linear_svm, C: 1, from: rbf}
  t:      {is: calibrator/probabilities, method: temperature, folds: 2, from: svm}
  test:   {is: evaluator/classification, from: t}
)";

constexpr const char* paired = R"(name: paired
nodes:
  points: {is: source/checkerboard, side: 6, task: interclass, classes: 6, examples_per_class: 4}
  z:      {is: normalizer/zscore, from: points}
  pairs:  {is: pairs/all, from: points}
  svm:    {is: solver/pairwise_svm, C: 1, from: z, pairs: pairs}
  test:   {is: evaluator/verification, from: svm}
)";

/// The study that varies the calibrated machine.
constexpr const char* study = R"(
study:
  metric: test.error_rate
  slots:
    gamma: {path: nodes.rbf.gamma, values: [0.5, 2]}
  repeats: {seeds: 2}
)";

/// The last byte of its largest file.
void damage(const fs::path& artifact) {
  fs::path largest;
  for (const auto& item : fs::recursive_directory_iterator(artifact))
    if (item.is_regular_file() && (largest.empty() || item.file_size() > fs::file_size(largest)))
      largest = item.path();
  std::fstream io(largest, std::ios::in | std::ios::out | std::ios::binary);
  io.seekg(-1, std::ios::end);
  const int last = io.get();
  io.seekp(-1, std::ios::end);
  io.put(static_cast<char>(last ^ 0x40));
}

void copy_store(const Workplace& work, const fs::path& from) {
  fs::remove_all(work.path / "cache");
  fs::copy(from, work.path / "cache", fs::copy_options::recursive);
}

std::vector<std::string> artifacts(const fs::path& store) {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(store / "artifacts"))
    names.push_back(item.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// The figures and predictions of a run, or the table of a study.
std::string found_by(const Workplace& work, const std::string& out) {
  if (fs::exists(work.path / out / "table.csv")) return work.content(out + "/table.csv");
  return results_of(work, out);
}

/// Removes and damages each artifact, alternately for the two commands.
void check_each(const Workplace& work, const std::string& command, const std::string& change) {
  work.succeed(command + " --out whole");
  fs::rename(work.path / "cache", work.path / "intact");
  const std::string results[] = {found_by(work, "whole"), [&] {
                                   copy_store(work, work.path / "intact");
                                   work.succeed(command + change + " --out changed");
                                   return found_by(work, "changed");
                                 }()};
  const std::string commands[] = {command, command + change};
  const auto names = artifacts(work.path / "intact");
  REQUIRE(names.size() >= 6);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      if (!of_the_day(2 * i + c, 7)) continue;
      copy_store(work, work.path / "intact");
      const fs::path artifact = work.path / "cache/artifacts" / names[i];
      const bool removed = (i + c) % 2 == 0;
      if (removed)
        fs::remove_all(artifact);
      else
        damage(artifact);
      const auto outcome = work(commands[c] + " --out again");
      INFO(names[i] << (removed ? " removed" : " damaged") << "\n" << outcome.output);
      CHECK(outcome.exit == 0);
      if (outcome.exit == 0) CHECK(found_by(work, "again") == results[c]);
    }
}

}  // namespace

TEST_CASE("an evaluator whose result is lost waits for a solver that is lost too") {
  const Workplace work;
  work.file("p.yaml", R"(name: lost
nodes:
  points: {is: source/banana, train: 60, test: 30}
  z:      {is: normalizer/zscore, from: points}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: z}
  plane:  {is: evaluator/boundary, from: svm}
  size:   {is: evaluator/complexity, from: svm}
  test:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run p.yaml --quiet --out whole");
  fs::rename(work.path / "cache", work.path / "intact");
  const auto names = artifacts(work.path / "intact");
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      if (!of_the_day(pairs++, 7)) continue;
      copy_store(work, work.path / "intact");
      for (const std::string& name : {names[a], names[b]})
        fs::remove_all(work.path / "cache/artifacts" / name);
      const auto outcome = work("run p.yaml --quiet --out again");
      INFO(names[a] << " and " << names[b] << " removed\n" << outcome.output);
      CHECK(outcome.exit == 0);
      if (outcome.exit == 0) CHECK(results_of(work, "again") == results_of(work, "whole"));
    }
}

TEST_CASE("whichever artifact of a calibrated machine is lost, it is made again") {
  const Workplace work;
  work.file("p.yaml", calibrated);
  check_each(work, "run p.yaml --quiet --threads 1", " --set nodes.svm.C=2");
}

TEST_CASE("whichever artifact of a selection is lost, it is made again") {
  const Workplace work;
  work.file("p.yaml", selected);
  check_each(work, "run p.yaml --quiet --threads 1", " --set nodes.svm.C=2");
}

TEST_CASE("whichever artifact of a pair machine is lost, it is made again") {
  const Workplace work;
  work.file("p.yaml", paired);
  check_each(work, "run p.yaml --quiet --threads 1", " --set nodes.svm.C=2");
}

TEST_CASE("whichever artifact of a study is lost, it is made again") {
  const Workplace work;
  work.file("s.yaml", std::string(calibrated) + study);
  check_each(work, "ablate s.yaml --quiet --threads 1", " --set nodes.svm.C=2");
}

}  // namespace lost_artifacts_test
