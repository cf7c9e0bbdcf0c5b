// SPDX-License-Identifier: MIT
#include "semblance_numerics/indexed_rows.hpp"

#include <limits>
#include <string>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::numerics {

IndexedRows::IndexedRows(MatrixView rows) {
  if (!rows.sparse()) throw Error("internal error: rows that are not sparse cannot be indexed");
  if (rows.rows > std::numeric_limits<std::uint32_t>::max())
    throw Error(std::to_string(rows.rows) + " sparse rows are too many to be indexed");
  rows_ = FloatMatrix(rows);
  columns_ = OccurringColumns::of(std::as_const(rows_).view());
  if (!columns_.are_all()) {
    places_.reserve(std::max<std::size_t>(rows_.columns.size(), 1));
    for (const std::uint32_t column : rows_.columns)
      places_.push_back(static_cast<std::uint32_t>(columns_.place(column)));
  }
  const std::vector<std::uint32_t>& places = columns_.are_all() ? rows_.columns : places_;
  starts_.resize(columns_.size() + 1);
  numbers_.resize(rows_.values.size());
  values_.resize(rows_.values.size());
  for (const std::uint32_t place : places) ++starts_[place + 1];
  for (std::size_t c = 0; c < columns_.size(); ++c) starts_[c + 1] += starts_[c];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t r = 0; r < rows_.rows; ++r)
    for (std::size_t k = rows_.offsets[r]; k < rows_.offsets[r + 1]; ++k) {
      const std::size_t at = next[places[k]]++;
      numbers_[at] = static_cast<std::uint32_t>(r);
      values_[at] = rows_.values[k];
    }
}

}  // namespace semblance::numerics
