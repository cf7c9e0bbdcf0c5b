// SPDX-License-Identifier: MIT
#include "study/combinations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace semblance {
namespace {

using Choices = std::vector<std::size_t>;

/// The longest name of a variant: it becomes the name of a folder.
constexpr std::size_t longest_name = 150;

std::vector<Choices> product(const StudySpecification& study) {
  std::vector<Choices> all = {{}};
  for (const Slot& slot : study.slots) {
    std::vector<Choices> longer;
    for (const Choices& start : all)
      for (std::size_t a = 0; a < slot.alternatives.size(); ++a) {
        longer.push_back(start);
        longer.back().push_back(a);
      }
    all = std::move(longer);
  }
  return all;
}

bool matches(const Selector& selector, const Choices& choices) {
  for (std::size_t s = 0; s < choices.size(); ++s)
    if (!selector.wanted[s].empty() && !selector.wanted[s].contains(choices[s])) return false;
  return true;
}

bool any_matches(const std::vector<Selector>& selectors, const Choices& choices) {
  return std::ranges::any_of(selectors, [&](const auto& s) { return matches(s, choices); });
}

void report_idle(const std::vector<Selector>& selectors, const std::vector<Choices>& all,
                 Problems& problems) {
  for (const Selector& selector : selectors)
    if (std::ranges::none_of(all, [&](const auto& c) { return matches(selector, c); }))
      problems.error(selector.place, "no combination matches this");
}

bool too_many(const StudySpecification& study, Problems& problems) {
  double count = static_cast<double>(study.repeats.size());
  if (study.listed)
    count *= static_cast<double>(study.listed->size());
  else
    for (const Slot& slot : study.slots) count *= static_cast<double>(slot.alternatives.size());
  if (count <= static_cast<double>(most_variants)) return false;
  problems.error(
      study.place, "this makes more than " + std::to_string(most_variants) + " pipelines",
      study.steps.empty()
          ? "remove alternatives, or list the combinations under 'combine'"
          : "remove alternatives: a step is checked for everything that earlier steps may choose");
  return true;
}

}  // namespace

std::vector<Choices> combinations(const StudySpecification& study, Problems& problems) {
  if (std::ranges::any_of(study.slots, [](const Slot& s) { return s.alternatives.empty(); }) ||
      too_many(study, problems))
    return {};
  std::vector<Choices> all = study.listed ? *study.listed : product(study);
  report_idle(study.only, all, problems);
  report_idle(study.exclude, all, problems);
  std::erase_if(all, [&](const Choices& c) {
    return (!study.only.empty() && !any_matches(study.only, c)) || any_matches(study.exclude, c);
  });
  if (all.empty() && problems.errors() == 0)
    problems.error(study.place, "the filters leave no combination");
  return all;
}

std::optional<std::size_t> find_baseline(const StudySpecification& study,
                                         const std::vector<Choices>& combinations,
                                         Problems& problems) {
  if (!study.baseline || combinations.empty()) return std::nullopt;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < combinations.size(); ++i)
    if (matches(*study.baseline, combinations[i])) found.push_back(i);
  if (study.over) {
    // All combinations of one method form the baseline together.
    std::set<Choices> methods;
    std::erase_if(found, [&](std::size_t i) {
      Choices method = combinations[i];
      method[*study.over] = 0;
      return !methods.insert(std::move(method)).second;
    });
  }
  if (found.size() == 1) return found[0];
  if (found.empty())
    problems.error(study.baseline->place, "the baseline is not one of the combinations",
                   "name an alternative of each slot that the filters keep");
  else
    problems.error(study.baseline->place,
                   std::to_string(found.size()) + " combinations match the baseline",
                   "name an alternative of every slot");
  return std::nullopt;
}

std::string combination_name(const StudySpecification& study, const Choices& choices) {
  std::string name;
  for (std::size_t s = 0; s < choices.size(); ++s)
    name +=
        (s ? "," : "") + study.slots[s].name + "=" + study.slots[s].alternatives[choices[s]].name;
  return name;
}

std::string variant_name(std::string combination, const std::string& repeat, std::size_t number) {
  if (!repeat.empty()) combination += (combination.empty() ? "" : ",") + repeat;
  return combination.size() > longest_name ? "variant_" + std::to_string(number) : combination;
}

std::map<std::string, std::map<std::string, std::string>> rounded_numbers(
    const std::vector<StudySlot>& slots) {
  std::map<std::string, std::map<std::string, std::string>> all;
  for (const StudySlot& slot : slots)
    if (!slot.numbers.empty()) all[slot.name] = slot.numbers;
  return all;
}

void describe_choices(const StudySpecification& study, std::size_t combinations, Study& checked) {
  checked.metric_node = study.metric_node;
  checked.metric = study.metric;
  checked.combinations = combinations;
  checked.over = study.over;
  for (const Slot& slot : study.slots) {
    checked.slots.push_back({slot.name, {}, {}});
    for (const Alternative& a : slot.alternatives) {
      checked.slots.back().alternatives.push_back(a.name);
      if (!a.value.empty()) checked.slots.back().numbers[a.name] = a.value;
    }
  }
  for (const Repeat& repeat : study.repeats) checked.repeats.push_back(repeat.name);
}

}  // namespace semblance
