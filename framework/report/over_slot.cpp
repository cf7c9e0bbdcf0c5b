// SPDX-License-Identifier: MIT
#include "report/over_slot.hpp"

#include <algorithm>
#include <map>

#include "report/tables/comparison.hpp"
#include "support/combination_name.hpp"

namespace semblance {
namespace {

template <class T>
void remove_at(std::vector<T>& values, std::size_t i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}

ResultTable grouped(const ResultTable& all, std::size_t slot,
                    const std::vector<std::string>& alternatives) {
  ResultTable table;
  table.metric = all.metric;
  table.unit = all.unit;
  table.higher_is_better = all.higher_is_better;
  table.slots = all.slots;
  table.numbers = all.numbers;
  table.further = all.further;
  table.node = all.node;
  remove_at(table.slots, slot);
  table.blocks = alternatives;
  table.over = all.slots[slot];
  table.repeats = all.blocks.size();
  std::map<std::vector<std::string>, std::size_t> places;
  for (std::size_t i = 0; i < all.methods.size(); ++i) {
    auto choices = all.methods[i].choices;
    const auto block = std::ranges::find(alternatives, choices[slot]) - alternatives.begin();
    remove_at(choices, slot);
    const auto [found, fresh] = places.emplace(choices, table.methods.size());
    if (fresh) {
      table.methods.push_back({combination_name(table.slots, choices), choices, {}});
      // Combinations that the study's filters exclude are missing.
      table.methods.back().measurements.resize(alternatives.size());
    }
    table.methods[found->second].measurements[static_cast<std::size_t>(block)] =
        mean_of(all.methods[i].measurements);
    if (all.baseline == i) table.baseline = found->second;
  }
  return table;
}

}  // namespace

void group_over_slot(StudyRecord& study, std::size_t slot) {
  // The study's filters may exclude all combinations with an alternative.
  std::vector<std::string> alternatives;
  std::vector<std::size_t> places;
  for (const auto& alternative : study.slots[slot].alternatives) {
    places.push_back(alternatives.size());
    if (std::ranges::any_of(study.results.methods, [&](const Method& method) {
          return method.choices[slot] == alternative;
        }))
      alternatives.push_back(alternative);
  }
  study.results = grouped(study.results, slot, alternatives);
  std::vector<std::string> repeats;
  for (const auto& alternative : alternatives)
    for (const auto& repeat : study.repeats)
      repeats.push_back(alternative + (repeat.empty() ? "" : "," + repeat));
  for (VariantRecord& variant : study.variants) {
    variant.repeat += places[variant.choices[slot]] * study.repeats.size();
    remove_at(variant.choices, slot);
  }
  study.repeats = std::move(repeats);
  remove_at(study.slots, slot);
}

}  // namespace semblance
