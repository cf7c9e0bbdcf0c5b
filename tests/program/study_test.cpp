// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>

#include "killing.hpp"
#include "program.hpp"
#include "studies.hpp"

namespace study_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> variants(const Workplace& work, const std::string& out) {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(work.path / out / "variants"))
    names.push_back(item.path().filename());
  std::ranges::sort(names);
  return names;
}

/// The data of a table: every variant's figures and predictions, without times.
std::string results(const Workplace& work, const std::string& out) {
  std::string all;
  for (const auto& name : variants(work, out))
    all += name + results_of(work, out + "/variants/" + name);
  return all;
}

}  // namespace

TEST_CASE("a study is the same with one thread, without the store and within little memory") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --out out");
  work.succeed("ablate s.yaml --no-cache --threads 1 --memory 180M --out other");
  CHECK(results(work, "out") == results(work, "other"));
}

TEST_CASE("killed at ten random moments, a study goes on and ends in the same table") {
  const Workplace work;
  work.file("s.yaml", small_study());
  work.succeed("ablate s.yaml --no-cache --out whole");
  std::mt19937 random(7);
  for (int kill = 0; kill < 10; ++kill)
    kill_at_random(work, "ablate s.yaml --out killed", random, 400'000);
  work.succeed("ablate s.yaml --out resumed");
  CHECK(results(work, "whole") == results(work, "resumed"));
  CHECK(work.content("whole/table.csv") == work.content("resumed/table.csv"));
}

}  // namespace study_test
