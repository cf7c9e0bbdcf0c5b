// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/class_names.hpp"
#include "rows/column_precision.hpp"
#include "rows/row_dataset.hpp"
#include "semblance/context.hpp"
#include "semblance_tables/column_lookup.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {

/// Collects the numbers to predict, row by row and one target after the other, and watches their
/// loss of precision as float32: solvers estimate in float32.
class TargetNumbers {
 public:
  /// Takes the problem with a target, which completes "the target ", and does not return.
  using Fail = std::function<void(const std::string&)>;

  /// Outline::targets; set before the first number, and once.
  void set_names(std::vector<std::string> names);
  const std::vector<std::string>& names() const noexcept { return all_.names; }
  bool empty() const noexcept { return all_.empty(); }

  /// Appends the number that a text gives for target `k`. A missing one is unknown or refused by
  /// the rule; rows that the rule omits are not added.
  void add(std::size_t k, std::string_view text, NumberForm& form, const LabelRule& rule,
           const Fail& fail);

  /// Appends the targets of a row of an array; NaN is a missing one. Returns false if the rule
  /// leaves the row out; its targets are unknown then.
  bool add_row(std::span<const double> row, const LabelRule& rule, const Fail& fail);

  /// Appends one unknown target, or the unknown ones of some rows.
  void add_unknown() { all_.values.push_back(unknown_target); }
  void add_unknown_rows(std::size_t rows);

  /// Removes the targets of the last row.
  void remove_last() { all_.values.resize(all_.values.size() - all_.names.size()); }

  /// Removes the rows that are not kept.
  void keep(const std::vector<bool>& kept);

  /// Throws DataError if float32 cannot distinguish the numbers of a target. `describe` names
  /// target k: "the target in column 3 (price)".
  void check(const std::string& file, const std::function<std::string(std::size_t)>& describe,
             Context& context) const {
    precision_.check(file, describe, context);
  }

  /// The collected numbers; take() moves them out.
  const RowTargets& all() const noexcept { return all_; }
  RowTargets take() { return std::move(all_); }
  double bytes() const noexcept { return double(all_.values.size()) * sizeof(double); }

 private:
  RowTargets all_;
  ColumnPrecision precision_;
};

}  // namespace semblance::sources
