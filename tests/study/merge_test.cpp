// SPDX-License-Identifier: MIT
#include "study/merge.hpp"

#include <doctest/doctest.h>

#include <set>

#include "study_testing.hpp"
#include "test_components.hpp"

namespace semblance::testing::merge_test {
namespace {

MergedStudy merge_all(const Study& study) {
  return merge(study, std::vector<char>(study.variants.size(), 1), test_catalogue());
}

std::set<std::string> names(const Pipeline& pipeline) {
  std::set<std::string> all;
  for (const auto& node : pipeline.nodes) all.insert(node.name);
  return all;
}

const std::string three_costs = R"(  metric: test.error_rate
  slots:
    C: {path: nodes.svm.C, values: [0.1, 1, 10]}
)";

TEST_CASE("equal nodes exist once, and what is not shared is named after its alternative") {
  const Study study = good_study(three_costs);
  const MergedStudy merged = merge_all(study);
  CHECK(merged.nodes_before == 21);
  CHECK(names(merged.pipeline) == std::set<std::string>{"images", "hog", "x", "bases", "rbf",
                                                        "svm[0.1]", "svm[1]", "svm[10]",
                                                        "test[0.1]", "test[1]", "test[10]"});
}

TEST_CASE("what is not shared is described in words") {
  const Study study = good_study(R"(  metric: test.error_rate
  slots:
    from: {rows: {nodes.svm.from: x}, rbf: {}}
    C: {path: nodes.svm.C, values: [0.1, 1]}
  repeats: {folds: 3, seeds: 2}
)");
  const MergedStudy merged = merge_all(study);
  CHECK(merged.words.at("svm[rows,0.1,seed=3,fold=2]") ==
        "svm, rows, C = 0.1, seed 3, fold 2 of 3");
  CHECK(merged.words.at("hog[seed=4,fold=3]") == "hog, seed 4, fold 3 of 3");
  CHECK_FALSE(good_study(three_costs).variants.empty());
  CHECK_FALSE(merge_all(good_study(three_costs)).words.contains("images"));
}

TEST_CASE("the merged graph is in topological order and every variant finds its nodes in it") {
  const Study study = good_study(R"(  metric: test.error_rate
  slots:
    x: {as_is: {}, without: {bypass: x}}
    cell: {path: nodes.hog.cell, values: [4, 8]}
    C: {path: nodes.svm.C, values: [0.1, 1, 10]}
  repeats: {seeds: 2}
)");
  const MergedStudy merged = merge_all(study);
  for (std::size_t i = 0; i < merged.pipeline.nodes.size(); ++i)
    for (const auto& input : merged.pipeline.nodes[i].inputs)
      for (const std::size_t from : input.nodes) CHECK(from < i);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const auto& own = study.variants[v].pipeline.nodes;
    REQUIRE(merged.places[v].size() == own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto& shared = merged.pipeline.nodes[merged.places[v][i]];
      CHECK(shared.component.id == own[i].component.id);
      CHECK(shared.component.values == own[i].component.values);
      CHECK(shared.origin == merged.places[v][own[i].origin]);
      for (std::size_t p = 0; p < own[i].inputs.size(); ++p)
        for (std::size_t k = 0; k < own[i].inputs[p].nodes.size(); ++k)
          CHECK(shared.inputs[p].nodes[k] == merged.places[v][own[i].inputs[p].nodes[k]]);
    }
  }
  CHECK(names(merged.pipeline).size() == merged.pipeline.nodes.size());
}

TEST_CASE("repeats over seeds share everything that is not random") {
  const std::string seeds = "  repeats: {seeds: 4}\n";
  CHECK(merge_all(good_study(three_costs + seeds)).pipeline.nodes.size() == 11);
  const Study random = good_study(R"(  metric: test.error_rate
  slots:
    bases: {random: {nodes.bases.is: basis/random}}
)" + seeds);
  const MergedStudy merged = merge_all(random);
  // images, hog and x once; bases and what follows from them four times.
  CHECK(merged.pipeline.nodes.size() == 3 + 4 * 4);
  CHECK(names(merged.pipeline).contains("bases[seed=3]"));
}

TEST_CASE("variants that are not taken leave nothing behind") {
  const Study study = good_study(three_costs);
  const MergedStudy merged = merge(study, {0, 1, 0}, test_catalogue());
  CHECK(merged.pipeline.nodes.size() == 7);
  CHECK(merged.places[0].empty());
  CHECK(names(merged.pipeline).contains("svm"));
}

}  // namespace
}  // namespace semblance::testing::merge_test
