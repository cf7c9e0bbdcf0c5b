// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "class_names.hpp"

namespace semblance {

/// A column whose values are categories: which row has which. The runtime's rows have one value per
/// category instead, 1 in a row that has it and else 0.
class CategoryColumn {
 public:
  /// A missing value is a category of its own with this name.
  static constexpr const char* missing = "";

  /// The categories are known, in this order; else they are those of the training rows.
  void fix(std::vector<std::string> categories) { fixed_ = std::move(categories); }
  bool fixed() const noexcept { return fixed_.has_value(); }
  /// The same of what a file declares, to which missing values may come.
  void declare(std::vector<std::string> categories) {
    fix(std::move(categories));
    declared_ = true;
  }

  /// Of the next row, in any spelling; `file` and `line` are where it stands.
  void add(std::string_view text, const std::string& file, std::size_t line);
  /// Of the next row, which is not known yet; set() tells, unless the row is left out.
  void add_unknown() { codes_.push_back(not_set); }
  void set(std::size_t row, std::string_view text, const std::string& file, std::size_t line);
  void forget(std::size_t row) { codes_.erase(codes_.begin() + std::ptrdiff_t(row)); }

  /// Whether a row so far has it, in whichever spelling, or it is among fixed categories.
  bool knows(std::string_view text) const;
  std::size_t rows() const noexcept { return codes_.size(); }
  /// Different ones, in all rows.
  std::size_t different() const noexcept { return names_.names().size(); }
  double bytes() const noexcept;

  /// Which rows are for training is known now: fixes the categories, in their natural order (by
  /// value where all are whole numbers, else alphabetical).
  void learn(const std::vector<std::size_t>& training_rows);
  const std::vector<std::string>& categories() const { return *fixed_; }

  /// The number of a row's category; nothing where it has one that is not among the categories.
  std::optional<std::size_t> category(std::size_t row) const;

  /// A category that is not known, and the first row that has it.
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
  std::int32_t code_of(std::string_view text, const std::string& file, std::size_t line);
  void number_categories();

  ClassNames names_;
  std::vector<Sight> first_seen_;     ///< one a name
  std::vector<std::int32_t> codes_;   ///< one a row, an index into the names
  std::vector<std::int32_t> places_;  ///< one a name: its number among the categories, or -1
  std::optional<std::vector<std::string>> fixed_;
  bool declared_ = false;
};

}  // namespace semblance
