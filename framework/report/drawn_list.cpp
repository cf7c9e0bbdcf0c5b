// SPDX-License-Identifier: MIT
#include "report/drawn_list.hpp"

#include "report/reduced_sample.hpp"
#include "report/stored_number.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

Json scores_to_json(const std::vector<SampleList::Score>& scores) {
  Json json = Json::array();
  for (const auto& [label, score] : scores)
    json.push_back({{"label", label}, {"score", number_to_json(score)}});
  return json;
}

Json nearest_to_json(const std::vector<DrawnNeighbour>& nearest) {
  Json json = Json::array();
  for (const DrawnNeighbour& near : nearest)
    json.push_back({{"sample", sample_to_json(near.sample)},
                    {"map", near.map},
                    {"similarity", number_to_json(near.similarity)}});
  return json;
}

DrawnEntry entry_from_json(const Json& json) {
  DrawnEntry entry;
  entry.sample = sample_from_json(json.at("sample"));
  for (const Json& score : json.at("scores"))
    entry.scores.push_back(
        {score.at("label").get<std::string>(), number_from_json(score.at("score"))});
  for (const Json& near : json.at("nearest"))
    entry.nearest.push_back({sample_from_json(near.at("sample")), near.at("map").get<std::string>(),
                             number_from_json(near.at("similarity"))});
  return entry;
}

}  // namespace

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

DrawnList drawn_list(const SampleList& list) {
  DrawnList drawn_ones{list.name, {}};
  const auto drawn = [&](const SampleList::Sample& sample) {
    return drawn_sample(list.name, list.layout, list.columns, sample);
  };
  for (const SampleList::Entry& entry : list.entries) {
    DrawnEntry made{drawn(entry.sample), entry.scores, {}};
    made.sample.predicted = entry.predicted;
    for (const SampleList::Neighbour& near : entry.nearest)
      made.nearest.push_back({drawn(near.sample), near.map, near.similarity});
    drawn_ones.entries.push_back(std::move(made));
  }
  return drawn_ones;
}

Json list_to_json(const DrawnList& list) {
  Json entries = Json::array();
  for (const DrawnEntry& entry : list.entries)
    entries.push_back({{"sample", sample_to_json(entry.sample)},
                       {"scores", scores_to_json(entry.scores)},
                       {"nearest", nearest_to_json(entry.nearest)}});
  return {{"name", list.name}, {"entries", std::move(entries)}};
}

DrawnList list_from_json(const Json& json) {
  DrawnList list{json.at("name").get<std::string>(), {}};
  for (const Json& entry : json.at("entries")) list.entries.push_back(entry_from_json(entry));
  return list;
}

}  // namespace semblance
