// SPDX-License-Identifier: MIT
#include "semblance_tables/column_lookup.hpp"

#include <algorithm>

#include "semblance_tables/text_values.hpp"

namespace semblance {

std::vector<std::pair<std::string, const char*>> FactNames::all() const {
  std::vector<std::pair<std::string, const char*>> all;
  if (label != "none") all.emplace_back(label, "label");
  for (const std::string& target : targets) all.emplace_back(target, "target");
  if (!id.empty()) all.emplace_back(id, "id");
  if (!weight.empty()) all.emplace_back(weight, "weight");
  if (!groups.empty()) all.emplace_back(groups, "groups");
  return all;
}

bool FactNames::any_is_name() const {
  return std::ranges::any_of(all(), [](const auto& fact) { return !parse_integer(fact.first); });
}

bool FactNames::any_is_among(std::span<const std::string_view> fields) const {
  return std::ranges::any_of(all(), [&](const auto& fact) {
    return !parse_integer(fact.first) &&
           std::ranges::any_of(fields, [&](auto field) { return trimmed(field) == fact.first; });
  });
}

std::vector<std::string> numbered_targets(std::size_t count) {
  if (count == 1) return {"target"};
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= count; ++k) names.push_back("target " + std::to_string(k));
  return names;
}

std::optional<std::size_t> column_of(const std::string& wanted, std::span<const std::string> names,
                                     std::size_t fields) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto number = parse_integer(wanted);
  const auto count = static_cast<std::int64_t>(fields);
  if (!number || *number == 0 || *number > count || *number < -count) return std::nullopt;
  return static_cast<std::size_t>(*number > 0 ? *number - 1 : count + *number);
}

std::size_t required_column(const std::string& wanted, const char* parameter,
                            std::span<const std::string> names, std::size_t fields,
                            const ColumnFailure& fail) {
  if (const auto found = column_of(wanted, names, fields)) return *found;
  const std::string of = "for '" + std::string(parameter) + "'";
  if (parse_integer(wanted))
    fail("no column " + wanted + " " + of + ": the line has " + std::to_string(fields) +
         " fields; columns count from 1, or from -1 at the end");
  if (names.empty())
    fail("column " + in_quotes(wanted) + " of '" + parameter +
         "' is a name, but the file is read without a header; give the column's number");
  fail("no column " + in_quotes(wanted) + " " + of +
       "; columns are: " + enumerated({names.begin(), names.end()}));
  return 0;
}

ColumnLookup::ColumnLookup(std::span<const std::string> names, std::size_t fields,
                           const ColumnFailure& fail)
    : names_(names), fields_(fields), fail_(fail) {
  for (std::size_t c = 0; c < names.size(); ++c) places_[names[c]].push_back(c);
}

std::optional<std::size_t> ColumnLookup::find(const std::string& wanted) const {
  const auto columns = named(wanted);
  return columns.empty() ? column_of(wanted, {}, fields_) : columns.front();
}

std::size_t ColumnLookup::required(const std::string& wanted, const char* parameter) const {
  if (named(wanted).size() > 1)
    fail_("two columns are named " + in_quotes(wanted) + "; give the column's number instead");
  if (const auto found = find(wanted)) return *found;
  return required_column(wanted, parameter, names_, fields_, fail_);
}

std::span<const std::size_t> ColumnLookup::named(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::span<const std::size_t>() : found->second;
}

bool counts_from_zero(std::span<const std::string_view> texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i] != std::to_string(i)) return false;
  return !texts.empty();
}

}  // namespace semblance
