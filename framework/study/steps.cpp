// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "study/combinations.hpp"
#include "study/study.hpp"
#include "study/study_specification.hpp"
#include "support/combination_name.hpp"

namespace semblance {

StudySpecification of_step(const StudySpecification& study, std::size_t step) {
  StudySpecification made = study;
  made.slots.clear();
  std::map<std::size_t, std::size_t> places;
  for (std::size_t k = 0; k <= step; ++k)
    for (const std::size_t slot : study.steps[k].slots) {
      places[slot] = made.slots.size();
      made.slots.push_back(study.slots[slot]);
      if (auto& parent = made.slots.back().parent) parent = places.at(*parent);
    }
  made.changes = study.steps[step].changes;
  made.place = study.steps[step].place;
  return made;
}

Study after_choice(const StudyStep& step, const std::vector<std::size_t>& choice) {
  const Study& all = step.study;
  Study made;
  made.name = all.name, made.description = all.description;
  made.seed = all.seed, made.file = all.file, made.text = all.text;
  made.metric_node = all.metric_node, made.metric = all.metric;
  made.unit = all.unit;
  made.higher_is_better = all.higher_is_better;
  made.further = all.further;
  made.repeats = all.repeats;
  const auto skipped = static_cast<std::ptrdiff_t>(std::min(step.chosen, all.slots.size()));
  made.slots.assign(all.slots.begin() + skipped, all.slots.end());
  std::vector<std::string> slots;
  for (const StudySlot& slot : made.slots) slots.push_back(slot.name);
  std::map<std::vector<std::size_t>, std::size_t> combinations;
  for (const StudyVariant& variant : all.variants) {
    if (!std::equal(choice.begin(), choice.end(), variant.choices.begin())) continue;
    StudyVariant kept = variant;
    kept.choices.erase(kept.choices.begin(), kept.choices.begin() + skipped);
    kept.combination = combinations.emplace(kept.choices, combinations.size()).first->second;
    std::vector<std::string> names;
    for (std::size_t s = 0; s < made.slots.size(); ++s)
      names.push_back(made.slots[s].alternatives[kept.choices[s]]);
    kept.name = variant_name(combination_name(slots, names), made.repeats[kept.repeat],
                             made.variants.size() + 1);
    made.variants.push_back(std::move(kept));
  }
  made.combinations = combinations.size();
  return made;
}

}  // namespace semblance
