// SPDX-License-Identifier: MIT
#include "report/tables/slot_effects.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "report/tables/test_notes.hpp"

namespace semblance {
namespace {

using Choices = std::vector<std::string>;

bool is_complete(const Method& method) {
  return std::ranges::all_of(method.measurements,
                             [](const Measurement& one) { return std::isfinite(one.value); });
}

/// Complete methods by their choices in the other slots, and by their choice in this one.
using Combinations = std::map<Choices, std::map<std::string, const Method*>>;

Combinations combinations_of(const ResultTable& table, std::size_t slot) {
  Combinations found;
  for (const Method& method : table.methods) {
    if (method.choices.size() != table.slots.size() || method.choices[slot].empty() ||
        !is_complete(method))
      continue;
    Choices others = method.choices;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(slot));
    found[others][method.choices[slot]] = &method;
  }
  return found;
}

/// The choices of a slot that any combination has, in the order of the table.
Choices measured_choices(const ResultTable& table, std::size_t slot, const Combinations& all) {
  Choices choices;
  for (const Method& method : table.methods) {
    if (method.choices.size() != table.slots.size()) continue;
    const std::string& choice = method.choices[slot];
    const bool measured = std::ranges::any_of(
        all, [&](const auto& combination) { return combination.second.contains(choice); });
    if (measured && std::ranges::find(choices, choice) == choices.end()) choices.push_back(choice);
  }
  return choices;
}

/// The mean loss of each test sample, for classes the share of combinations that are wrong; empty
/// where any is unknown.
std::vector<double> mean_losses(const std::vector<Measurement>& measurements) {
  std::vector<double> mean;
  for (const Measurement& one : measurements) {
    std::vector<double> losses = one.losses;
    if (losses.empty())
      for (const std::uint8_t right : one.correct) losses.push_back(right ? 0 : 1);
    if (losses.empty() || (!mean.empty() && mean.size() != losses.size())) return {};
    mean.resize(losses.size());
    for (std::size_t r = 0; r < losses.size(); ++r)
      mean[r] += losses[r] / static_cast<double>(measurements.size());
  }
  return mean;
}

Method mean_method(const std::string& choice, const std::vector<const Method*>& methods,
                   std::size_t blocks) {
  Method mean{choice, {choice}, {}};
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<Measurement> measurements;
    measurements.reserve(methods.size());
    for (const Method* method : methods) measurements.push_back(method->measurements[b]);
    Measurement& one = mean.measurements.emplace_back(mean_of(measurements));
    one.losses = mean_losses(measurements);
    one.groups = measurements.front().groups;
    one.chosen.clear();
    one.folders.clear();
    one.further.clear();
  }
  return mean;
}

/// Nothing in `combinations` where fewer than two combinations have every choice.
SlotEffect effect_of(const ResultTable& table, std::size_t slot) {
  SlotEffect effect{table.slots[slot], 0, {}, {}};
  Combinations all = combinations_of(table, slot);
  const Choices choices = measured_choices(table, slot, all);
  std::erase_if(all, [&](const auto& item) { return item.second.size() < choices.size(); });
  if (choices.size() < 2 || all.size() < 2) return effect;
  effect.combinations = all.size();
  effect.table = table;
  effect.table.slots = {effect.slot};
  effect.table.methods.clear();
  effect.table.further.clear();
  effect.table.baseline.reset();
  for (const std::string& choice : choices) {
    std::vector<const Method*> methods;
    for (const auto& combination : all) methods.push_back(combination.second.at(choice));
    if (table.baseline && table.methods[*table.baseline].choices[slot] == choice)
      effect.table.baseline = effect.table.methods.size();
    effect.table.methods.push_back(mean_method(choice, methods, table.blocks.size()));
  }
  effect.comparison = compare_methods(effect.table);
  return effect;
}

/// The columns of one effect: those of its table, without its blocks.
std::vector<TableColumn> columns_of(const SlotEffect& effect) {
  std::vector<TableColumn> columns = table_layout(effect.table, effect.comparison).columns;
  TableColumn &slot = columns[0], &choice = columns[1];
  slot.key = slot.heading = "slot";
  for (TableCell& cell : slot.cells) cell.text = effect.slot;
  choice.key = choice.heading = "choice";
  // Ranks are of combinations, and of several tests one is enough.
  for (TableColumn& column : columns)
    if (column.key == "average_rank" || column.key == "wilcoxon_p_holm") column.heading.clear();
  const auto blocks = static_cast<std::ptrdiff_t>(effect.table.blocks.size());
  columns.erase(columns.begin() + 2, columns.begin() + 2 + blocks);
  TableColumn count{"combinations", "combinations", Holds::number, false, true, {}};
  const auto combinations = static_cast<double>(effect.combinations);
  for (std::size_t i = 0; i < effect.table.methods.size(); ++i)
    count.cells.push_back({std::to_string(effect.combinations), combinations});
  columns.push_back(std::move(count));
  return columns;
}

}  // namespace

std::vector<SlotEffect> slot_effects(const ResultTable& table) {
  std::vector<SlotEffect> effects;
  for (std::size_t slot = 0; slot < table.slots.size(); ++slot)
    if (SlotEffect effect = effect_of(table, slot); effect.combinations > 0)
      effects.push_back(std::move(effect));
  return effects;
}

TableLayout effects_layout(const std::vector<SlotEffect>& effects) {
  TableLayout layout;
  for (const SlotEffect& effect : effects) {
    std::vector<TableColumn> columns = columns_of(effect);
    if (layout.columns.empty()) {
      layout.columns = std::move(columns);
      layout.notes = test_notes(effect.table, effect.comparison);
      continue;
    }
    // All effects have the same blocks, so that their columns are the same.
    for (std::size_t c = 0; c < columns.size(); ++c) {
      TableColumn& whole = layout.columns[c];
      if (whole.heading.empty()) whole.heading = std::move(columns[c].heading);
      std::ranges::move(columns[c].cells, std::back_inserter(whole.cells));
    }
  }
  if (!effects.empty())
    layout.notes.insert(layout.notes.begin(),
                        "Each mean is over all combinations of the other slots that were measured "
                        "with every choice, so that only the choice differs; p has Holm's "
                        "correction for the choices of a slot.");
  return layout;
}

}  // namespace semblance
