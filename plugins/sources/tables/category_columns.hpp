// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rows/class_names.hpp"
#include "semblance_tables/model_columns.hpp"

namespace semblance::sources {

/// A categorical column: the category of each row. The runtime's rows have one value per category
/// instead, 1 for the row's category and 0 otherwise.
class CategoryColumn {
 public:
  /// The name of the category of missing values.
  static constexpr const char* missing = missing_category;

  /// Sets the categories in this order; otherwise they are those of the training samples.
  void fix(std::vector<std::string> categories) { fixed_ = std::move(categories); }
  bool fixed() const noexcept { return fixed_.has_value(); }
  /// The same for categories declared by a file; missing values may be added to them.
  void declare(std::vector<std::string> categories) {
    fix(std::move(categories));
    declared_ = true;
  }

  /// Adds the next row's category, in any spelling; `file` and `line` are its position.
  void add(std::string_view text, const std::string& file, std::size_t line);
  /// Adds the next row, which is omitted.
  void add_unknown() { codes_.push_back(not_set); }

  /// Whether a row so far has it, in any spelling, or it is among fixed categories.
  bool knows(std::string_view text) const;
  std::size_t rows() const noexcept { return codes_.size(); }
  /// Different ones, in all rows.
  std::size_t different() const noexcept { return names_.names().size(); }
  double bytes() const noexcept;

  /// Fixes the categories, once the training samples are known, in their natural order (by value if
  /// all are integers, else alphabetical).
  void learn(const std::vector<std::size_t>& training_rows);
  const std::vector<std::string>& categories() const { return *fixed_; }

  /// The number of a row's category; nothing if it is not among the categories.
  std::optional<std::size_t> category(std::size_t row) const;

  /// An unknown category, and the first row with it.
  struct Stranger {
    std::string name, file;
    std::size_t line;
  };
  std::optional<Stranger> first_stranger() const;

 private:
  static constexpr std::int32_t not_set = -1;
  struct Sight {
    std::string file;
    std::size_t line;
  };
  void number_categories();

  ClassNames names_;
  std::vector<Sight> first_seen_;     ///< one a name
  std::vector<std::int32_t> codes_;   ///< one per row, an index into the names
  std::vector<std::int32_t> places_;  ///< one a name: its number among the categories, or -1
  std::optional<std::vector<std::string>> fixed_;
  bool declared_ = false;
};

}  // namespace semblance::sources
