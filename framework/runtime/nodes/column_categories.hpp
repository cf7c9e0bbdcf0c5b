// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/store/folder.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// The categories of samples by what they have in a column of their source: by the value of a
/// number, or by the category of a column that the source has made one column per category of
/// ("city=Oslo").
class ColumnCategories {
 public:
  /// Throws Error if no column of the source has this name.
  void bind(const std::string& column, const Outline& source);
  bool none() const noexcept { return columns_.empty(); }

  /// Learns which values there are from the first `rows` rows; returns the category of each. Throws
  /// Error if there are too many values.
  std::vector<std::int32_t> learn(const Dataset& data, std::size_t rows);
  /// One per category: "city=Oslo".
  std::vector<std::string> names() const;

  /// The category of a row of the source; -1: one that learn() has not seen.
  std::int32_t of(std::span<const float> row) const;

  void save(const Folder& folder) const;
  void load(const Folder& folder);

 private:
  double value(std::span<const float> row) const;

  std::string column_;
  std::vector<std::size_t> columns_;     ///< their places: one of a number, else one per category
  std::vector<std::string> categories_;  ///< the names of these columns
  std::vector<double> values_;           ///< one per category, ascending
};

}  // namespace semblance
