// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace plugin_test {

using namespace semblance::testing;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

std::string pipeline(const std::string& kind, const std::string& where) {
  const auto is = [&](const std::string& k, const std::string& otherwise) {
    return k == kind ? k + "/throwing, where: " + where : otherwise;
  };
  return "name: throwing\nnodes:\n"
         "  s: {is: source/xor, train: 40, test: 10}\n"
         "  f: {is: " +
         is("feature", "normalizer/none") +
         ", from: s}\n"
         "  x: {is: " +
         is("normalizer", "normalizer/none") +
         ", from: f}\n"
         "  b: {is: " +
         is("basis", "basis/random, count: 2") +
         ", from: s}\n"
         "  r: {is: similarity/rbf, from: x, bases: b}\n"
         "  v: {is: " +
         is("solver", "solver/linear_svm") +
         ", from: r}\n"
         "  e: {is: " +
         is("evaluator", "evaluator/classification") + ", from: v}\n";
}

}  // namespace

TEST_CASE("plugins that cannot be used are refused, saying what differs") {
  const Workplace work;
  const std::vector<std::pair<std::string, std::string>> expected = {
      {plugins + "/no_entry.so", "does not export the function 'semblance_plugin'"},
      {plugins + "/wrong_api.so", "it was built for SDK API 99, but this program supports API " +
                                      std::to_string(semblance::sdk_api) + "; rebuild it"},
      {plugins + "/other_fingerprint.so",
       "its binary interface differs: it was built as 'some other compiler', but this program as"},
      {plugins + "/missing_symbol.so", "undefined symbol: _Z28function_that_nobody_definesv"},
      {plugins + "/throws_while_declaring.so", "declaring its components failed: no table today"},
      {work.file("text.so", "not a library"), "file too short"},
      {"/nowhere/at/all", "plugin path '/nowhere/at/all' does not exist; every path tried:"}};
  for (const auto& [path, message] : expected) {
    const auto outcome = work("list --plugin-path " + path);
    INFO(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(outcome.output.find(message) != std::string::npos);
    CHECK(outcome.output.find(path) != std::string::npos);
  }
}

TEST_CASE(
    "a plugin built for the SDK before this one is told so, with both numbers and the remedy") {
  const Workplace work;
  const std::string file = plugins + "/previous_api.so";
  const std::string refusal =
      "plugin '" + file + "' cannot be used: it was built for SDK API " +
      std::to_string(semblance::sdk_api - 1) + ", but this program supports API " +
      std::to_string(semblance::sdk_api) + "; rebuild it with the SDK of this version\n";
  const auto listed = work("list --plugin-path " + file);
  CHECK(listed.exit == 1);
  CHECK(listed.output == "semblance: " + refusal);
  const auto checked = work("check-plugin " + file);
  CHECK(checked.exit == 1);
  CHECK(checked.output.find("  failed   loads: " + refusal) != std::string::npos);
  const std::string pipeline = work.file("p.yaml", "nodes:\n  s: {is: source/xor}\n");
  const auto run = work("run " + pipeline + " --plugin-path " + file);
  CHECK(run.exit == 1);
  CHECK(run.output.find(refusal) != std::string::npos);
}

TEST_CASE("a folder with unusable plugins warns of each and uses the others") {
  const Workplace work;
  const auto outcome = work("list --plugin-path " + plugins);
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output.find("warning: plugin '") != std::string::npos);
  CHECK(outcome.output.find("wrong_api.so") != std::string::npos);
  CHECK(outcome.output.find("feature/throwing") != std::string::npos);
  CHECK(outcome.output.find("solver/linear_svm") != std::string::npos);
}

TEST_CASE("whatever a component throws, wherever, becomes one message with its place") {
  const Workplace work;
  struct Case {
    std::string kind;
    std::string where;
    int exit;
    std::string message;
  };
  const Case cases[] = {
      {"feature", "check_parameters", 2, "p.yaml:4:3: error: "},
      {"feature", "bind", 1,
       "p.yaml:4:3: error: node 'f' (feature/throwing), while preparing: thrown in bind"},
      {"feature", "apply", 1,
       "p.yaml:4:3: error: node 'f' (feature/throwing), while computing rows: thrown in apply"},
      {"feature", "int apply", 1, "it threw an object that is not a std::exception"},
      {"normalizer", "fit", 1,
       "p.yaml:5:3: error: node 'x' (normalizer/throwing), while fitting: thrown in fit"},
      {"normalizer", "save", 1,
       "p.yaml:5:3: error: node 'x' (normalizer/throwing), while storing its learned state: thrown "
       "in save"},
      {"basis", "count", 1, "while preparing: thrown in count"},
      {"basis", "select", 1, "while selecting bases: thrown in select"},
      {"basis", "nowhere", 1, "while selecting bases: it chose a row twice"},
      {"solver", "train", 1,
       "p.yaml:8:3: error: node 'v' (solver/throwing), while training: thrown in train"},
      {"solver", "apply", 1, "while computing rows: thrown in apply"},
      {"evaluator", "evaluate", 1, "while evaluating: thrown in evaluate"},
      {"evaluator", "undeclared", 1,
       "p.yaml:9:3: error: node 'e' (evaluator/throwing), while evaluating: evaluator/throwing "
       "reports the figure 'loss', which its declaration does not name; add .reports({\"loss\", "},
      {"evaluator", "report", 1, "while evaluating: 'twice' is reported twice"},
  };
  for (const auto& c : cases) {
    work.file("p.yaml", pipeline(c.kind, "'" + c.where + "'"));
    const auto outcome =
        work("run p.yaml --out out --quiet --plugin-path " + plugins + "/throwing.so");
    INFO(c.kind << " " << c.where << "\n" << outcome.output);
    CHECK(outcome.exit == c.exit);
    CHECK(outcome.output.find(c.message) != std::string::npos);
  }
}

}  // namespace plugin_test
