// SPDX-License-Identifier: MIT
#include "study/slot_reader.hpp"

#include <algorithm>

#include "study/combinations.hpp"

namespace semblance {

void SlotReader::read_slots(const YamlNode& slots) {
  read_slots(slots, std::nullopt, 0);
  add_absent_alternatives();
}

std::string SlotReader::one_slot() const { return study_.folds > 0 ? "parameter" : "slot"; }

void SlotReader::read_slots(const YamlNode& slots, std::optional<std::size_t> parent,
                            std::size_t only_with) {
  const std::string one = one_slot();
  if (!slots.is_mapping() || slots.entries.empty())
    return wrong(slots, "'" + one + "s' must be a mapping of " + one + "s",
                 one + "s are written NAME: {path: nodes.NODE.KEY, values: [...]}");
  for (const YamlEntry& entry : slots.entries) {
    if (!is_plain_name(entry.key.text)) refuse_name(entry.key, "a " + one);
    if (const auto slot = slot_of(entry, parent)) read_slot(entry, *slot, only_with);
  }
}

std::optional<std::size_t> SlotReader::slot_of(const YamlEntry& entry,
                                               std::optional<std::size_t> parent) {
  const auto known = std::ranges::find(study_.slots, entry.key.text, &Slot::name);
  const auto place = static_cast<std::size_t>(known - study_.slots.begin());
  if (known == study_.slots.end())
    study_.slots.push_back({entry.key.text, entry.key.place, {}, parent});
  else if (!parent || known->parent != parent)
    return problems_.error(entry.key.place,
                           "another " + one_slot() + " is called " + quote(entry.key.text),
                           "only alternatives of the same " + one_slot() + " can share a name"),
           std::nullopt;
  return place;
}

void SlotReader::read_slot(const YamlEntry& entry, std::size_t place, std::size_t only_with) {
  const std::string what = one_slot() + " " + quote(entry.key.text);
  const std::size_t first = study_.slots[place].alternatives.size();
  std::vector<Alternative> read;
  const bool listed = entry.value.is_mapping() && has_values(entry.value);
  if (!entry.value.is_mapping() || entry.value.entries.empty())
    wrong(entry.value, what + " must be a mapping of alternatives");
  else if (listed)
    read = read_values(entry.value, what);
  else
    for (const YamlEntry& alternative : entry.value.entries)
      read.push_back(read_alternative(alternative));
  for (Alternative& alternative : read) {
    alternative.only_with = only_with;
    check_number(entry, alternative, study_.slots[place]);
    study_.slots[place].alternatives.push_back(std::move(alternative));
  }
  if (listed || !entry.value.is_mapping()) return;
  for (std::size_t a = 0; a < entry.value.entries.size(); ++a) {
    const YamlNode& body = entry.value.entries[a].value;
    if (const YamlEntry* inner = body.is_mapping() ? body.find(slots_key()) : nullptr)
      read_slots(inner->value, place, first + a);
  }
}

void SlotReader::check_number(const YamlEntry& entry, const Alternative& added, const Slot& slot) {
  const auto other = std::ranges::find_if(slot.alternatives, [&](const Alternative& a) {
    return a.name == added.name && a.value != added.value;
  });
  if (other != slot.alternatives.end())
    problems_.error(entry.value.place,
                    quote(added.name) + " of " + quote(slot.name) + " is short for two numbers",
                    "list the values, or choose another range");
}

void SlotReader::add_absent_alternatives() {
  for (Slot& slot : study_.slots)
    if (slot.parent && !slot.alternatives.empty()) slot.alternatives.push_back(no_alternative());
}

void SlotReader::read_choice() {
  if (const auto* combine = body_.find("combine")) read_combine(combine->value);
  if (const auto* only = body_.find("only")) study_.only = read_filters(*only);
  if (const auto* exclude = body_.find("exclude")) study_.exclude = read_filters(*exclude);
}

void SlotReader::read_combine(const YamlNode& value) {
  const bool study = name_ == "study";
  if (value.is_scalar() && value.text == "product") return;
  if (study && value.is_scalar() && value.text == "one_at_a_time") {
    study_.one_at_a_time = value.place;
    return;
  }
  if (!value.is_list() || value.items.empty())
    return wrong(value,
                 study ? "'combine' must be 'product', 'one_at_a_time' or a list of combinations"
                       : "'combine' must be 'product' or a list of combinations",
                 "combinations are written {SLOT: ALTERNATIVE or [ALTERNATIVE, ...], ...}");
  study_.listed.emplace();
  for (const YamlNode& item : value.items)
    if (const auto selector = read_selector(item)) list(item, *selector);
}

void SlotReader::list(const YamlNode& item, const Selector& selector) {
  if (std::ranges::any_of(study_.slots, [](const Slot& s) { return s.alternatives.empty(); }))
    return;
  const auto all = selected(study_.slots, selector);
  for (std::size_t s = 0; s < study_.slots.size(); ++s) {
    const Slot& slot = study_.slots[s];
    const auto has = [&](const auto& c) { return !slot.alternatives[c[s]].name.empty(); };
    const bool used = std::ranges::any_of(all, has);
    if (used && selector.wanted[s].empty())
      return problems_.error(item.place, "a combination names an alternative of every slot",
                             "add one of " + quote(slot.name));
    if (!used && !selector.wanted[s].empty())
      return problems_.error(item.place, "no combination of these has " + quote(slot.name),
                             slot.parent ? quote(slot.name) + " belongs to other alternatives of " +
                                               quote(study_.slots[*slot.parent].name)
                                         : "");
  }
  for (const auto& choices : all) {
    if (std::ranges::find(*study_.listed, choices) != study_.listed->end())
      return problems_.error(item.place, "this combination is given twice");
    study_.listed->push_back(choices);
  }
}

std::vector<Selector> SlotReader::read_filters(const YamlEntry& entry) {
  std::vector<Selector> filters;
  const auto add = [&](const YamlNode& item) {
    if (auto selector = read_selector(item)) filters.push_back(*std::move(selector));
  };
  if (entry.value.is_list())
    for (const YamlNode& item : entry.value.items) add(item);
  else
    add(entry.value);
  return filters;
}

std::optional<Selector> SlotReader::read_selector(const YamlNode& value) {
  if (!value.is_mapping() || value.entries.empty()) {
    wrong(value, "this must be a mapping of slots to alternatives");
    return std::nullopt;
  }
  Selector result{value.place, std::vector<std::set<std::size_t>>(study_.slots.size())};
  bool sound = true;
  for (const YamlEntry& entry : value.entries) {
    const auto slot = std::ranges::find(study_.slots, entry.key.text, &Slot::name);
    if (slot == study_.slots.end()) {
      Names names;
      for (const Slot& s : study_.slots) names.push_back(s.name);
      sound = refuse(entry.key, "slot", names);
      continue;
    }
    auto& wanted = result.wanted[static_cast<std::size_t>(slot - study_.slots.begin())];
    const auto one = [&](const YamlNode& name) { sound = select(*slot, name, wanted) && sound; };
    if (entry.value.is_list())
      for (const YamlNode& item : entry.value.items) one(item);
    else
      one(entry.value);
  }
  return sound ? std::optional(result) : std::nullopt;
}

bool SlotReader::select(const Slot& slot, const YamlNode& name, std::set<std::size_t>& wanted) {
  const auto found = std::ranges::find(slot.alternatives, name.text, &Alternative::name);
  if (name.is_scalar() && !name.text.empty() && found != slot.alternatives.end()) {
    for (std::size_t a = 0; a < slot.alternatives.size(); ++a)
      if (slot.alternatives[a].name == name.text) wanted.insert(a);
    return true;
  }
  Names names;
  for (const auto& alternative : slot.alternatives)
    if (!alternative.name.empty() && std::ranges::find(names, alternative.name) == names.end())
      names.push_back(alternative.name);
  return refuse(name, "alternative of slot '" + slot.name + "':", names);
}

}  // namespace semblance
