// SPDX-License-Identifier: MIT
#include "semblance_tables/column_roles.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

#include "role_finder.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance {

ColumnRoles RoleFinder::find() {
  if (!roles_.names.empty() && !expected_.names.empty())
    by_name();
  else if (expected_.of_model)
    by_position_for_model();
  else
    by_position();
  find_categorical();
  check_names();
  return std::move(roles_);
}

std::size_t RoleFinder::take_own(const std::string& name, const char* parameter) {
  const std::size_t c = required(name, parameter);
  if (taken_[c])
    fail_("'" + std::string(parameter) + "' names column " + roles_.describe(c) + ", which " +
          other_role(c) + "; give each its own");
  take(c);
  return c;
}

void RoleFinder::take_values() {
  if (format_.columns.empty()) return take_the_rest();
  std::vector<bool> named(fields_, false);
  for (const auto& name : format_.columns) {
    const std::size_t c = required(name, "columns");
    if (named[c]) fail_("'columns' names column " + roles_.describe(c) + " twice; remove one");
    named[c] = true;
    if (taken_[c])
      fail_("'columns' names column " + roles_.describe(c) + ", which " + other_role(c) +
            "; remove it from one of the two");
    roles_.values.push_back(c);
  }
  for (const std::size_t c : roles_.values) take(c);
}

std::string RoleFinder::other_role(std::size_t c) const {
  if (c == roles_.label) return "'label' names as well";
  if (std::ranges::count(roles_.targets, c) > 0) return "'target' names as well";
  if (c == roles_.id) return format_.id.empty() ? "names the rows" : "'id' names as well";
  if (c == roles_.weight) return "'weight' names as well";
  if (c == roles_.group) return "'groups' names as well";
  const bool ignored =
      std::ranges::any_of(format_.ignore, [&](const std::string& name) { return find(name) == c; });
  return ignored ? "'ignore' names as well" : "'columns' does not name";
}

void RoleFinder::find_categorical() {
  if (expected_.count != 0) {
    roles_.categorical = expected_.categorical;
    roles_.categorical.resize(roles_.values.size());
    for (const auto& [place, form] : expected_.dates)
      roles_.dates.emplace(roles_.values.at(place), form);
    return;
  }
  roles_.categorical.assign(roles_.values.size(), false);
  for (const auto& name : format_.dates)
    roles_.dates.emplace(roles_.values[place_of_value(name, "dates")], DateForm::day_first);
  if (format_.finds_categorical()) return;
  for (const auto& name : format_.categorical) {
    const std::size_t place = place_of_value(name, "categorical");
    if (roles_.dates.contains(roles_.values[place]))
      fail_("'categorical' and 'dates' both name column " + roles_.describe(roles_.values[place]) +
            "; remove it from one of the two");
    roles_.categorical[place] = true;
  }
}

std::size_t RoleFinder::place_of_value(const std::string& name,
                                       const std::string& parameter) const {
  const std::size_t c = required(name, parameter.c_str());
  const auto place = std::ranges::find(roles_.values, c);
  if (place == roles_.values.end())
    fail_("'" + parameter + "' names column " + roles_.describe(c) + ", which " + other_role(c) +
          "; remove it from one of the two");
  return static_cast<std::size_t>(place - roles_.values.begin());
}

void RoleFinder::take_the_rest() {
  for (std::size_t c = 0; c < fields_; ++c)
    if (!taken_[c]) roles_.values.push_back(c);
}

void RoleFinder::by_position() {
  if (format_.label != "none") take(roles_.label = required(format_.label, "label"));
  for (const auto& name : format_.ignore) take(required(name, "ignore"));
  if (!format_.id.empty())
    take(roles_.id = required(format_.id, "id"));
  else if (starts_with_row_names() && !taken_[0])
    take(roles_.id = 0);
  if (roles_.id != none && roles_.id == roles_.label)
    fail_("'label' and 'id' both name column " + roles_.describe(roles_.id) +
          "; give each its own");
  for (const std::string& name : format_.targets)
    roles_.targets.push_back(take_own(name, "target"));
  if (!format_.weight.empty()) roles_.weight = take_own(format_.weight, "weight");
  if (!format_.groups.empty()) roles_.group = take_own(format_.groups, "groups");
  take_values();
  if (roles_.values.empty())
    fail_(std::string("no column with values is left; check ") +
          (format_.separator.empty() ? "" : "'separator', ") +
          (format_.targets.empty() ? "'label'" : "'target'") + ", 'id' and 'ignore'");
  if (expected_.count != 0 && roles_.values.size() != expected_.count)
    fail_("has " + std::to_string(roles_.values.size()) +
          " columns of values, but the training file " + std::to_string(expected_.count) +
          "; both files must have the same columns");
}

void RoleFinder::check_names() const {
  if (roles_.names.empty()) return;
  std::vector<std::size_t> used = roles_.values;
  std::erase(used, none);
  if (roles_.label != none) used.push_back(roles_.label);
  std::ranges::copy_if(roles_.targets, std::back_inserter(used),
                       [](std::size_t c) { return c != none; });
  if (roles_.id != none) used.push_back(roles_.id);
  if (roles_.weight != none) used.push_back(roles_.weight);
  if (roles_.group != none) used.push_back(roles_.group);
  std::set<std::string_view> seen;
  for (const std::size_t c : used) {
    if (roles_.names[c].empty() && c != roles_.id)
      fail_("column " + std::to_string(c + 1) + " has no name in the header; name it" +
            or_excluded());
    if (!is_utf8(roles_.names[c]))
      fail_("the name of column " + std::to_string(c + 1) +
            " is not UTF-8 text; save the file as UTF-8");
    if (!seen.insert(roles_.names[c]).second)
      fail_("two columns are named " + in_quotes(roles_.names[c]) + "; rename one" + or_excluded());
  }
}

std::string ColumnRoles::describe(std::size_t column) const {
  const std::string number = std::to_string(column + 1);
  return names.empty() ? number : number + " (" + printable(names[column]) + ")";
}

std::vector<std::string> ColumnRoles::target_names() const {
  if (names.empty() || std::ranges::count(targets, none) > 0)
    return numbered_targets(targets.size());
  std::vector<std::string> all;
  for (const std::size_t c : targets) all.push_back(names[c]);
  return all;
}

std::vector<std::string> ColumnRoles::value_names() const {
  std::vector<std::string> all;
  if (!names.empty())
    for (const std::size_t c : values) all.push_back(names[c]);
  return all;
}

ColumnRoles find_roles(std::size_t fields, std::vector<std::string> names,
                       const TableFormat& format, const ExpectedColumns& expected,
                       const ColumnFailure& fail) {
  return RoleFinder(fields, std::move(names), format, expected, fail).find();
}

bool are_names(std::span<const std::string_view> fields, std::span<const std::string> wanted,
               NumberForm& numbers) {
  const std::unordered_set<std::string_view> known(fields.begin(), fields.end());
  const auto found =
      std::ranges::count_if(wanted, [&](const std::string& name) { return known.contains(name); });
  const auto given = std::ranges::count_if(
      fields, [&](std::string_view field) { return numbers.is_number(field); });
  return found == std::ssize(wanted) || given == 0 || (found > 0 && given < std::ssize(fields) - 1);
}

}  // namespace semblance
