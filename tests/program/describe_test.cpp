// SPDX-License-Identifier: MIT
// The declarations of a plugin's author, and their description for readers.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "program.hpp"

namespace describe_test {

using namespace semblance::testing;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

}  // namespace

TEST_CASE("describe tells of one component what it tells of all") {
  const Workplace work;
  const auto all = work("describe --all --json");
  REQUIRE(all.exit == 0);
  const auto json = nlohmann::json::parse(all.output);
  const auto one = nlohmann::json::parse(work("describe similarity/rbf --json").output);
  CHECK(std::find(json.begin(), json.end(), one) != json.end());
  CHECK(one["kind"] == "similarity");
  CHECK(one["plugin"]["licence"] == "MIT");
  CHECK(one["example"].get<std::string>().find("similarity/rbf") != std::string::npos);
  const auto judge = nlohmann::json::parse(work("describe evaluator/classification --json").output);
  CHECK(judge["figures"][0]["name"] == "accuracy");
  CHECK(judge["figures"][0]["unit"] == "share");
  CHECK(judge["figures"][0]["better"] == "higher");
  CHECK(contains(
      work("describe evaluator/classification").output,
      "  accuracy           share, higher is better; share of correctly classified rows\n"));
  const auto text = work("describe --all");
  CHECK(text.exit == 0);
  CHECK(contains(text.output, "similarity/rbf\n"));
  CHECK(contains(text.output, "solver/linear_svm\n"));
}

TEST_CASE("a component's description says which targets it learns from") {
  const Workplace work;
  const auto line = [&](const std::string& id) {
    const std::string text = work.succeed("describe " + id).output;
    const auto at = text.find("\ntarget ");
    return at == text.npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  CHECK(line("solver/linear_svm") == "target      classes");
  CHECK(line("pairs/all") == "target      classes or no target");
  CHECK(line("basis/random").empty());
  CHECK(line("basis/index") == "target      classes");
  CHECK(line("solver/shrunken --plugin-path " + plugins + "/misbehaving.so") ==
        "target      numbers");
  CHECK(line("solver/reversed --plugin-path " + plugins + "/misbehaving.so") == "target      any");
  const auto json = nlohmann::json::parse(work.succeed("describe pairs/all --json").output);
  CHECK(json["targets"] == nlohmann::json{"classes", "no target"});
}

TEST_CASE("an example is a pipeline that can be run as it is printed") {
  const Workplace work;
  const auto example = work("describe basis/index --example");
  REQUIRE(example.exit == 0);
  CHECK(example.output.starts_with("name: basis_index\nnodes:\n  points: {is: source/xor}\n"));
  work.file("example.yaml", example.output);
  CHECK(work("run example.yaml --out out --quiet").exit == 0);
}

TEST_CASE("the reference has plugins of one's own among the others") {
  const Workplace work;
  const auto outcome = work("describe --pages pages --plugin-path " + plugins + "/nearness.so");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(contains(outcome.output, "components in pages/README.md"));
  CHECK(contains(work.content("pages/README.md"), "[`solver/nearness`](solver/nearness.md)"));
  CHECK(contains(work.content("pages/solver/nearness.md"),
                 "| `factor` | number in (0, inf) | `1` |"));
  CHECK(contains(work.content("pages/similarity/rbf.md"), "## Example"));
  CHECK(contains(work.content("pages/solver/linear_svm.md"), "- **Target:** classes\n"));
  CHECK(contains(work.content("pages/evaluator/classification.md"),
                 "| `error_rate` | share, lower is better | share of misclassified rows |"));
}

TEST_CASE("describe says what is wrong with its arguments") {
  const Workplace work;
  work.file("in_the_way", "a file");
  const std::vector<std::tuple<std::string, int, std::string>> expected = {
      {"describe", 2, "an argument is missing"},
      {"describe --all similarity/rbf", 2, "--all covers all components; omit the ID"},
      {"describe --pages x similarity/rbf", 2, "--pages covers all components"},
      {"describe --all --example", 2, "--example needs the ID of one component"},
      {"describe --pages in_the_way", 1, "in_the_way"},
      {"describe solver/nearness --example --plugin-path " + plugins + "/nearness.so", 1,
       "solver/nearness has no example"}};
  for (const auto& [arguments, code, message] : expected) {
    const auto outcome = work(arguments);
    INFO(arguments << "\n" << outcome.output);
    CHECK(outcome.exit == code);
    CHECK(contains(outcome.output, message));
  }
  CHECK(work.content("in_the_way") == "a file");
}

TEST_CASE("check-plugin remarks what a declaration could tell") {
  const Workplace work;
  const auto poor = work("check-plugin " + plugins + "/nearness.so");
  INFO(poor.output);
  CHECK(poor.exit == 0);
  CHECK(
      contains(poor.output,
               "remark   page in the reference: its declaration could say more: .documentation(), "
               ".complexity(), .example()"));
  CHECK(contains(poor.output, "skipped  example: it has no example"));
  CHECK(contains(poor.output, ", 1 remark\n"));
}

}  // namespace describe_test
