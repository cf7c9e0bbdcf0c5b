// SPDX-License-Identifier: MIT
#include "report/drawings/drawn_sample.hpp"

#include "report/drawings/reduced_sample.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"

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

DrawnSample drawn_sample(const std::string& list, const Layout& layout,
                         const std::vector<std::string>& columns,
                         const SampleList::Sample& sample) {
  const std::size_t size = sample.values.size();
  const bool fits = layout.ragged() ? size % layout.depth == 0 : size == layout.size();
  const bool sparse = layout.kind == LayoutKind::sparse;
  const std::size_t named = sparse ? layout.size() : size;
  if (!fits || (!columns.empty() && columns.size() != named) ||
      (sparse && sample.columns.size() != size))
    throw Error("the sample '" + sample.name + "' of the list '" + list + "' has " +
                std::to_string(size) + " values, but samples there are each a " + describe(layout));
  DrawnSample made = reduced_sample(layout, sample.values, columns, sample.columns);
  made.name = sample.name;
  made.label = sample.label;
  return made;
}

Json drawn_list(const SampleList& list) {
  const auto drawn = [&](const SampleList::Sample& sample, const std::string& predicted = "") {
    DrawnSample made = drawn_sample(list.name, list.layout, list.columns, sample);
    made.predicted = predicted;
    return sample_to_json(made);
  };
  Json entries = Json::array();
  for (const SampleList::Entry& entry : list.entries) {
    Json scores = Json::array(), nearest = Json::array();
    for (const auto& [label, score] : entry.scores)
      scores.push_back({{"label", label}, {"score", number_to_json(score)}});
    for (const SampleList::Neighbour& near : entry.nearest)
      nearest.push_back({{"sample", drawn(near.sample)},
                         {"map", near.map},
                         {"similarity", number_to_json(near.similarity)}});
    entries.push_back({{"sample", drawn(entry.sample, entry.predicted)},
                       {"scores", std::move(scores)},
                       {"nearest", std::move(nearest)}});
  }
  return {{"name", list.name}, {"entries", std::move(entries)}};
}

}  // namespace semblance
