// SPDX-License-Identifier: MIT
#include "rows/fact_columns.hpp"

#include "semblance_tables/text_values.hpp"

namespace semblance::sources {

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
