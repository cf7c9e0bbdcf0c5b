// SPDX-License-Identifier: MIT
#include "tables/category_columns.hpp"

#include <algorithm>
#include <map>

namespace semblance::sources {

void CategoryColumn::add(std::string_view text, const std::string& file, std::size_t line) {
  codes_.push_back(names_.add(text));
  if (static_cast<std::size_t>(codes_.back()) == first_seen_.size())
    first_seen_.push_back({file, line});
}

bool CategoryColumn::knows(std::string_view text) const {
  return names_.knows(text) ||
         (fixed_ && std::ranges::find(*fixed_, canonical_label(text)) != fixed_->end());
}

double CategoryColumn::bytes() const noexcept {
  return double(codes_.size()) * sizeof(std::int32_t) + double(names_.bytes());
}

void CategoryColumn::learn(const std::vector<std::size_t>& training_rows) {
  std::vector<bool> present(names_.names().size(), false);
  for (const std::size_t row : training_rows)
    present[static_cast<std::size_t>(codes_.at(row))] = true;
  if (declared_) {
    for (std::size_t code = 0; code < present.size(); ++code)
      if (present[code] && names_.names()[code] == missing) fixed_->emplace_back(missing);
  } else if (!fixed_) {
    ClassNames trained;
    for (std::size_t code = 0; code < present.size(); ++code)
      if (present[code]) trained.add(names_.names()[code]);
    trained.sort({});
    fixed_ = trained.names();
  }
  number_categories();
}

void CategoryColumn::number_categories() {
  std::map<std::string, std::int32_t, std::less<>> numbers;
  for (const std::string& category : *fixed_)
    numbers.emplace(category, static_cast<std::int32_t>(numbers.size()));
  places_.clear();
  places_.reserve(names_.names().size());
  for (const std::string& name : names_.names()) {
    const auto found = numbers.find(name);
    places_.push_back(found == numbers.end() ? -1 : found->second);
  }
}

std::optional<std::size_t> CategoryColumn::category(std::size_t row) const {
  const std::int32_t code = codes_.at(row);
  const std::int32_t place = code == not_set ? -1 : places_[static_cast<std::size_t>(code)];
  if (place < 0) return std::nullopt;
  return static_cast<std::size_t>(place);
}

std::optional<CategoryColumn::Stranger> CategoryColumn::first_stranger() const {
  for (const std::int32_t code : codes_) {
    if (code == not_set) continue;
    const auto name = static_cast<std::size_t>(code);
    if (places_[name] < 0)
      return Stranger{names_.names()[name], first_seen_[name].file, first_seen_[name].line};
  }
  return std::nullopt;
}

}  // namespace semblance::sources
