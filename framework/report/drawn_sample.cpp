// SPDX-License-Identifier: MIT
#include "report/drawn_sample.hpp"

#include "semblance/error.hpp"

namespace semblance {

using Json = nlohmann::ordered_json;

Json sample_to_json(const DrawnSample& sample) {
  Json json = {{"name", sample.name},           {"label", sample.label},
               {"predicted", sample.predicted}, {"layout", name(sample.kind)},
               {"size", sample.size},           {"depth", sample.depth},
               {"values", sample.values},       {"text", sample.text}};
  if (!sample.columns.empty()) json["columns"] = sample.columns;
  return json;
}

DrawnSample sample_from_json(const Json& json) {
  DrawnSample sample;
  sample.name = json.at("name").get<std::string>();
  sample.label = json.at("label").get<std::string>();
  sample.predicted = json.at("predicted").get<std::string>();
  for (const LayoutInfo& info : layouts())
    if (json.at("layout") == info.name) sample.kind = info.kind;
  sample.size = json.at("size").get<std::size_t>();
  sample.depth = json.at("depth").get<std::size_t>();
  sample.values = json.at("values").get<std::vector<float>>();
  sample.text = json.at("text").get<std::string>();
  if (json.contains("columns")) sample.columns = json["columns"].get<std::vector<std::string>>();
  if (sample.depth == 0 || sample.values.size() % sample.depth != 0)
    throw Error("the sample '" + sample.name + "' has a fraction of a step");
  if (!sample.columns.empty() && sample.columns.size() != sample.values.size())
    throw Error("the sample '" + sample.name + "' does not have one name per value");
  return sample;
}

Json samples_to_json(const std::vector<DrawnSample>& samples) {
  Json json = Json::array();
  for (const DrawnSample& sample : samples) json.push_back(sample_to_json(sample));
  return json;
}

std::vector<DrawnSample> samples_from_json(const Json& json) {
  std::vector<DrawnSample> samples;
  samples.reserve(json.size());
  for (const Json& entry : json) samples.push_back(sample_from_json(entry));
  return samples;
}

}  // namespace semblance
