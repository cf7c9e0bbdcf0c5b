// SPDX-License-Identifier: MIT
#include "rows/class_names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
std::int32_t ClassNames::add(std::string_view label) {
  if (const auto found = numbers_.find(label); found != numbers_.end()) return found->second;
  // Stored as written and in canonical form, so that the next look-up is immediate.
  const std::string name = canonical_label(label);
  const auto [at, fresh] = numbers_.try_emplace(name, static_cast<std::int32_t>(names_.size()));
  if (fresh) names_.push_back(name);
  const std::int32_t number = at->second;
  numbers_.try_emplace(std::string(label), number);
  constexpr std::size_t nodes = 256;  // twice for the map, once for the list
  bytes_ += 3 * label.size() + nodes;
  return number;
}

void ClassNames::sort(std::span<std::int32_t> labels) {
  const std::vector<std::size_t> order = natural_order(names_);
  std::vector<std::int32_t> place(order.size());
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<std::int32_t>(k);
    sorted.push_back(names_[order[k]]);
  }
  names_ = std::move(sorted);
  for (auto& [name, number] : numbers_) number = place[number];
  for (std::int32_t& label : labels)
    if (label >= 0) label = place[label];
}

void check_one_spelling(std::span<const std::string> names, const std::string& file) {
  std::map<double, std::string_view> found;
  for (const std::string& name : names) {
    std::string_view text = name;
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    const bool digit = !text.empty() && text[0] >= '0' && text[0] <= '9';
    if (!digit || (text.size() > 1 && text[0] == '0' && text[1] != '.' && text[1] != 'e')) continue;
    double value = 0;
    const char* const start = name.data() + name.starts_with('+');
    const auto [end, error] = std::from_chars(start, name.data() + name.size(), value);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    const auto [at, fresh] = found.try_emplace(value, name);
    if (!fresh)
      throw DataError(file, "",
                      "its labels '" + std::string(at->second) + "' and '" + name +
                          "' are the same number, written in two ways; write them alike, or make "
                          "them texts, such as 'class " +
                          name + "'");
  }
}

namespace {

std::size_t labelled_rows(std::span<const std::int32_t> labels) {
  return static_cast<std::size_t>(
      std::ranges::count_if(labels, [](std::int32_t label) { return label >= 0; }));
}

}  // namespace

bool look_measured(std::span<const std::int32_t> labels, std::span<const std::string> names) {
  constexpr std::size_t several = 20, many = 100, rows_per_class = 5;
  if (names.size() < several) return false;
  std::size_t fractions = 0;
  for (const std::string& name : names) {
    double value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (error != std::errc() || end != name.data() + name.size()) return false;
    if (value != std::floor(value)) ++fractions;
  }
  return 2 * fractions > names.size() ||
         (names.size() > many && labelled_rows(labels) < rows_per_class * names.size());
}

void check_class_count(std::span<const std::int32_t> labels, std::span<const std::string> names,
                       const std::string& file, const std::string& parameter,
                       const std::string& numbers) {
  constexpr std::size_t many = 100, several = 10;
  const std::size_t rows = labelled_rows(labels);
  const bool many_small = names.size() > many && rows < 2 * names.size();
  // For a small table, nearly one per row.
  const bool one_a_row = names.size() >= several && 9 * rows <= 10 * names.size();
  if (!many_small && !one_a_row) return;
  throw DataError(file, "",
                  "its " + std::to_string(rows) + " labels name " + std::to_string(names.size()) +
                      " classes ('" + names[0] + "', '" + names[1] +
                      "', ...), which looks like a column of measurements or row numbers; name the "
                      "class column, " +
                      (numbers.empty() ? "" : numbers + " if these are numbers to predict, ") +
                      "or set '" + parameter + ": true' if these are classes");
}

void check_test_classes(std::span<const std::int32_t> labels, std::size_t train_rows,
                        std::span<const std::string> names, const std::string& file) {
  if (train_rows == 0) return;
  std::vector<bool> trained(names.size(), false);
  for (std::size_t i = 0; i < train_rows; ++i)
    if (labels[i] >= 0) trained[labels[i]] = true;
  for (std::size_t i = train_rows; i < labels.size(); ++i)
    if (labels[i] >= 0 && !trained[labels[i]])
      throw DataError(file, "test row " + std::to_string(i - train_rows + 1),
                      "its class '" + names[labels[i]] +
                          "' has no training rows; check the split and the label");
}

bool LabelRule::is_missing(std::string_view label) const {
  if (label.empty() || ignored) return true;
  if (declared) return label == "?";
  return missing != MissingLabels::classes && marks_missing(label);
}

std::int32_t LabelRule::number_of_missing(
    std::string_view label, const std::function<void(const std::string&)>& fail) const {
  if (missing == MissingLabels::drop) return left_out_label;
  if (missing == MissingLabels::unknown || ignored) return no_label;
  const std::string remedy = "fill it in, or set 'missing_labels: drop' to drop such rows";
  if (label.empty()) fail("is empty; " + remedy);
  if (declared) fail("is missing; " + remedy);
  fail("is " + in_quotes(label) + ", which stands for a missing value; " + remedy +
       ", or 'missing_labels: classes' if it is the name of a class");
  return no_label;
}

std::int32_t LabelRule::number(std::string_view label, ClassNames& classes,
                               const std::function<void(const std::string&)>& fail) const {
  if (is_missing(label)) return number_of_missing(label, fail);
  if (!is_utf8(label)) fail("is not UTF-8 text; save the file as UTF-8");
  return classes.add(label);
}

}  // namespace semblance::sources
