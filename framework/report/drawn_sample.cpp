// SPDX-License-Identifier: MIT
#include "report/drawn_sample.hpp"

#include "semblance/error.hpp"

namespace semblance {

using Json = nlohmann::ordered_json;

Json samples_to_json(const std::vector<DrawnSample>& samples) {
  Json json = Json::array();
  for (const DrawnSample& sample : samples)
    json.push_back({{"name", sample.name},
                    {"label", sample.label},
                    {"predicted", sample.predicted},
                    {"layout", name(sample.kind)},
                    {"size", sample.size},
                    {"depth", sample.depth},
                    {"values", sample.values},
                    {"text", sample.text}});
  return json;
}

std::vector<DrawnSample> samples_from_json(const Json& json) {
  std::vector<DrawnSample> samples;
  for (const Json& entry : json) {
    DrawnSample sample;
    sample.name = entry.at("name").get<std::string>();
    sample.label = entry.at("label").get<std::string>();
    sample.predicted = entry.at("predicted").get<std::string>();
    for (const LayoutInfo& info : layouts())
      if (entry.at("layout") == info.name) sample.kind = info.kind;
    sample.size = entry.at("size").get<std::size_t>();
    sample.depth = entry.at("depth").get<std::size_t>();
    sample.values = entry.at("values").get<std::vector<float>>();
    sample.text = entry.at("text").get<std::string>();
    if (sample.depth == 0 || sample.values.size() % sample.depth != 0)
      throw Error("the sample '" + sample.name + "' has a fraction of a step");
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace semblance
