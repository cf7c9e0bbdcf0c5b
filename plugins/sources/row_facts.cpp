// SPDX-License-Identifier: MIT
#include "row_facts.hpp"

#include <algorithm>
#include <utility>

#include "text_values.hpp"

namespace semblance::sources {
namespace {

constexpr const char* not_utf8 = "is not UTF-8 text; save the file as UTF-8";

/// The last `count` elements become those from `to` on.
template <class T>
void move_last(std::vector<T>& list, std::size_t to, std::size_t rows) {
  if (list.size() < rows) list.resize(list.empty() ? 0 : rows);
  if (!list.empty())
    std::rotate(list.begin() + static_cast<std::ptrdiff_t>(to), list.end() - 1, list.end());
}

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

double weight_of(std::string_view text, const FactRules& rules, const RowFacts::Refuse& refuse) {
  const auto fail = [&](const std::string& what) { refuse(Fact::weight, 0, "is " + what); };
  if (rules.is_missing(trimmed(text)))
    fail("missing; fill it in: 0 for a row that is not to be learned from");
  NumberForm form(rules.decimal_comma);
  float rounded = 0;
  if (const char* problem = form.parse(text, rounded))
    fail(in_quotes(text) + ", which " + problem + "; correct it");
  const auto weight = static_cast<double>(exact_number(form.plain(text)));
  if (weight < 0) fail(in_quotes(text) + "; weights must be 0 or more");
  return weight;
}

}  // namespace

std::string no_such_class(std::string_view name) {
  return "its class " + in_quotes(name) +
         " has no training rows; check the files, or set 'new_test_classes: true'";
}

double RowFacts::bytes() const noexcept {
  return double(labels.size() + groups.size()) * sizeof(std::int32_t) + double(classes.bytes()) +
         double(numbers.size()) * sizeof(std::int64_t) + double(weights.size()) * sizeof(double) +
         double(ids.size()) * sizeof(std::string) + id_bytes_ + targets.bytes();
}

bool RowFacts::leaves_out(const FactTexts& texts, const FactRules& rules) {
  const auto lacks = [&](const std::optional<std::string_view>& text) {
    return text && rules.labels.leaves_out(*text);
  };
  return lacks(texts.label) || std::ranges::any_of(texts.targets, lacks);
}

void RowFacts::append(const FactTexts& texts, const FactRules& rules, const Refuse& refuse) {
  const bool left_out = leaves_out(texts, rules);
  if (texts.id && !is_utf8(*texts.id)) refuse(Fact::id, 0, not_utf8);
  if (left_out) {
    labels.push_back(left_out_label);
    targets.add_unknown_rows(1);
    if (rules.weights) weights.push_back(0);
    if (rules.groups) groups.push_back(-1);
  } else {
    labels.push_back(!texts.label
                         ? no_label
                         : rules.labels.number(*texts.label, classes, [&](const std::string& what) {
                             refuse(Fact::label, 0, what);
                           }));
    append_targets(texts, rules, refuse);
    append_weight(texts, rules, refuse);
    append_group(texts, rules, refuse);
  }
  if (!texts.id && ids.empty()) return;
  ids.resize(rows() - 1);
  ids.emplace_back(texts.id.value_or(std::string_view()));
  id_bytes_ += double(ids.back().size());
}

void RowFacts::append_targets(const FactTexts& texts, const FactRules& rules,
                              const Refuse& refuse) {
  NumberForm form(rules.decimal_comma);
  for (std::size_t k = 0; k < targets.names().size(); ++k)
    if (k >= texts.targets.size() || !texts.targets[k])
      targets.add_unknown();
    else
      targets.add(k, *texts.targets[k], form, rules.labels,
                  [&](const std::string& what) { refuse(Fact::target, k, what); });
}

void RowFacts::append_weight(const FactTexts& texts, const FactRules& rules, const Refuse& refuse) {
  if (rules.weights) weights.push_back(texts.weight ? weight_of(*texts.weight, rules, refuse) : 1);
}

void RowFacts::append_group(const FactTexts& texts, const FactRules& rules, const Refuse& refuse) {
  if (!rules.groups) return;
  if (!texts.group) return groups.push_back(-1);
  const std::string_view group = trimmed(*texts.group);
  if (rules.is_missing(group)) refuse(Fact::group, 0, "is missing; fill it in, or remove the row");
  if (!is_utf8(group)) refuse(Fact::group, 0, not_utf8);
  groups.push_back(group_numbers[group]);
}

void RowFacts::move_last_to(std::size_t row) {
  move_last(ids, row, rows());
  move_last(labels, row, rows());
  move_last(weights, row, rows());
  move_last(groups, row, rows());
  if (!targets.empty()) targets.move_last_to(row);
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

RowOrigins RowFacts::origins() {
  if (!ids.empty()) ids.resize(rows());
  return {std::move(numbers), std::move(ids), std::move(weights), std::move(groups),
          targets.take()};
}

}  // namespace semblance::sources
