// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_tables/column_roles.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {

/// A column, "3 (age)", that is not read, and why, "it counts the rows"; or what it is read as.
struct LeftOut {
  std::string column, why;
  bool read = false;
};

/// Says so, in a line for all but three where many are alike; without names all columns are read,
/// and it says which could be left out.
void report_left_out(const std::string& file, const ColumnRoles& roles,
                     const std::vector<LeftOut>& left_out, Context& context);

/// What a file's columns hold, as far as their values say, for `columns: [auto]`.
class ColumnSurvey {
 public:
  explicit ColumnSurvey(const TableFormat& format)
      : format_(format), numbers_(format.decimal_comma), other_form_(!format.decimal_comma) {}

  /// The next row. The first one may name the columns: it is set aside.
  void add(const std::vector<std::string_view>& fields);

  /// Decides for each column that no parameter names: drops it from the roles, or says that it
  /// holds categories. Without names the columns that remain are known by their number only, so
  /// that none is dropped. Fails with a remedy where a column holds numbers and many texts, or
  /// numbers with the other decimal mark.
  std::vector<LeftOut> understand(ColumnRoles& roles, const ColumnFailure& fail) const;

  /// Finds how the dates of columns that a parameter names are written. Fails where they are none.
  void find_date_forms(ColumnRoles& roles, const ColumnFailure& fail) const;

 private:
  /// What to do with a column: read its numbers, its categories, or neither, and why.
  struct Advice {
    bool categories = false;
    std::string left_out;  ///< "it counts the rows"; empty: it is read
    std::optional<DateForm> date = {};
  };

  /// The advice for column c of a file with these roles. `earlier` are the columns of values before
  /// it that are read.
  Advice advice(std::size_t c, const ColumnRoles& roles, const std::vector<std::size_t>& earlier,
                const ColumnFailure& fail) const;

  /// The values of one column, in any spelling.
  struct Column {
    std::size_t rows = 0, missing = 0, numbers = 0, texts = 0, dates = 0;
    std::map<std::string, std::int32_t, std::less<>> values;  ///< different ones, numbered
    bool many = false;                                        ///< more than are kept in `values`
    std::vector<std::int32_t> codes;  ///< one per row, an index into the values; -1: missing
    bool counts = true;               ///< integers, each one more than the last
    bool whole = true;                ///< all numbers are integers
    double first = 0, last = 0;
    /// Dates, in each form of days with slashes, and those that differ between the two.
    std::size_t day_first = 0, month_first = 0, ambiguous = 0;
    std::string text;               ///< the first value that is neither a number nor missing
    std::size_t in_other_form = 0;  ///< texts that are numbers with the other decimal mark
    std::string other_form;         ///< the first of them
  };
  void look(std::string_view field, Column& column);
  static std::optional<DateForm> form_of(const Column& column);
  static bool same(const Column& one, const Column& other);

  const TableFormat& format_;
  NumberForm numbers_, other_form_;
  std::size_t rows_ = 0;
  std::vector<Column> columns_;
};

/// Counts rows that are equal to an earlier one in these columns.
class CopiedRows {
 public:
  void look(const std::vector<std::string_view>& fields, const std::vector<std::size_t>& columns);
  /// A warning, if one row in twenty is a copy: in many tables a few are equal by chance.
  void tell(const std::string& file, Context& context) const;

 private:
  std::unordered_set<std::size_t> hashes_;
  std::size_t rows_ = 0;
};

/// Reads a file once for it.
ColumnSurvey survey_columns(const std::string& file, const TableFormat& format, Context& context);

}  // namespace semblance::sources
