// SPDX-License-Identifier: MIT
#include "report/explanation_json.hpp"

#include <utility>

namespace semblance {
namespace {

nlohmann::ordered_json example_to_json(const ExampleTerm& term) {
  nlohmann::ordered_json json = {{"map", term.map}, {"basis", term.basis}};
  if (term.row) json["training_sample"] = *term.row;
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

ExampleTerm example_from_json(const nlohmann::ordered_json& json) {
  ExampleTerm term;
  term.map = json.at("map").get<std::string>();
  term.basis = json.at("basis").get<std::size_t>();
  if (json.contains("training_sample")) term.row = json["training_sample"].get<std::int64_t>();
  if (json.contains("class")) term.of_class = json["class"].get<std::string>();
  term.similarity = json.at("similarity").get<double>();
  term.weight = json.at("weight").get<double>();
  term.contribution = json.at("contribution").get<double>();
  return term;
}

PartShare share_from_json(const nlohmann::ordered_json& json) {
  PartShare share{json.at("name").get<std::string>(), json.at("first").get<std::size_t>(),
                  json.at("count").get<std::size_t>()};
  if (json.contains("value")) share.value = json["value"].get<double>();
  share.share = json.at("share").get<double>();
  if (json.contains("error")) share.error = json["error"].get<double>();
  return share;
}

void take_shares(const nlohmann::ordered_json& json, Explanation& explanation) {
  if (json.contains("none")) {
    explanation.no_shares = json["none"].get<std::string>();
    return;
  }
  explanation.method = json.at("method") == "sampled" ? ShareMethod::sampled : ShareMethod::exact;
  explanation.background = json.at("background").get<std::size_t>();
  explanation.expected = json.at("expected").get<double>();
  for (const auto& share : json.at("of")) explanation.shares.push_back(share_from_json(share));
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

void explanation_from_json(const nlohmann::ordered_json& json, Explanation& explanation,
                           ShownExamples& shown) {
  if (json.contains("predicted")) explanation.predicted = json["predicted"].get<std::string>();
  explanation.explained = json.at("explained").get<std::string>();
  if (json.contains("against")) explanation.against = json["against"].get<std::string>();
  explanation.difference = json.at("difference_of_scores").get<bool>();
  explanation.value = json.at("value").get<double>();
  if (json.contains("examples")) {
    explanation.bias = json.at("bias").get<double>();
    explanation.rounding = json.at("rounding").get<double>();
    for (const auto& each : json["examples"]) {
      ExampleTerm term = example_from_json(each);
      (term.contribution >= 0 ? shown.plus : shown.minus).push_back(std::move(term));
    }
    shown.others = json.at("other_examples").at("count").get<std::size_t>();
    shown.others_contribution = json["other_examples"].at("contribution").get<double>();
  }
  take_shares(json.at("shares"), explanation);
}

}  // namespace semblance
