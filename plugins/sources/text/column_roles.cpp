// SPDX-License-Identifier: MIT
#include "text/column_roles.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "target_numbers.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t none = ColumnRoles::none;

/// "'a', 'b' and 3 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::string columns(const std::vector<std::string>& names) {
  return (names.size() == 1 ? "column " : "columns ") + listed(names);
}

class RoleFinder {
 public:
  RoleFinder(std::size_t fields, std::vector<std::string> names, const TableFormat& format,
             const ExpectedColumns& expected, const RoleFailure& fail)
      : fields_(fields), format_(format), expected_(expected), fail_(fail), taken_(fields, false) {
    roles_.names = std::move(names);
    for (std::size_t c = 0; c < roles_.names.size(); ++c) places_[roles_.names[c]].push_back(c);
  }

  ColumnRoles find() {
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

 private:
  void take(std::size_t column) { taken_[column] = true; }

  std::optional<std::size_t> find(const std::string& wanted) const {
    if (const auto named = places_.find(wanted); named != places_.end())
      return named->second.front();
    return column_of(wanted, {}, fields_);
  }

  /// The column that a parameter refers to; fails if there is none.
  std::size_t required(const std::string& wanted, const char* parameter) const {
    const auto found = find(wanted);
    if (found) {
      const auto& names = roles_.names;
      if (!names.empty() && names[*found] == wanted &&
          std::count(names.begin(), names.end(), wanted) > 1)
        fail_("two columns are named " + in_quotes(wanted) + "; give the column's number instead");
      return *found;
    }
    return required_column(wanted, parameter, roles_.names, fields_, fail_);
  }

  /// Whether the first column has names or numbers of rows, as written by pandas and R.
  bool starts_with_row_names() const {
    return roles_.names.size() > 1 && roles_.names[0].empty() && format_.id.empty();
  }

  /// The column that a parameter names, which must have no other role.
  std::size_t take_own(const std::string& name, const char* parameter) {
    const std::size_t c = required(name, parameter);
    if (taken_[c])
      fail_("'" + std::string(parameter) + "' names column " + roles_.describe(c) + ", which " +
            other_role(c) + "; give each its own");
    take(c);
    return c;
  }

  void take_values() {
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

  /// The role of a column without values.
  std::string other_role(std::size_t c) const {
    if (c == roles_.label) return "'label' names as well";
    if (std::ranges::count(roles_.targets, c) > 0) return "'target' names as well";
    if (c == roles_.id) return format_.id.empty() ? "names the rows" : "'id' names as well";
    if (c == roles_.weight) return "'weight' names as well";
    if (c == roles_.group) return "'groups' names as well";
    const bool ignored = std::ranges::any_of(
        format_.ignore, [&](const std::string& name) { return find(name) == c; });
    return ignored ? "'ignore' names as well" : "'columns' does not name";
  }

  /// A second file's columns have the roles of the first file's.
  void find_categorical() {
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
        fail_("'categorical' and 'dates' both name column " +
              roles_.describe(roles_.values[place]) + "; remove it from one of the two");
      roles_.categorical[place] = true;
    }
  }

  /// Among the values, of the column that a parameter names.
  std::size_t place_of_value(const std::string& name, const std::string& parameter) const {
    const std::size_t c = required(name, parameter.c_str());
    const auto place = std::ranges::find(roles_.values, c);
    if (place == roles_.values.end())
      fail_("'" + parameter + "' names column " + roles_.describe(c) + ", which " + other_role(c) +
            "; remove it from one of the two");
    return static_cast<std::size_t>(place - roles_.values.begin());
  }

  void take_the_rest() {
    for (std::size_t c = 0; c < fields_; ++c)
      if (!taken_[c]) roles_.values.push_back(c);
  }

  void by_position() {
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

  /// New data may lack the label or targets and ignored or carried columns: takes the first
  /// interpretation of the parameters that leaves the model's number of columns.
  void by_position_for_model() {
    if (!carried().empty() && found_with_carried()) return;
    for (const auto& [label, others] : {std::pair{true, true}, {false, true}, {false, false}})
      if (attempt(label, others, false)) return;
    fail_("has " + std::to_string(fields_) + " columns, which does not match the model: it takes " +
          std::to_string(expected_.count) + (expected_.count == 1 ? " value" : " values") +
          " per row; give the columns it was trained on, and name the others with " +
          (format_.targets.empty() ? "'label'" : "'target'") + ", 'id' and 'ignore'");
  }

  /// The columns of weights and groups, which new data may lack and which are not read.
  std::vector<std::string> carried() const {
    std::vector<std::string> names;
    for (const std::string* name : {&format_.weight, &format_.groups})
      if (!name->empty()) names.push_back(*name);
    return names;
  }

  /// For rows with the columns of both weights and groups, and possibly the label. With only one of
  /// the two it would be unclear which it is.
  bool found_with_carried() {
    if (attempt(true, true, true)) return true;
    const bool labelled = has_answers() && attempt(true, true, false);
    if (!attempt(false, true, true)) return false;
    if (labelled)
      fail_("has " + std::to_string(fields_) + " columns, so that either the " +
            (format_.targets.empty() ? "label" : "target") + " or the " +
            (format_.groups.empty()   ? "weight"
             : format_.weight.empty() ? "group"
                                      : "weight and the group") +
            " is missing, and nothing says which; give both or none, or the header that the "
            "training file had");
    return true;
  }

  /// Whether rows may have the label or the targets.
  bool has_answers() const { return format_.label != "none" || !format_.targets.empty(); }

  bool attempt(bool answers, bool others, bool with_carried) {
    std::fill(taken_.begin(), taken_.end(), false);
    roles_.label = roles_.id = none;
    roles_.targets.assign(format_.targets.size(), none);
    roles_.values.clear();
    if (answers && !attempt_answers()) return false;
    if (others) {
      for (const auto& name : format_.ignore)
        if (const auto column = find(name)) take(*column);
      // New rows are not learned from, so their weights do not matter.
      if (with_carried)
        for (const std::string& name : carried()) {
          const auto column = find(name);
          if (column && is_answer(*column)) return false;
          if (column) take(*column);
        }
      const auto id = format_.id.empty() ? std::nullopt : find(format_.id);
      if (id && !taken_[*id])
        take(roles_.id = *id);
      else if (starts_with_row_names() && !taken_[0])
        take(roles_.id = 0);
    }
    if (others && !format_.columns.empty()) return attempt_columns();
    take_the_rest();
    return roles_.values.size() == expected_.count;
  }

  bool attempt_answers() {
    if (format_.label != "none") {
      const auto column = find(format_.label);
      if (!column) return false;
      take(roles_.label = *column);
    }
    for (std::size_t k = 0; k < format_.targets.size(); ++k) {
      const auto column = find(format_.targets[k]);
      if (!column || taken_[*column]) return false;
      take(roles_.targets[k] = *column);
    }
    return true;
  }

  /// The columns named in the training run, if they exist.
  bool attempt_columns() {
    for (const auto& name : format_.columns) {
      const auto column = find(name);
      if (!column || taken_[*column]) return false;
      roles_.values.push_back(*column);
      take(*column);
    }
    return roles_.values.size() == expected_.count;
  }

  void by_name() {
    const auto& names = roles_.names;
    std::vector<std::string> missing;
    for (const auto& wanted : expected_.names) {
      const auto found = only_column(wanted);
      if (!found) {
        missing.push_back(wanted);
        continue;
      }
      roles_.values.push_back(*found);
      take(*found);
    }
    const std::string owner =
        expected_.of_model ? "the model was trained on" : "the training file has";
    if (!missing.empty())
      fail_("the header lacks the " + columns(missing) + ", which " + owner +
            "; add what is missing" +
            (format_.header == "present" ? "" : ", or set 'header: absent' if this line is a row"));
    find_label();
    find_targets();
    leave_out();
    if (!format_.columns.empty() || format_.understands) return;  // all others are omitted
    std::vector<std::string> fresh;
    for (std::size_t c = 0; c < fields_; ++c)
      if (!taken_[c]) fresh.push_back(names[c]);
    if (!fresh.empty())
      fail_("the header has the " + columns(fresh) + ", which " +
            (expected_.of_model ? "the model was not trained on" : "the training file lacks") +
            "; remove the new ones, or name them in 'ignore' or 'id'");
  }

  /// The column with this name; among several, the one not ignored by number.
  std::optional<std::size_t> only_column(const std::string& name) const {
    const auto places = places_.find(name);
    if (places == places_.end()) return std::nullopt;
    std::vector<std::size_t> found = places->second;
    if (found.size() > 1) std::erase_if(found, [this](std::size_t c) { return left_out(c); });
    if (found.size() > 1)
      fail_("two columns are named " + in_quotes(name) +
            "; rename one, or exclude it with its number in 'ignore'");
    if (found.empty()) return std::nullopt;
    return found.front();
  }

  void find_label() {
    if (format_.label == "none") return;
    const std::string wanted = expected_.label.empty() ? format_.label : expected_.label;
    if (const auto named = only_column(wanted))
      roles_.label = *named;
    else if (!expected_.of_model)
      fail_("the header lacks the label's column " + in_quotes(wanted) +
            ", which the training file has; add it");
    else if (parse_integer(format_.label))
      roles_.label = label_by_number();
    if (roles_.label == none) return;
    if (taken_[roles_.label]) {
      fail_("column " + roles_.describe(roles_.label) +
            " is named in 'label', but the model uses its values; name another, or none");
    }
    take(roles_.label);
  }

  /// New data for a model may lack them.
  void find_targets() {
    const auto& wanted = expected_.targets.empty() ? format_.targets : expected_.targets;
    for (const std::string& name : wanted) {
      auto column = only_column(name);
      if (!column && expected_.of_model && expected_.targets.empty()) column = find(name);
      if (!column && !expected_.of_model)
        fail_("the header lacks the target's column " + in_quotes(name) +
              ", which the training file has; add it");
      roles_.targets.push_back(column.value_or(none));
      if (!column) continue;
      if (taken_[*column])
        fail_("column " + roles_.describe(*column) +
              " is named in 'target', but the model uses its values; name another");
      take(*column);
    }
  }

  /// A number is where the label stood in the training file; the model's columns may have moved
  /// over it since. Then it is the one column that is left, if just one is.
  std::size_t label_by_number() const {
    const auto found = find(format_.label);
    if (found && !taken_[*found] && !left_out(*found)) return *found;
    std::vector<std::size_t> free;
    for (std::size_t c = 0; c < fields_; ++c)
      if (!taken_[c] && !left_out(c)) free.push_back(c);
    return free.size() == 1 ? free.front() : none;
  }

  bool is_answer(std::size_t c) const {
    return c == roles_.label || std::ranges::count(roles_.targets, c) > 0;
  }

  /// Whether 'ignore' or 'id' mean this column.
  bool left_out(std::size_t c) const {
    const auto means = [&](const std::string& wanted) { return find(wanted) == c; };
    return std::any_of(format_.ignore.begin(), format_.ignore.end(), means) ||
           (!format_.id.empty() && means(format_.id)) || std::ranges::any_of(carried(), means) ||
           (c == 0 && starts_with_row_names());
  }

  void leave_out() {
    if (const auto id = format_.id.empty() ? std::nullopt : find(format_.id); id && !taken_[*id])
      take(roles_.id = *id);
    else if (starts_with_row_names() && !taken_[0])
      take(roles_.id = 0);
    for (const auto& name : format_.ignore)
      if (const auto column = find(name)) take(*column);
    // Rows that are not learned from need no weights and no groups.
    for (const std::string& name : carried())
      if (const auto column = find(name)) take(*column);
    if (!expected_.group.empty()) roles_.group = find(expected_.group).value_or(none);
    for (const auto& name : expected_.left_out)
      if (const auto at = places_.find(name); at != places_.end()) take(at->second.front());
  }

  /// A name that two columns have, or none, is no name.
  void check_names() const {
    if (roles_.names.empty()) return;
    std::vector<std::size_t> used = roles_.values;
    if (roles_.label != none) used.push_back(roles_.label);
    std::ranges::copy_if(roles_.targets, std::back_inserter(used),
                         [](std::size_t c) { return c != none; });
    if (roles_.id != none) used.push_back(roles_.id);
    if (roles_.weight != none) used.push_back(roles_.weight);
    if (roles_.group != none) used.push_back(roles_.group);
    std::set<std::string_view> seen;
    for (const std::size_t c : used) {
      if (roles_.names[c].empty() && c != roles_.id)
        fail_("column " + std::to_string(c + 1) +
              " has no name in the header; name it, or exclude it with its number in 'ignore'");
      if (!is_utf8(roles_.names[c]))
        fail_("the name of column " + std::to_string(c + 1) +
              " is not UTF-8 text; save the file as UTF-8");
      if (!seen.insert(roles_.names[c]).second)
        fail_("two columns are named " + in_quotes(roles_.names[c]) +
              "; rename one, or exclude it with its number in 'ignore'");
    }
  }

  std::size_t fields_;
  const TableFormat& format_;
  const ExpectedColumns& expected_;
  const RoleFailure& fail_;
  std::vector<bool> taken_;
  ColumnRoles roles_;
  /// The places of each name.
  std::map<std::string, std::vector<std::size_t>, std::less<>> places_;
};

}  // namespace

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
                       const RoleFailure& fail) {
  return RoleFinder(fields, std::move(names), format, expected, fail).find();
}

bool counts_from_zero(std::span<const std::string_view> texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i] != std::to_string(i)) return false;
  return !texts.empty();
}

}  // namespace semblance::sources
