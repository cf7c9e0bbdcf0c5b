// SPDX-License-Identifier: MIT
#include "text/fact_columns.hpp"

#include <algorithm>

#include "text_values.hpp"

namespace semblance::sources {

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

FactTexts FactColumns::texts(std::span<const std::string_view> fields) const {
  const auto text = [&](const std::optional<std::size_t>& column) {
    return column ? std::optional(trimmed(fields[*column])) : std::nullopt;
  };
  FactTexts facts{text(label), {}, text(weight), text(group), text(id)};
  for (const auto& target : targets) facts.targets.push_back(text(target));
  return facts;
}

std::vector<std::string> FactColumns::target_names(const FactNames& wanted,
                                                   std::span<const std::string> names,
                                                   const std::vector<std::string>& known) const {
  if (!known.empty()) return known;
  if (names.empty()) return numbered_targets(targets.size());
  std::vector<std::string> all;
  for (std::size_t k = 0; k < targets.size(); ++k)
    all.push_back(targets[k] ? names[*targets[k]] : wanted.targets[k]);
  return all;
}

FactColumns find_facts(const FactNames& wanted, std::span<const std::string> names,
                       std::size_t fields, std::vector<std::pair<std::size_t, const char*>> taken,
                       bool may_lack, const ColumnFailure& fail) {
  const auto place = [&](const std::string& name,
                         const char* parameter) -> std::optional<std::size_t> {
    if (may_lack && !column_of(name, names, fields)) return std::nullopt;
    return required_column(name, parameter, names, fields, fail);
  };
  const auto find = [&](const std::string& name, const char* parameter) {
    const auto column = place(name, parameter);
    for (const auto& [other, of] : taken)
      if (other == column)
        fail("'" + std::string(parameter) + "' names column " + std::to_string(*column + 1) +
             ", which '" + of + "' names as well; give each its own");
    if (column) taken.emplace_back(*column, parameter);
    return column;
  };
  FactColumns found;
  if (wanted.label != "none") found.label = find(wanted.label, "label");
  for (const std::string& target : wanted.targets) found.targets.push_back(find(target, "target"));
  if (!wanted.id.empty()) found.id = place(wanted.id, "id");
  if (!wanted.weight.empty()) found.weight = find(wanted.weight, "weight");
  if (!wanted.groups.empty()) found.group = find(wanted.groups, "groups");
  return found;
}

}  // namespace semblance::sources
