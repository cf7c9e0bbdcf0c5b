// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pipeline/held_out.hpp"
#include "pipeline/specification/node_reader.hpp"
#include "pipeline/yaml/numerals.hpp"
#include "registry/figures.hpp"
#include "study/repeat_folds.hpp"
#include "study/slot_reader.hpp"
#include "study/study_limits.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

constexpr const char* metric_help =
    "write metric: NODE.FIGURE, for example metric: test.error_rate";

class StudyReader : SlotReader {
 public:
  StudyReader(const YamlEntry& entry, std::uint64_t seed, Problems& problems)
      : SlotReader(entry, problems), seed_(seed) {
    study_.place = entry.key.place;
  }

  StudySpecification read() {
    if (!check_body({"pipeline", "metric", "better", "slots", "combine", "only", "exclude",
                     "repeats", "baseline", "over", "steps"}))
      return std::move(study_);
    if (const auto* file = body_.find("pipeline")) read_pipeline(file->value);
    read_metric();
    if (const YamlEntry* slots = body_.find("slots"))
      read_slots(slots->value);
    else
      problems_.error(
          study_.place, "the study varies nothing",
          "add slots: and, under it, NAME: {ALTERNATIVE: {nodes.NODE.KEY: VALUE}, ...}");
    read_choice();
    if (const auto* repeats = body_.find("repeats")) read_repeats(repeats->value);
    if (study_.repeats.empty()) study_.repeats.emplace_back();
    if (const auto* over = body_.find("over")) read_over(over->value);
    if (const auto* steps = body_.find("steps")) read_steps(*steps);
    if (const auto* baseline = body_.find("baseline"))
      study_.baseline = read_selector(baseline->value);
    return std::move(study_);
  }

  StudySpecification read_selection() {
    study_.folds = 5;
    if (!check_body(
            {"metric", "better", "folds", "halving", "parameters", "combine", "only", "exclude"}))
      return std::move(study_);
    read_metric();
    if (const YamlEntry* parameters = body_.find("parameters")) read_slots(parameters->value);
    read_choice();
    if (const YamlEntry* folds = body_.find("folds")) read_folds(folds->value);
    if (const YamlEntry* halving = body_.find("halving")) read_halving(*halving);
    if (study_.leave_one_out) {
      study_.repeats.push_back({"leave_one_out", std::nullopt, {}});
      return std::move(study_);
    }
    for (std::size_t fold = 0; fold < study_.folds; ++fold)
      study_.repeats.push_back({"fold=" + std::to_string(fold + 1), std::nullopt, {}, fold});
    return std::move(study_);
  }

 private:
  bool check_body(const Names& keys) {
    if (body_.is_mapping()) {
      check_keys(body_, keys, name_ == "study" ? "a study" : quote(name_));
      return true;
    }
    wrong(body_, quote(name_) + " must be a mapping", "its keys are " + enumerate(keys));
    return false;
  }

  /// `folds:` is their number, or {count: NUMBER, by: group}. Returns the number; nullptr where
  /// none is given.
  const YamlNode* read_fold_rule(const YamlNode& value) {
    study_.folds_place = value.place;
    if (!value.is_mapping()) return &value;
    check_keys(value, {"count", "by"}, "'folds'");
    const YamlEntry* count = value.find("count");
    const YamlEntry* by = value.find("by");
    if (by) {
      const auto named = by->value.is_scalar() ? folds_by_named(by->value.text) : std::nullopt;
      if (!named) wrong(by->value, "'by' must be group or row");
      study_.folds_by = named.value_or(FoldsBy::data);
    }
    return count ? &count->value : nullptr;
  }

  void read_folds(const YamlNode& given) {
    const YamlNode* count = read_fold_rule(given);
    if (!count) return;  // the default number
    const YamlNode& value = *count;
    if (value.is_scalar() && value.text == leave_one_out_text) {
      study_.leave_one_out = true;
      study_.folds = 1;
      return;
    }
    Refusal refusal;
    const auto folds = value.is_scalar() ? read_natural(value, refusal) : std::nullopt;
    if (folds && *folds >= 2 && *folds <= most_folds)
      study_.folds = static_cast<std::size_t>(*folds);
    else
      wrong(value, "'folds' must be a number from 2 to " + std::to_string(most_folds) + " or " +
                       leave_one_out_text);
  }

  void read_halving(const YamlEntry& entry) {
    Refusal refusal;
    const YamlNode& value = entry.value;
    const auto divisor = value.is_scalar() ? read_natural(value, refusal) : std::nullopt;
    if (!divisor || *divisor < 2 || *divisor > most_halving)
      return wrong(value, "'halving' must be a number from 2 to " + std::to_string(most_halving),
                   "it says which part of the trials continues after a fold: 3 is a third");
    if (study_.leave_one_out)
      return problems_.error(entry.key.place, "'halving' needs folds, but leave_one_out is one",
                             "omit one of them");
    study_.halving = static_cast<std::size_t>(*divisor);
  }

  void read_pipeline(const YamlNode& value) {
    if (value.is_scalar() && !value.text.empty())
      study_.pipeline = value;
    else
      wrong(value, "'pipeline' must be the name of a pipeline file");
  }

  void read_metric() {
    const YamlEntry* metric = body_.find("metric");
    if (!metric)
      problems_.error(study_.place,
                      (name_ == "study" ? std::string("the study") : quote(name_)) +
                          " does not say what it compares",
                      metric_help);
    else if (name_ == "study" && metric->value.is_list() && !metric->value.items.empty())
      read_metrics(metric->value.items);
    else if (const auto one = read_figure(metric->value))
      compare(*one);
    if (const YamlEntry* better = body_.find("better")) {
      study_.better_place = better->value.place;
      const auto named = direction_named(better->value.text);
      if (!named) wrong(better->value, "'better' must be lower or higher");
      study_.better = named.value_or(Better::none);
    }
  }

  void compare(const FurtherMetric& metric) {
    study_.metric_node = metric.node;
    study_.metric = metric.figure;
    study_.metric_place = metric.place;
  }

  /// The first one is compared, the others are shown beside it.
  void read_metrics(const std::vector<YamlNode>& items) {
    std::set<std::string> seen;
    for (const YamlNode& item : items) {
      const auto one = read_figure(item);
      if (!one) continue;
      if (!seen.insert(item.text).second)
        problems_.error(item.place, quote(item.text) + " is given twice");
      else if (study_.metric_node.empty() && &item == &items.front())
        compare(*one);
      else
        study_.further.push_back(*one);
    }
  }

  /// NODE.FIGURE; nothing: reported.
  std::optional<FurtherMetric> read_figure(const YamlNode& value) {
    const std::string& text = value.text;
    const std::size_t dot = text.find('.');
    if (value.is_scalar() && dot != 0 && dot != std::string::npos && dot + 1 < text.size())
      return FurtherMetric{text.substr(0, dot), text.substr(dot + 1), value.place};
    wrong(value, "'metric' must be a node and a figure that it reports", metric_help);
    return std::nullopt;
  }

  /// {NAME: {choose: SLOT or [SLOT, ...], within: SHARE, PATH: VALUE, ...}, ...}
  void read_steps(const YamlEntry& entry) {
    for (const char* key : {"combine", "only", "exclude", "baseline", "over"})
      if (const YamlEntry* other = body_.find(key))
        problems_.error(other->key.place, "a study in steps has no " + quote(key),
                        "each step compares all alternatives of the slots that it chooses");
    if (!entry.value.is_mapping() || entry.value.entries.empty())
      return wrong(entry.value, "'steps' must be a mapping of steps",
                   "a step is written NAME: {choose: SLOT, nodes.NODE.KEY: VALUE, ...}");
    for (const YamlEntry& step : entry.value.entries) study_.steps.push_back(read_step(step));
    for (std::size_t s = 0; s < study_.slots.size(); ++s)
      if (std::ranges::none_of(study_.steps, [&](const Step& step) {
            return std::ranges::find(step.slots, s) != step.slots.end();
          }))
        problems_.error(study_.slots[s].place, "no step chooses " + quote(study_.slots[s].name),
                        "name it under 'choose' of a step, or remove it");
  }

  Step read_step(const YamlEntry& entry) {
    Step step{entry.key.text, entry.key.place, {}, 0, {}};
    if (!is_plain_name(step.name)) refuse_name(entry.key, "a step");
    const YamlEntry* choice = entry.value.is_mapping() ? entry.value.find("choose") : nullptr;
    if (!choice)
      problems_.error(entry.key.place, "step " + quote(step.name) + " does not say what it chooses",
                      "write choose: SLOT, or a list of slots");
    for (const YamlEntry& part : entry.value.entries) {
      if (part.key.text == "choose")
        read_chosen(part.value, step);
      else if (part.key.text == "within")
        read_within(part.value, step);
      else
        read_change(part, step.changes);
    }
    return step;
  }

  void read_chosen(const YamlNode& value, Step& step) {
    Names names;
    for (const Slot& slot : study_.slots) names.push_back(slot.name);
    const auto one = [&](const YamlNode& name) {
      const auto found = std::ranges::find(names, name.text);
      if (!name.is_scalar() || found == names.end())
        return static_cast<void>(refuse(name, "slot", names));
      const auto slot = static_cast<std::size_t>(found - names.begin());
      const auto has = [&](const Step& s) {
        return std::ranges::find(s.slots, slot) != s.slots.end();
      };
      if (has(step) || std::ranges::any_of(study_.steps, has))
        problems_.error(name.place, quote(name.text) + " is chosen twice");
      else if (const auto parent = study_.slots[slot].parent)
        problems_.error(
            name.place,
            quote(name.text) + " is chosen together with " + quote(study_.slots[*parent].name),
            "name only " + quote(study_.slots[*parent].name));
      else
        add_with_inner(slot, step);
    };
    if (!value.is_list()) return one(value);
    if (value.items.empty()) wrong(value, "'choose' must name a slot");
    for (const YamlNode& name : value.items) one(name);
  }

  /// The slot, and those inside its alternatives.
  void add_with_inner(std::size_t slot, Step& step) {
    step.slots.push_back(slot);
    for (std::size_t s = slot + 1; s < study_.slots.size(); ++s)
      if (study_.slots[s].parent == slot) add_with_inner(s, step);
  }

  void read_within(const YamlNode& value, Step& step) {
    Refusal refusal;
    const auto share = value.is_scalar() ? read_number(value, refusal) : std::nullopt;
    if (share && *share >= 0 && *share < 1)
      step.within = *share;
    else
      wrong(value, "'within' must be at least 0 and less than 1",
            "it is how much worse than the best the choice may be, as a share of the best mean");
  }

  void read_over(const YamlNode& value) {
    Names names;
    for (const Slot& slot : study_.slots) names.push_back(slot.name);
    const auto found = std::ranges::find(names, value.text);
    if (!value.is_scalar() || found == names.end()) {
      refuse(value, "slot", names);
    } else if (names.size() < 2) {
      problems_.error(value.place, "no other slot has alternatives to compare",
                      "add a slot of methods");
    } else if (const auto place = static_cast<std::size_t>(found - names.begin());
               study_.slots[place].parent || std::ranges::any_of(study_.slots, [&](const Slot& s) {
                 return s.parent == place;
               })) {
      problems_.error(value.place,
                      "methods cannot be compared over " + quote(value.text) +
                          ", which is part of another slot or has slots in its alternatives",
                      "every method must meet every alternative of the slot");
    } else {
      study_.over = static_cast<std::size_t>(found - names.begin());
    }
  }

  void read_repeats(const YamlNode& value) {
    if (!value.is_mapping())
      return wrong(value, "'repeats' must be a mapping",
                   "write {seeds: 5}, {seeds: [1, 2, 3]}, {folds: 5}, {folds: 5, seeds: 3} or "
                   "{path: nodes.NODE.KEY, values: [...]}");
    const YamlEntry* seeds = value.find("seeds");
    const YamlEntry* folds = value.find("folds");
    if (seeds || folds)
      check_keys(value, {"seeds", "folds"},
                 folds ? "'repeats' with folds" : "'repeats' with seeds");
    if (seeds) read_seeds(seeds->value);
    if (folds) read_repeat_folds(folds->value);
    if (seeds || folds) return;
    for (const Alternative& one : read_values(value, "'repeats'")) {
      const YamlNode& key = one.changes.empty() ? value : one.changes[0].path.back();
      study_.repeats.push_back({key.text + "=" + one.name, std::nullopt, one.changes});
    }
  }

  /// Each repeat once for each fold.
  void read_repeat_folds(const YamlNode& given) {
    const YamlNode* count = read_fold_rule(given);
    if (!count)
      return problems_.error(given.place, "'folds' of 'repeats' gives no number of folds",
                             "write {count: 5, by: group}");
    const YamlNode& value = *count;
    Refusal refusal;
    const auto folds = value.is_scalar() ? read_natural(value, refusal) : std::nullopt;
    if (!folds || *folds < 2 || *folds > most_folds)
      return wrong(value, "'folds' must be a number from 2 to " + std::to_string(most_folds));
    study_.repeat_folds = static_cast<std::size_t>(*folds);
    if (study_.repeats.empty()) study_.repeats.emplace_back();
    std::vector<Repeat> all;
    for (const Repeat& repeat : study_.repeats)
      for (std::size_t fold = 0; fold < study_.repeat_folds; ++fold) {
        Repeat& one = all.emplace_back(repeat);
        one.name = name_of_repeat(repeat.name, fold);
        one.fold = fold;
      }
    study_.repeats = std::move(all);
  }

  void read_seeds(const YamlNode& value) {
    if (value.is_list() && !value.items.empty()) {
      for (const YamlNode& item : value.items)
        if (const auto seed = read_seed(item, problems_)) add_seed(*seed, item.place);
      return;
    }
    const auto count = read_seed(value, problems_);
    if (!count) return;
    if (*count < 1 || *count > most_seeds)
      return wrong(value,
                   "'seeds' must be a list, or a number from 1 to " + std::to_string(most_seeds));
    for (std::uint64_t i = 0; i < *count; ++i) add_seed(seed_ + i, value.place);
  }

  void add_seed(std::uint64_t seed, const Place& place) {
    const std::string name = "seed=" + std::to_string(seed);
    if (std::ranges::find(study_.repeats, name, &Repeat::name) != study_.repeats.end())
      problems_.error(place, name + " is given twice");
    else
      study_.repeats.push_back({name, seed, {}});
  }

  std::uint64_t seed_;
};

}  // namespace

StudySpecification read_study(const YamlEntry& entry, std::uint64_t seed, Problems& problems) {
  return StudyReader(entry, seed, problems).read();
}

StudySpecification read_selection(const YamlEntry& entry, Problems& problems) {
  return StudyReader(entry, 0, problems).read_selection();
}

}  // namespace semblance
