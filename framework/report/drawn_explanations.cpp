// SPDX-License-Identifier: MIT
#include "report/drawn_explanations.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "report/drawn_list.hpp"
#include "report/explanation_json.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Keeps the largest shares, in the order of the columns.
void keep_largest_shares(DrawnExplanation& made) {
  std::vector<PartShare>& shares = made.explanation.shares;
  if (shares.size() <= most_shares) return;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::abs(shares[a].share) > std::abs(shares[b].share);
  });
  const auto end = order.begin() + most_shares;
  made.other_shares = shares.size() - most_shares;
  for (auto at = end; at != order.end(); ++at) made.other_shares_sum += shares[*at].share;
  std::sort(order.begin(), end);
  std::vector<PartShare> kept;
  for (auto at = order.begin(); at != end; ++at) kept.push_back(std::move(shares[*at]));
  shares = std::move(kept);
}

DrawnExplanation drawn(const ExplainedSamples& samples, const ExplainedSamples::Entry& entry) {
  const auto reduced = [&](const SampleList::Sample& sample) {
    return drawn_sample(samples.name, samples.layout, samples.columns, sample);
  };
  DrawnExplanation made;
  made.sample = reduced(entry.sample);
  made.sample.predicted = entry.predicted;
  made.number = entry.number;
  made.explanation = entry.explanation;
  made.explanation.examples.clear();
  made.shown = shown_examples(entry.explanation, samples.top);
  for (const SampleList::Sample& example : entry.examples) made.drawn.push_back(reduced(example));
  if (!made.drawn.empty() && made.drawn.size() != made.shown.plus.size() + made.shown.minus.size())
    throw Error("the explanation of '" + entry.sample.name + "' has " +
                std::to_string(made.drawn.size()) + " training samples for " +
                std::to_string(made.shown.plus.size() + made.shown.minus.size()) + " examples");
  keep_largest_shares(made);
  return made;
}

const char* assigned(ExplainedSamples::Of of) {
  switch (of) {
    case ExplainedSamples::Of::numbers:
      return "estimate";
    case ExplainedSamples::Of::novelty:
      return "judged";
    case ExplainedSamples::Of::classes:
      break;
  }
  return "assigned_class";
}

Json number_or_text(const std::string& text, bool number) {
  const std::optional<double> value = number ? number_of(text) : std::nullopt;
  return value ? Json(*value) : Json(text);
}

/// Reports of older versions explain classes.
ExplainedSamples::Of of_stored(const Json& json) {
  if (!json.contains("of")) return ExplainedSamples::Of::classes;
  const int of = json["of"].get<int>();
  if (of < 0 || of > static_cast<int>(ExplainedSamples::Of::novelty))
    throw Error("explanations of an unknown kind");
  return static_cast<ExplainedSamples::Of>(of);
}

/// With the shares that are not listed.
Json explained_json(const DrawnExplanation& entry) {
  Json json = explanation_to_json(entry.explanation, entry.shown);
  if (entry.other_shares > 0)
    json["shares"]["others"] = {{"count", entry.other_shares}, {"share", entry.other_shares_sum}};
  return json;
}

}  // namespace

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

DrawnExplanations drawn_explanations(const ExplainedSamples& samples) {
  DrawnExplanations list{samples.name, samples.layout.height, samples.layout.width, {}, samples.of};
  for (const ExplainedSamples::Entry& entry : samples.entries)
    list.entries.push_back(drawn(samples, entry));
  return list;
}

Json explanations_json(const DrawnExplanations& list) {
  Json array = Json::array();
  for (const DrawnExplanation& entry : list.entries) {
    Json json = {{"row", entry.number}};
    if (entry.sample.name != "row " + std::to_string(entry.number))
      json["name"] = entry.sample.name;
    const bool numbers = list.of == ExplainedSamples::Of::numbers;
    if (!entry.sample.label.empty())
      json[numbers ? "true_number" : "true_class"] = number_or_text(entry.sample.label, numbers);
    json[assigned(list.of)] = number_or_text(entry.sample.predicted, numbers);
    json.update(explained_json(entry));
    array.push_back(std::move(json));
  }
  return array;
}

Json explanations_to_json(const DrawnExplanations& list) {
  Json entries = Json::array();
  for (const DrawnExplanation& entry : list.entries)
    entries.push_back({{"sample", sample_to_json(entry.sample)},
                       {"number", entry.number},
                       {"explanation", explained_json(entry)},
                       {"drawn", samples_to_json(entry.drawn)}});
  return {{"name", list.name},
          {"of", static_cast<int>(list.of)},
          {"height", list.height},
          {"width", list.width},
          {"entries", std::move(entries)}};
}

DrawnExplanations explanations_from_json(const Json& json) {
  DrawnExplanations list{json.at("name").get<std::string>(),
                         json.at("height").get<std::size_t>(),
                         json.at("width").get<std::size_t>(),
                         {},
                         of_stored(json)};
  for (const Json& stored : json.at("entries")) {
    DrawnExplanation entry;
    entry.sample = sample_from_json(stored.at("sample"));
    entry.number = stored.at("number").get<std::int64_t>();
    const Json& explanation = stored.at("explanation");
    explanation_from_json(explanation, entry.explanation, entry.shown);
    if (explanation.at("shares").contains("others")) {
      const Json& others = explanation["shares"]["others"];
      entry.other_shares = others.at("count").get<std::size_t>();
      entry.other_shares_sum = others.at("share").get<double>();
    }
    entry.drawn = samples_from_json(stored.at("drawn"));
    list.entries.push_back(std::move(entry));
  }
  return list;
}

}  // namespace semblance
