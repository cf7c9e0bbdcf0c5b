// SPDX-License-Identifier: MIT
// The columns of a file that must be those of an earlier one or of a model.
#include <algorithm>

#include "role_finder.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance {
namespace {

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

}  // namespace

void RoleFinder::by_position_for_model() {
  if (!carried().empty() && found_with_carried()) return;
  for (const auto& [label, others] : {std::pair{true, true}, {false, true}, {false, false}})
    if (attempt(label, others, false)) return;
  fail_("has " + std::to_string(fields_) + (fields_ == 1 ? " value" : " values") +
        ", but the model takes rows of " + std::to_string(expected_.count) +
        (format_.remedies
             ? std::string("; give the columns it was trained on, and name the others with ") +
                   (format_.targets.empty() ? "'label'" : "'target'") + ", 'id' and 'ignore'"
             : ""));
}

std::vector<std::string> RoleFinder::carried() const {
  std::vector<std::string> names;
  for (const std::string* name : {&format_.weight, &format_.groups})
    if (!name->empty()) names.push_back(*name);
  return names;
}

void RoleFinder::take_carried(const std::string& name, std::size_t column) {
  take(column);
  if (name == format_.groups) roles_.group = column;
}

bool RoleFinder::found_with_carried() {
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

bool RoleFinder::attempt(bool answers, bool others, bool with_carried) {
  std::fill(taken_.begin(), taken_.end(), false);
  roles_.label = roles_.id = roles_.group = none;
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
        if (column) take_carried(name, *column);
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

bool RoleFinder::attempt_answers() {
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

bool RoleFinder::attempt_columns() {
  for (const auto& name : format_.columns) {
    const auto column = find(name);
    if (!column || taken_[*column]) return false;
    roles_.values.push_back(*column);
    take(*column);
  }
  return roles_.values.size() == expected_.count;
}

void RoleFinder::by_name() {
  const auto& names = roles_.names;
  std::vector<std::string> missing;
  for (const auto& wanted : expected_.names) {
    const auto found = only_column(wanted);
    if (!found) {
      if (expected_.may_lack)
        roles_.values.push_back(none);
      else
        missing.push_back(wanted);
      continue;
    }
    roles_.values.push_back(*found);
    take(*found);
  }
  const std::string owner =
      expected_.of_model ? "the model was trained on" : "the training file has";
  if (!missing.empty())
    fail_("lacks the " + columns(missing) + ", which " + owner + "; add what is missing" +
          (format_.header == "present" || !format_.remedies
               ? ""
               : ", or set 'header: absent' if this line is a row"));
  find_label();
  find_targets();
  leave_out();
  if (!format_.columns.empty() || format_.understands) return;  // all others are omitted
  std::vector<std::string> fresh;
  for (std::size_t c = 0; c < fields_; ++c)
    if (!taken_[c]) fresh.push_back(names[c]);
  if (!fresh.empty())
    fail_("has the " + columns(fresh) + ", which " +
          (expected_.of_model ? "the model was not trained on" : "the training file lacks") +
          "; remove the new ones" + (format_.remedies ? ", or name them in 'ignore' or 'id'" : ""));
}

std::optional<std::size_t> RoleFinder::only_column(const std::string& name) const {
  const auto places = columns_.named(name);
  std::vector<std::size_t> found(places.begin(), places.end());
  if (found.size() > 1) std::erase_if(found, [this](std::size_t c) { return left_out(c); });
  if (found.size() > 1)
    fail_("two columns are named " + in_quotes(name) + "; rename one" + or_excluded());
  if (found.empty()) return std::nullopt;
  return found.front();
}

void RoleFinder::find_label() {
  if (format_.label == "none") return;
  const std::string wanted = expected_.label.empty() ? format_.label : expected_.label;
  if (const auto named = only_column(wanted))
    roles_.label = *named;
  else if (!expected_.of_model)
    fail_("lacks the label's column " + in_quotes(wanted) +
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

void RoleFinder::find_targets() {
  const auto& wanted = expected_.targets.empty() ? format_.targets : expected_.targets;
  for (const std::string& name : wanted) {
    auto column = only_column(name);
    if (!column && expected_.of_model && expected_.targets.empty()) column = find(name);
    if (!column && !expected_.of_model)
      fail_("lacks the target's column " + in_quotes(name) +
            ", which the training file has; add it");
    roles_.targets.push_back(column.value_or(none));
    if (!column) continue;
    if (taken_[*column])
      fail_("column " + roles_.describe(*column) +
            " is named in 'target', but the model uses its values; name another");
    take(*column);
  }
}

std::size_t RoleFinder::label_by_number() const {
  const auto found = find(format_.label);
  if (found && !taken_[*found] && !left_out(*found)) return *found;
  std::vector<std::size_t> free;
  for (std::size_t c = 0; c < fields_; ++c)
    if (!taken_[c] && !left_out(c)) free.push_back(c);
  return free.size() == 1 ? free.front() : none;
}

bool RoleFinder::left_out(std::size_t c) const {
  const auto means = [&](const std::string& wanted) { return find(wanted) == c; };
  return std::any_of(format_.ignore.begin(), format_.ignore.end(), means) ||
         (!format_.id.empty() && means(format_.id)) || std::ranges::any_of(carried(), means) ||
         (c == 0 && starts_with_row_names());
}

void RoleFinder::leave_out() {
  if (const auto id = format_.id.empty() ? std::nullopt : find(format_.id); id && !taken_[*id])
    take(roles_.id = *id);
  else if (starts_with_row_names() && !taken_[0])
    take(roles_.id = 0);
  for (const auto& name : format_.ignore)
    if (const auto column = find(name)) take(*column);
  // Rows that are not learned from need no weights and no groups.
  for (const std::string& name : carried())
    if (const auto column = find(name)) take_carried(name, *column);
  if (!expected_.group.empty()) roles_.group = find(expected_.group).value_or(none);
  for (const auto& name : expected_.left_out)
    if (const auto places = columns_.named(name); !places.empty()) take(places.front());
}

}  // namespace semblance
