// SPDX-License-Identifier: MIT
#include "runtime/rows/row_tags.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

/// As JSON in ASCII; bytes that are not UTF-8 are replaced.
std::string packed_names(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> unpacked(const std::string& text) {
  return parse_json(text).get<std::vector<std::string>>();
}

}  // namespace

RowTags::RowTags(const Dataset& data, std::size_t first, std::size_t count) : rows_(count) {
  if (count > 0) first_ = data.number(first);
  // Most data sets have millions of consecutive rows, or thousands of rows with names.
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = data.number(first + i);
    if (numbers_.empty() && number != this->number(i))
      for (std::size_t k = 0; k < i; ++k) numbers_.push_back(first_ + static_cast<std::int64_t>(k));
    if (!numbers_.empty()) numbers_.push_back(number);
    std::string name = data.name(first + i);
    if (names_.empty() && !name.empty()) names_.resize(i);
    if (!name.empty() || !names_.empty()) names_.push_back(std::move(name));
  }
  // The same names whether they come from the data or from the store.
  if (named()) names_ = unpacked(packed_names(names_));
}

void RowTags::save(StateWriter& out) const {
  out.integer("row_count", static_cast<std::int64_t>(rows_));
  out.integer("row_first", first_);
  out.integers("row_numbers", numbers_);
  out.text("row_names", packed_names(names_));
}

RowTags RowTags::load(const StateReader& in) {
  RowTags tags;
  const std::int64_t rows = in.integer("row_count");
  if (rows < 0) throw Error("the number of rows is negative");
  tags.rows_ = static_cast<std::size_t>(rows);
  tags.first_ = in.integer("row_first");
  tags.numbers_ = in.integers("row_numbers");
  try {
    tags.names_ = unpacked(in.text("row_names"));
  } catch (const nlohmann::json::exception& problem) {
    throw Error(std::string("cannot read the row names: ") + problem.what());
  }
  const auto fits = [&](std::size_t count) { return count == 0 || count == tags.rows_; };
  if (!fits(tags.numbers_.size()) || !fits(tags.names_.size()))
    throw Error("the count of row numbers or names differs from that of rows");
  return tags;
}

}  // namespace semblance
