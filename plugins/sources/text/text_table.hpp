// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "class_names.hpp"
#include "column_precision.hpp"
#include "memory_dataset.hpp"
#include "semblance/context.hpp"
#include "text/category_columns.hpp"
#include "text/column_roles.hpp"

namespace semblance::sources {

/// The rows of one or several text files: numbers row by row, and columns of categories.
struct TextTable {
  /// The required columns of the next file; updated by each file.
  ExpectedColumns expected;
  std::size_t cols = 0;  ///< columns of numbers
  /// For the first file: its columns with values, in the order of the values.
  std::vector<std::string> columns;         ///< their names; empty: it has no header
  std::vector<std::size_t> places;          ///< their lines
  std::vector<bool> is_categorical;         ///< whether they hold categories
  WantedRows wanted;                        ///< of the rows, counted over all files
  std::vector<float> values;                ///< numbers of the rows that are wanted; NaN: missing
  std::vector<CategoryColumn> categorical;  ///< of all rows
  /// The stored rows among those so far, unless all are wanted.
  std::vector<std::size_t> kept;
  std::vector<std::int32_t> labels;  ///< as ClassNames numbers them; all -1 without a label column
  std::vector<std::string> ids;      ///< one per row, or none at all
  std::vector<double> weights;       ///< one per row if a column has them, else empty
  std::vector<std::int32_t> groups;  ///< the same, numbered by GroupNumbers; -1: unknown
  ClassNames classes;
  GroupNumbers group_numbers;
  ColumnPrecision precision;  ///< of the values of all files

  std::size_t rows() const noexcept { return labels.size(); }
  HeldRows held() const;
  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return double(values.size()) * sizeof(float) + double(kept.size()) * sizeof(std::size_t) +
           double(rows()) * sizeof(std::int32_t) + double(classes.bytes()) +
           double(ids.size() * sizeof(std::string)) + id_bytes + category_bytes() +
           double(weights.size() * sizeof(double)) + double(groups.size() * sizeof(std::int32_t));
  }
  double category_bytes() const noexcept {
    double sum = 0;
    for (const CategoryColumn& column : categorical) sum += column.bytes();
    return sum;
  }
  double id_bytes = 0;  ///< of the characters of ids
};

/// Converts a model's expectations from names of values, one per category, to columns of a file
/// whose first line, or header, has these fields.
void decode_model_columns(TextTable& table, std::span<const std::string_view> fields);

/// Appends a file's rows. Throws DataError naming line, column and problem.
void read_text_table(const std::string& file, const TableFormat& format, TextTable& table,
                     Context& context);

}  // namespace semblance::sources
