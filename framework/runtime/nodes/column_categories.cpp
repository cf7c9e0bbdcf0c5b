// SPDX-License-Identifier: MIT
#include "runtime/nodes/column_categories.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/did_you_mean.hpp"
#include "support/float_text.hpp"

namespace semblance {
namespace {

constexpr std::size_t most_categories = 200;

/// Instead of a number; states are finite.
constexpr double missing_number = std::numeric_limits<float>::lowest();
constexpr double of_no_category = -1;

}  // namespace

void ColumnCategories::bind(const std::string& column, const Outline& source) {
  const auto& names = source.columns;
  if (names.empty())
    throw Error("'by_column' names the column '" + column +
                "', but the columns of the data have no names");
  column_ = column;
  columns_.clear();
  categories_.clear();
  const auto number = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
  if (number < names.size()) columns_.push_back(number);
  for (std::size_t k = 0; k < names.size() && number == names.size(); ++k) {
    if (!names[k].starts_with(column + "=")) continue;
    columns_.push_back(k);
    categories_.push_back(names[k]);
  }
  if (!columns_.empty()) return;
  std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : names) known.insert(name.substr(0, name.find('=')));
  const std::vector<std::string> all(known.begin(), known.end());
  const std::string hint = did_you_mean(column, all);
  throw Error("'by_column' names the column '" + column + "', which the data do not have; " +
              (hint.empty() ? "they have " + enumerate_alternatives(column, all) : hint));
}

double ColumnCategories::value(std::span<const float> row) const {
  if (categories_.empty()) {
    const float number = row[columns_[0]];
    return std::isnan(number) ? missing_number : double{number};
  }
  double found = of_no_category;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const float flag = row[columns_[k]];
    if (flag != 0 && (flag != 1 || found != of_no_category))
      throw Error("'by_column' names the column '" + column_ +
                  "', which has no categories but several numbers; name one of them, such as '" +
                  categories_[k] + "'");
    if (flag == 1) found = static_cast<double>(k);
  }
  return found;
}

std::vector<std::int32_t> ColumnCategories::learn(const Dataset& data, std::size_t rows) {
  constexpr std::size_t at_once = 256;
  std::vector<double> all;
  for (std::size_t first = 0; first < rows; first += at_once) {
    FloatMatrix block(std::min(at_once, rows - first), data.outline().layout.size());
    data.read(first, block.view());
    for (std::size_t i = 0; i < block.rows; ++i)
      all.push_back(value(std::as_const(block).view().row_span(i)));
  }
  const std::set<double> values(all.begin(), all.end());
  if (values.size() > most_categories)
    throw Error("'by_column' names the column '" + column_ + "', which has " +
                std::to_string(values.size()) + " values in " + std::to_string(rows) +
                " training rows; name one with few values");
  values_.assign(values.begin(), values.end());
  std::vector<std::int32_t> made;
  made.reserve(all.size());
  for (const double one : all)
    made.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(values_, one) - values_.begin()));
  return made;
}

std::vector<std::string> ColumnCategories::names() const {
  std::vector<std::string> made;
  for (const double value : values_) {
    std::string text = column_ + "=";
    if (value == of_no_category && !categories_.empty())
      text += "(none)";
    else if (!categories_.empty())
      text = categories_[static_cast<std::size_t>(value)];
    else if (value == missing_number)
      text += "(missing)";
    else
      append_float(text, static_cast<float>(value));
    made.push_back(std::move(text));
  }
  return made;
}

std::int32_t ColumnCategories::of(std::span<const float> row) const {
  const double own = value(row);
  const auto found = std::ranges::lower_bound(values_, own);
  return found != values_.end() && *found == own
             ? static_cast<std::int32_t>(found - values_.begin())
             : -1;
}

void ColumnCategories::save(const Folder& folder) const {
  StateFolderWriter writer(folder);
  writer.doubles("values", values_);
  writer.finish();
}

void ColumnCategories::load(const Folder& folder) {
  auto values = StateFolderReader(folder, StateFolderReader::Values::finite).doubles("values");
  if (!std::ranges::is_sorted(values)) throw Error("its categories are not sorted; train it again");
  values_ = std::move(values);
}

}  // namespace semblance
