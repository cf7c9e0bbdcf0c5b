// SPDX-License-Identifier: MIT
#include "study/combinations.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "support/combination_name.hpp"

namespace semblance {
namespace {

using Choices = std::vector<std::size_t>;

/// The longest name of a variant: it becomes the name of a folder.
constexpr std::size_t longest_name = 150;

bool matches(const Selector& selector, const Choices& choices) {
  for (std::size_t s = 0; s < choices.size(); ++s)
    if (!selector.wanted[s].empty() && !selector.wanted[s].contains(choices[s])) return false;
  return true;
}

/// Continues each start by the alternatives that `keep` takes of those that are possible after it.
template <typename Keep>
std::vector<Choices> continued(const StudySpecification& study, const std::vector<Choices>& starts,
                               std::size_t slot, const Keep& keep) {
  std::vector<Choices> longer;
  for (const Choices& start : starts)
    for (const std::size_t a : keep(possible_alternatives(study.slots, slot, start))) {
      longer.push_back(start);
      longer.back().push_back(a);
    }
  return longer;
}

/// Stops where there are more than a study may have.
std::vector<Choices> product(const StudySpecification& study) {
  std::vector<Choices> all = {{}};
  for (std::size_t s = 0; s < study.slots.size() && all.size() <= most_variants; ++s)
    all = continued(study, all, s, [](auto possible) { return possible; });
  return all;
}

/// The possible alternatives that are called like one; all if none is.
std::vector<std::size_t> of_one_name(const Slot& slot, const std::string& name,
                                     const std::vector<std::size_t>& possible) {
  for (const std::size_t a : possible)
    if (slot.alternatives[a].name == name) return {a};
  return possible;
}

/// The combinations that differ from `base` in one slot. An alternative with slots of its own is
/// tried with all of their alternatives, unless the base has one of the same name.
std::vector<Choices> changed_once(const StudySpecification& study, const Choices& base) {
  std::vector<Choices> all;
  for (std::size_t changed = 0; changed < base.size(); ++changed) {
    if (changed == study.over) continue;
    const Choices before(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(changed));
    for (const std::size_t a : possible_alternatives(study.slots, changed, before)) {
      if (a == base[changed]) continue;
      std::vector<Choices> some = {before};
      some.back().push_back(a);
      for (std::size_t s = changed + 1; s < base.size(); ++s)
        some = continued(study, some, s, [&](const auto& possible) {
          return of_one_name(study.slots[s], study.slots[s].alternatives[base[s]].name, possible);
        });
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  return all;
}

/// The baseline and every change of a single slot of it; for every data set, where methods are
/// compared over a slot.
std::vector<Choices> one_at_a_time(const StudySpecification& study, Problems& problems) {
  Selector wanted = *study.baseline;
  if (study.over) wanted.wanted[*study.over].clear();
  std::vector<Choices> bases = selected(study.slots, wanted), all;
  std::erase_if(bases, [&](const Choices& c) { return !matches(wanted, c); });
  std::set<Choices> methods;
  for (Choices method : bases) {
    if (study.over) method[*study.over] = 0;
    methods.insert(std::move(method));
  }
  if (methods.size() != 1) {
    problems.error(study.baseline->place,
                   methods.empty()
                       ? "no combination matches the baseline"
                       : std::to_string(methods.size()) + " combinations match the baseline",
                   "name an alternative of every slot");
    return {};
  }
  for (const Choices& base : bases) {
    all.push_back(base);
    const auto changed = changed_once(study, base);
    all.insert(all.end(), changed.begin(), changed.end());
  }
  return all;
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

bool too_many(const StudySpecification& study, std::size_t combinations, Problems& problems) {
  if (combinations * study.repeats.size() <= most_variants) return false;
  problems.error(
      study.place, "this makes more than " + std::to_string(most_variants) + " pipelines",
      study.steps.empty()
          ? "remove alternatives, or list the combinations under 'combine'"
          : "remove alternatives: a step is checked for everything that earlier steps may choose");
  return true;
}

std::vector<Choices> designed(const StudySpecification& study, Problems& problems) {
  if (study.listed) return *study.listed;
  if (!study.one_at_a_time) return product(study);
  if (study.baseline) return one_at_a_time(study, problems);
  if (problems.errors() == 0)
    problems.error(
        *study.one_at_a_time, "'one_at_a_time' needs a baseline",
        "add baseline: {SLOT: ALTERNATIVE, ...}, in which one slot at a time is changed");
  return {};
}

}  // namespace

std::vector<std::size_t> possible_alternatives(const std::vector<Slot>& slots, std::size_t slot,
                                               const std::vector<std::size_t>& before) {
  const Slot& one = slots[slot];
  std::vector<std::size_t> possible;
  for (std::size_t a = 0; a < one.alternatives.size(); ++a)
    if (!one.parent || one.alternatives[a].only_with == before[*one.parent]) possible.push_back(a);
  // The last one stands for no alternative.
  if (possible.empty()) possible.push_back(one.alternatives.size() - 1);
  return possible;
}

std::vector<std::vector<std::size_t>> selected(const std::vector<Slot>& slots,
                                               const Selector& selector) {
  std::vector<Choices> all = {{}};
  for (std::size_t s = 0; s < slots.size() && all.size() <= most_variants; ++s) {
    std::vector<Choices> longer;
    for (const Choices& start : all)
      for (const std::size_t a : possible_alternatives(slots, s, start)) {
        const bool absent = slots[s].alternatives[a].name.empty();
        if (!absent && !selector.wanted[s].empty() && !selector.wanted[s].contains(a)) continue;
        longer.push_back(start);
        longer.back().push_back(a);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Choices> combinations(const StudySpecification& study, Problems& problems) {
  if (std::ranges::any_of(study.slots, [](const Slot& s) { return s.alternatives.empty(); }))
    return {};
  std::vector<Choices> all = designed(study, problems);
  if (too_many(study, all.size(), problems)) return {};
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
  std::vector<std::string> slots, names;
  for (std::size_t s = 0; s < choices.size(); ++s) {
    slots.push_back(study.slots[s].name);
    names.push_back(study.slots[s].alternatives[choices[s]].name);
  }
  return combination_name(slots, names);
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
    StudySlot& described = checked.slots.emplace_back();
    described.name = slot.name;
    for (const Alternative& a : slot.alternatives) {
      if (std::ranges::find(described.alternatives, a.name) == described.alternatives.end())
        described.alternatives.push_back(a.name);
      if (!a.value.empty()) described.numbers[a.name] = a.value;
    }
  }
  for (const Repeat& repeat : study.repeats) checked.repeats.push_back(repeat.name);
}

std::vector<std::size_t> described_choices(const StudySpecification& study,
                                           const std::vector<StudySlot>& slots,
                                           const std::vector<std::size_t>& choices) {
  std::vector<std::size_t> described;
  for (std::size_t s = 0; s < choices.size(); ++s) {
    const auto& names = slots[s].alternatives;
    const auto found = std::ranges::find(names, study.slots[s].alternatives[choices[s]].name);
    described.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return described;
}

}  // namespace semblance
