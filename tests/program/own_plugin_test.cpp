// SPDX-License-Identifier: MIT
// new-plugin and check-plugin; that the written projects build is tested in tests/sdk.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace own_plugin_test {

using namespace semblance::testing;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

/// The output of check-plugin about one component.
std::string part_about(const std::string& output, const std::string& id) {
  const auto begin = output.find("\n" + id + "\n");
  REQUIRE(begin != std::string::npos);
  return output.substr(begin, output.find("\n\n", begin) - begin);
}

}  // namespace

TEST_CASE("check-plugin says which promise a component breaks, and goes on after a crash") {
  const Workplace work;
  const auto outcome = work("check-plugin " + plugins + "/misbehaving.so --timeout 3");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"feature/crashing",
       "failed   a block without rows: crashed with signal 6 (Aborted) during the check 'a block "
       "without rows'\n  ok       same bits when called concurrently"},
      {"feature/endless",
       "failed   a block without rows: did not finish within 3 s during the check"},
      {"feature/shared", "failed   same bits when called concurrently: row "},
      {"feature/block_mean", "failed   same bits in any block of rows: row 1 differs in a block"},
      {"feature/undocumented", "failed   documentation: the parameter 'size' is not documented"},
      {"feature/undocumented",
       "failed   defaults within their ranges: the default: 'size' must be in the range [1, inf)"},
      {"feature/wrong_error",
       "failed   layouts of samples: it threw an object that is not a std::"},
      {"normalizer/forgetful", "failed   saved and loaded, the same bits: saved and loaded: "},
      {"normalizer/racing",
       "failed   same bits in any order of parallel work: parallel work in reversed order: "},
      {"similarity/false_claims", "failed   symmetric: s(a, b) = "},
      {"similarity/false_claims", "failed   positive semi-definite: the smallest eigenvalue of a"},
      {"similarity/false_claims",
       "failed   gradient: in column 0 its slope is 0, but its values change by -"},
      {"basis/repeating", "failed   as many rows as declared, none twice: it chose a row twice"},
      {"basis/secretly_random", "failed   the seed matters only if declared: another seed"},
      {"solver/overconfident",
       "failed   probabilities, if it says so, that add up to 1: the scores of row 0 add up to "
       "2.000000"},
      {"normalizer/peeking",
       "failed   samples with other targets than classes: samples with numbers as their target "
       "instead of classes: "},
      {"normalizer/peeking", "if it learns from classes, .learns_from() must say so"},
      {"basis/needs_classes",
       "failed   samples with other targets than classes: it chose 0 bases; count() said 1"},
      {"solver/shrunken", "ok       estimates numbers that the samples determine"},
      {"solver/shrunken",
       "skipped  two target numbers: it refuses more than one number: it learns one number"},
      {"solver/shrunken",
       "remark   target numbers far from zero: if all targets are larger by 1000, its estimates "
       "have an R^2 of -144.2"},
      {"solver/guessing",
       "failed   certificate and objective are reported: it reports the certificate 'done'"},
      {"solver/guessing",
       "failed   estimates numbers that the samples determine: its estimates "
       "of the training samples' 'height' have an R^2 of -0; their mean has 0"},
      {"solver/guessing",
       "failed   two target numbers: as 'estimates numbers that the samples determine'\n"},
      {"solver/reversed",
       "failed   novel samples have smaller scores: a sample of the class that it has learned has "
       "a larger score than one of another, well-separated class with a probability of only 0"},
      {"solver/reversed",
       "failed   samples with other targets than classes: it threw the error: it requires classes"},
      {"evaluator/one_number",
       "failed   two target numbers: it threw the error: there are two numbers"},
      {"evaluator/one_number", "ok       test rows whose labels are unknown"},
      {"evaluator/one_number",
       "failed   test rows that belong to groups: it threw the error: a row is of group -1"},
      {"evaluator/undecided",
       "failed   it reports something, and no name twice: evaluator/undecided reports the figure "
       "'usual', which its declaration does not name"},
      {"evaluator/undeclared",
       "failed   samples with other targets than classes: evaluator/undeclared reports the figure "
       "'columns', which its declaration does not name"},
      {"evaluator/undeclared",
       "failed   it reports something, and no name twice: as 'samples with other targets than "
       "classes'\n"}};
  for (const auto& [id, message] : expected) {
    const std::string said = part_about(outcome.output, id);
    INFO(id << said);
    CHECK(said.find(message) != std::string::npos);
  }
  CHECK(part_about(outcome.output, "feature/right").find("failed") == std::string::npos);

  // Wrong examples are among the broken promises.
  CHECK(contains(outcome.output,
                 "failed   example: the pipeline has neither a solver nor an evaluator"));
  CHECK(contains(outcome.output,
                 "; line 1: unknown component 'source/xr' (did you mean 'source/xor'?)"));
  CHECK(contains(outcome.output, "failed   example: it does not contain feature/crashing"));
}

TEST_CASE("check-plugin finds memory that is never freed, and trainings that cannot be stopped") {
  const Workplace work;
  const auto outcome = work("check-plugin " + plugins + "/careless.so");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  const auto says = [&](const std::string& id, const std::string& message) {
    const std::string said = part_about(outcome.output, id);
    INFO(id << said);
    CHECK(said.find(message) != std::string::npos);
  };
  const std::string memory = "no memory is left behind";
  const std::string stop = "a long training asks whether to stop";
  if (!sanitized)  // memory is counted by the C library, which sanitizers replace
    says("feature/leaking", "failed   " + memory + ": every use leaves ");
  says("feature/caching", "ok       " + memory);
  says("normalizer/deaf", "ok       " + memory);
  says("normalizer/deaf", "failed   " + stop + ": training on ");
  says("normalizer/deaf", "s of processor time in which it never asked whether to stop");
  says("normalizer/listening", "ok       " + stop);
}

}  // namespace own_plugin_test
