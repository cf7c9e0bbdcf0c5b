// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semblance_tables/column_roles.hpp"

namespace semblance {

/// Finds the roles of the columns of one file: by its own parameters, or as those of an earlier
/// file or a model.
class RoleFinder {
 public:
  RoleFinder(std::size_t fields, std::vector<std::string> names, const TableFormat& format,
             const ExpectedColumns& expected, const ColumnFailure& fail)
      : fields_(fields),
        format_(format),
        expected_(expected),
        fail_(fail),
        taken_(fields, false),
        roles_{std::move(names), {}, {}},
        columns_(roles_.names, fields, fail) {}

  ColumnRoles find();

 private:
  static constexpr std::size_t none = ColumnRoles::none;
  void take(std::size_t column) { taken_[column] = true; }

  std::optional<std::size_t> find(const std::string& wanted) const { return columns_.find(wanted); }
  std::size_t required(const std::string& wanted, const char* parameter) const {
    return columns_.required(wanted, parameter);
  }

  /// Whether the first column has names or numbers of rows, as written by pandas and R.
  bool starts_with_row_names() const {
    return roles_.names.size() > 1 && roles_.names[0].empty() && format_.id.empty();
  }

  /// The column that a parameter names, which must have no other role.
  std::size_t take_own(const std::string& name, const char* parameter);

  void take_values();

  /// The role of a column without values.
  std::string other_role(std::size_t c) const;

  /// A second file's columns have the roles of the first file's.
  void find_categorical();

  /// Among the values, of the column that a parameter names.
  std::size_t place_of_value(const std::string& name, const std::string& parameter) const;

  void take_the_rest();

  void by_position();

  /// New data may lack the label or targets and ignored or carried columns: takes the first
  /// interpretation of the parameters that leaves the model's number of columns.
  void by_position_for_model();

  /// The columns of weights and groups, which new data may lack. Weights are not read.
  std::vector<std::string> carried() const;
  void take_carried(const std::string& name, std::size_t column);

  /// For rows with the columns of both weights and groups, and possibly the label. With only one of
  /// the two it would be unclear which it is.
  bool found_with_carried();

  /// Whether rows may have the label or the targets.
  bool has_answers() const { return format_.label != "none" || !format_.targets.empty(); }

  bool attempt(bool answers, bool others, bool with_carried);

  bool attempt_answers();

  /// The columns named in the training run, if they exist.
  bool attempt_columns();

  void by_name();

  /// The column with this name; among several, the one not ignored by number.
  std::optional<std::size_t> only_column(const std::string& name) const;

  void find_label();

  /// New data for a model may lack them.
  void find_targets();

  /// A number is where the label stood in the training file; the model's columns may have moved
  /// over it since. Then it is the one column that is left, if just one is.
  std::size_t label_by_number() const;

  bool is_answer(std::size_t c) const {
    return c == roles_.label || std::ranges::count(roles_.targets, c) > 0;
  }

  /// Whether 'ignore' or 'id' mean this column.
  bool left_out(std::size_t c) const;

  void leave_out();

  std::string or_excluded() const {
    return format_.remedies ? ", or exclude it with its number in 'ignore'" : "";
  }
  /// A name that two columns have, or none, is no name.
  void check_names() const;

  std::size_t fields_;
  const TableFormat& format_;
  const ExpectedColumns& expected_;
  const ColumnFailure& fail_;
  std::vector<bool> taken_;
  ColumnRoles roles_;
  ColumnLookup columns_;
};

}  // namespace semblance
