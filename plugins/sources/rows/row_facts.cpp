// SPDX-License-Identifier: MIT
#include "rows/row_facts.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "rows/memory_limit.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

constexpr const char* not_utf8 = "is not UTF-8 text; save the file as UTF-8";

template <class T>
void keep_rows(std::vector<T>& list, const std::vector<bool>& kept, std::size_t width = 1) {
  std::size_t to = 0;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (kept[k / width]) {
      if (to != k) list[to] = std::move(list[k]);
      ++to;
    }
  list.resize(to);
}

}  // namespace

std::string no_such_class(std::string_view name) {
  return "its class " + in_quotes(name) +
         " has no training rows; check the files, or set 'new_test_classes: true'";
}

double RowFacts::bytes() const noexcept {
  return growing_bytes(labels) + growing_bytes(groups) + growing_bytes(numbers) +
         growing_bytes(weights) + growing_bytes(ids) + id_bytes_ + double(classes.bytes()) +
         targets.bytes();
}

bool RowFacts::leaves_out(const FactTexts& texts, const FactRules& rules) {
  const auto lacks = [&](const std::optional<std::string_view>& text) {
    return text && rules.labels.leaves_out(*text);
  };
  return lacks(texts.label) || std::ranges::any_of(texts.targets, lacks);
}

std::string RowFacts::name_of(Fact fact, const FactRules& rules, std::size_t target) const {
  if (rules.name) return rules.name(fact, target);
  if (fact == Fact::target && targets.names().size() > 1)
    return "the target " + in_quotes(targets.names()[target]);
  return fact == Fact::label    ? "the label"
         : fact == Fact::target ? "the target"
         : fact == Fact::weight ? "the weight"
         : fact == Fact::group  ? "the group"
                                : "the name";
}

void RowFacts::append(const FactTexts& texts, const FactRules& rules, const Fail& fail) {
  if (rules.numbers && targets.empty()) targets.set_names(numbered_targets(1));
  if (rules.numbers && texts.label) {
    FactTexts numbers = texts;
    numbers.targets = {std::exchange(numbers.label, std::nullopt)};
    return append(numbers, rules, fail);
  }
  const bool left_out = leaves_out(texts, rules);
  if (texts.id && !is_utf8(*texts.id)) fail(name_of(Fact::id, rules) + " " + not_utf8);
  if (left_out) {
    labels.push_back(left_out_label);
    targets.add_unknown_rows(1);
  } else {
    labels.push_back(texts.label ? label_of(*texts.label, rules, fail) : no_label);
    append_targets(texts, rules, fail);
  }
  if (rules.weights)
    weights.push_back(left_out ? 0 : texts.weight ? weight_of(*texts.weight, rules, fail) : 1);
  if (rules.groups)
    groups.push_back(left_out || !texts.group ? -1 : group_of(*texts.group, rules, fail));
  if (!texts.id && ids.empty()) return;
  ids.resize(rows() - 1);
  ids.emplace_back(texts.id.value_or(std::string_view()));
  id_bytes_ += double(ids.back().size());
}

std::int32_t RowFacts::label_of(std::string_view text, const FactRules& rules, const Fail& fail) {
  if (!rules.new_classes && !rules.labels.is_missing(text) && is_utf8(text) && !classes.knows(text))
    fail(no_such_class(text));
  const auto refuse = [&](const std::string& what) {
    fail(name_of(Fact::label, rules) + " " + what);
  };
  return rules.labels.number(text, classes, std::ref(refuse));
}

void RowFacts::append_targets(const FactTexts& texts, const FactRules& rules, const Fail& fail) {
  NumberForm form(rules.decimal_comma);
  for (std::size_t k = 0; k < targets.names().size(); ++k) {
    const auto refuse = [&](const std::string& what) {
      fail(name_of(Fact::target, rules, k) + " " + what);
    };
    if (k >= texts.targets.size() || !texts.targets[k])
      targets.add_unknown();
    else
      targets.add(k, *texts.targets[k], form, rules.labels, std::ref(refuse));
  }
}

double RowFacts::weight_of(std::string_view text, const FactRules& rules, const Fail& fail) const {
  const auto refuse = [&](const std::string& what) {
    fail(name_of(Fact::weight, rules) + " is " + what);
  };
  if (rules.is_missing(trimmed(text)))
    refuse("missing; fill it in: 0 for a row that is not to be learned from");
  NumberForm form(rules.decimal_comma);
  float rounded = 0;
  if (const char* problem = form.parse(text, rounded))
    refuse(in_quotes(text) + ", which " + problem + "; correct it");
  const auto weight = static_cast<double>(exact_number(form.plain(text)));
  if (weight < 0) refuse(in_quotes(text) + "; weights must be 0 or more");
  return weight;
}

std::int32_t RowFacts::group_of(std::string_view text, const FactRules& rules, const Fail& fail) {
  const std::string_view group = trimmed(text);
  if (rules.is_missing(group)) {
    if (rules.may_lack_groups) return -1;
    fail(name_of(Fact::group, rules) + " is missing; fill it in, or remove the row");
  }
  if (!is_utf8(group) && !rules.may_lack_groups) fail(name_of(Fact::group, rules) + " " + not_utf8);
  return group_numbers[group];
}

void RowFacts::keep(const std::vector<bool>& kept) {
  if (std::ranges::find(kept, false) == kept.end()) return;
  if (numbers.empty())
    for (std::size_t row = 0; row < rows(); ++row)
      numbers.push_back(static_cast<std::int64_t>(row));
  if (!ids.empty()) ids.resize(rows());
  keep_rows(numbers, kept);
  keep_rows(labels, kept);
  keep_rows(ids, kept);
  keep_rows(weights, kept);
  keep_rows(groups, kept);
  targets.keep(kept);
  ClassNames left;
  for (std::int32_t& label : labels)
    if (label >= 0) label = left.add(classes.names()[static_cast<std::size_t>(label)]);
  classes = std::move(left);
}

RowAnswers RowFacts::answers() {
  if (!ids.empty()) ids.resize(rows());
  return {std::move(labels),  std::move(numbers), std::move(ids),
          std::move(weights), std::move(groups),  targets.take()};
}

}  // namespace semblance::sources
