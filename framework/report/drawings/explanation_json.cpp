// SPDX-License-Identifier: MIT
#include "report/drawings/explanation_json.hpp"

#include <utility>

namespace semblance {
namespace {

nlohmann::ordered_json example_to_json(const ExampleTerm& term) {
  nlohmann::ordered_json json = {{"map", term.map}, {"basis", term.basis}};
  if (term.row) json["training_sample"] = *term.row;
  if (term.number) json["row"] = *term.number;
  if (!term.name.empty()) json["name"] = term.name;
  if (!term.of_class.empty()) json["class"] = term.of_class;
  json["similarity"] = term.similarity;
  json["weight"] = term.weight;
  json["contribution"] = term.contribution;
  return json;
}

nlohmann::ordered_json shares_to_json(const Explanation& explanation) {
  nlohmann::ordered_json json;
  if (explanation.method == ShareMethod::none) {
    json["none"] = explanation.no_shares;
    return json;
  }
  const bool sampled = explanation.method == ShareMethod::sampled;
  json["method"] = sampled ? "sampled" : "exact";
  json["background"] = explanation.background;
  json["expected"] = explanation.expected;
  json["of"] = nlohmann::ordered_json::array();
  for (const PartShare& share : explanation.shares) {
    nlohmann::ordered_json part = {
        {"name", share.name}, {"first", share.first}, {"count", share.count}};
    if (share.value) part["value"] = *share.value;
    part["share"] = share.share;
    if (sampled) part["error"] = share.error;
    json["of"].push_back(std::move(part));
  }
  return json;
}

void add_examples(const Explanation& explanation, const ShownExamples& shown,
                  nlohmann::ordered_json& json) {
  json["bias"] = explanation.bias;
  json["rounding"] = explanation.rounding;
  json["examples"] = nlohmann::ordered_json::array();
  for (const auto* side : {&shown.plus, &shown.minus})
    for (const ExampleTerm& term : *side) json["examples"].push_back(example_to_json(term));
  json["other_examples"] = {{"count", shown.others}, {"contribution", shown.others_contribution}};
}

}  // namespace

nlohmann::ordered_json explanation_to_json(const Explanation& explanation,
                                           const ShownExamples& shown) {
  nlohmann::ordered_json json;
  if (!explanation.predicted.empty()) json["predicted"] = explanation.predicted;
  json["explained"] = explanation.explained;
  if (!explanation.against.empty()) json["against"] = explanation.against;
  json["difference_of_scores"] = explanation.difference;
  json["value"] = explanation.value;
  const bool any = !shown.plus.empty() || !shown.minus.empty() || shown.others > 0;
  if (any) add_examples(explanation, shown, json);
  json["shares"] = shares_to_json(explanation);
  return json;
}

nlohmann::ordered_json explanation_to_json(const Explanation& explanation, std::size_t top) {
  return explanation_to_json(explanation, shown_examples(explanation, top));
}

}  // namespace semblance
