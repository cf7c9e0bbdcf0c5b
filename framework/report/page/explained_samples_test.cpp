// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/drawings/drawn_explanations.hpp"
#include "report/metrics.hpp"
#include "report/page/testing/explained.hpp"
#include "semblance/error.hpp"

namespace explained_samples_test {

using namespace semblance;
using testing::explained_vectors;

namespace {

NodeRecord recorded(const ExplainedSamples& samples) {
  NodeRecord node;
  RecordingReport(node).explained_samples(samples);
  return node;
}

}  // namespace

TEST_CASE("metrics.json has what explain prints, with the sums of what is not listed") {
  const NodeRecord node = recorded(explained_vectors());
  const auto json = explanations_json(node.explanations.front());
  REQUIRE(json.size() == 1);
  const auto& made = json[0];
  CHECK(made["row"] == 3);
  CHECK_FALSE(made.contains("name"));
  CHECK(made["true_class"] == "c");
  CHECK(made["assigned_class"] == "a & b");
  CHECK(made["value"] == 0.5);
  CHECK(made["examples"].size() == 2);
  CHECK(made["examples"][0]["contribution"] == 1);
  CHECK(made["examples"][1]["contribution"] == -0.5);
  CHECK(made["other_examples"]["count"] == 1);
  CHECK(made["other_examples"]["contribution"] == 0.25);
  CHECK(made["shares"]["of"][1]["share"] == -0.35);
  RunRecord run;
  run.nodes = {node};
  CHECK(nodes_json(run)[""]["explanations"] == json);
}

TEST_CASE("the artifact store gives explanations back as they were") {
  const NodeRecord node = recorded(explained_vectors());
  NodeRecord restored;
  report_from_json(nlohmann::ordered_json::parse(report_to_json(node).dump()), restored);
  REQUIRE(restored.explanations.size() == 1);
  const auto &was = node.explanations[0], &is = restored.explanations[0];
  CHECK(is == was);
}

TEST_CASE("of many columns those with the largest shares are recorded, and the others' sum") {
  ExplainedSamples samples = explained_vectors();
  samples.columns.clear();
  samples.layout = Layout::vector(1500);
  ExplainedSamples::Entry& entry = samples.entries[0];
  entry.sample.values.assign(1500, 1);
  entry.examples.clear();
  entry.explanation.shares.clear();
  for (std::size_t k = 0; k < 1500; ++k) {
    PartShare share{"column " + std::to_string(k), k, 1};
    share.share = k % 3 == 0 ? 0.25 : 1;
    entry.explanation.shares.push_back(share);
  }
  const auto made = explanations_json(recorded(samples).explanations[0])[0]["shares"];
  REQUIRE(made["of"].size() == 1000);
  CHECK(made["of"][0]["name"] == "column 1");
  CHECK(made["of"][2]["name"] == "column 4");
  CHECK(made["others"]["count"] == 500);
  CHECK(made["others"]["share"] == 125);
}

TEST_CASE("metrics.json has numbers of an estimate, and what a novelty detector says") {
  ExplainedSamples samples = explained_vectors();
  samples.of = ExplainedSamples::Of::numbers;
  samples.entries[0].sample.label = "0.625";
  samples.entries[0].predicted = "-0.5";
  auto list = recorded(samples).explanations[0];
  CHECK(explanations_json(list)[0]["true_number"] == 0.625);
  CHECK(explanations_json(list)[0]["estimate"] == -0.5);
  CHECK(list["of"] == 1);
  samples.of = ExplainedSamples::Of::novelty;
  samples.entries[0].predicted = "novel";
  list = recorded(samples).explanations[0];
  CHECK(explanations_json(list)[0]["judged"] == "novel");
  CHECK(explanations_json(list)[0]["true_class"] == "0.625");
}

TEST_CASE("explained samples with too few training samples, or under a used name, are refused") {
  ExplainedSamples samples = explained_vectors();
  samples.entries[0].examples.pop_back();
  NodeRecord node;
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.explained_samples(samples),
                       "the explanation of 'row 3' has 1 training samples for 2 examples", Error);
  report.explained_samples(explained_vectors());
  CHECK_THROWS_WITH_AS(report.explained_samples(explained_vectors()),
                       "'explanations' is reported twice", Error);
}

}  // namespace explained_samples_test
