// SPDX-License-Identifier: MIT
#include "report/drawings/drawn_explanations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "report/drawings/drawn_sample.hpp"
#include "report/drawings/explanation_json.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Keeps the largest shares, in the order of the columns. Returns the number of the others, and
/// their sum.
std::pair<std::size_t, double> keep_largest(std::vector<PartShare>& shares) {
  if (shares.size() <= most_shares) return {0, 0};
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::abs(shares[a].share) > std::abs(shares[b].share);
  });
  const auto end = order.begin() + most_shares;
  double sum = 0;
  for (auto at = end; at != order.end(); ++at) sum += shares[*at].share;
  std::sort(order.begin(), end);
  std::vector<PartShare> kept;
  for (auto at = order.begin(); at != end; ++at) kept.push_back(std::move(shares[*at]));
  shares = std::move(kept);
  return {order.size() - most_shares, sum};
}

Json drawn(const ExplainedSamples& samples, const ExplainedSamples::Entry& entry) {
  const auto reduced = [&](const SampleList::Sample& sample) {
    return drawn_sample(samples.name, samples.layout, samples.columns, sample);
  };
  DrawnSample sample = reduced(entry.sample);
  sample.predicted = entry.predicted;
  Explanation explanation = entry.explanation;
  const ShownExamples shown = shown_examples(explanation, samples.top);
  const std::size_t examples = shown.plus.size() + shown.minus.size();
  if (!entry.examples.empty() && entry.examples.size() != examples)
    throw Error("the explanation of '" + entry.sample.name + "' has " +
                std::to_string(entry.examples.size()) + " training samples for " +
                std::to_string(examples) + " examples");
  Json of_examples = Json::array();
  for (const SampleList::Sample& example : entry.examples)
    of_examples.push_back(sample_to_json(reduced(example)));
  const auto [others, sum] = keep_largest(explanation.shares);
  Json made = explanation_to_json(explanation, shown);
  if (others > 0) made["shares"]["others"] = {{"count", others}, {"share", sum}};
  return {{"sample", sample_to_json(sample)},
          {"number", entry.number},
          {"explanation", std::move(made)},
          {"drawn", std::move(of_examples)}};
}

/// A label or an estimate, as a number where it is one and `number` says so.
Json number_or_text(const std::string& text, bool number) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return number && read.ec == std::errc() && read.ptr == end ? Json(value) : Json(text);
}

}  // namespace

Json drawn_explanations(const ExplainedSamples& samples) {
  Json entries = Json::array();
  for (const ExplainedSamples::Entry& entry : samples.entries)
    entries.push_back(drawn(samples, entry));
  return {{"name", samples.name},
          {"of", static_cast<int>(samples.of)},
          {"height", samples.layout.height},
          {"width", samples.layout.width},
          {"entries", std::move(entries)}};
}

Json explanations_json(const Json& drawn) {
  // Reports of older versions explain classes.
  constexpr std::array assigned = {"assigned_class", "estimate", "judged"};
  const auto of = drawn.contains("of") ? drawn["of"].get<std::size_t>() : 0;
  if (of >= assigned.size()) throw Error("explanations of an unknown kind");
  const bool numbers = of == static_cast<std::size_t>(ExplainedSamples::Of::numbers);
  Json array = Json::array();
  for (const Json& entry : drawn.at("entries")) {
    const auto number = entry.at("number").get<std::int64_t>();
    const auto text = [&](const char* key) {
      return entry.at("sample").at(key).get<std::string>();
    };
    Json json = {{"row", number}};
    if (text("name") != "row " + std::to_string(number)) json["name"] = text("name");
    if (!text("label").empty())
      json[numbers ? "true_number" : "true_class"] = number_or_text(text("label"), numbers);
    json[assigned[of]] = number_or_text(text("predicted"), numbers);
    json.update(entry.at("explanation"));
    array.push_back(std::move(json));
  }
  return array;
}

}  // namespace semblance
