// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "class_names.hpp"
#include "semblance/context.hpp"

namespace semblance {

/// How a text table is to be read.
struct TableFormat {
  std::string separator = "auto";   ///< auto, comma, semicolon, tab, blank
  std::string header = "auto";      ///< auto, present, absent
  std::string label = "-1";         ///< name or number of a column, or none
  std::vector<std::string> ignore;  ///< names or numbers of columns
};

/// The rows of one or several text files, numbers row by row.
struct TextTable {
  std::size_t cols = 0;
  std::vector<float> values;
  std::vector<std::int32_t> labels;  ///< as ClassNames numbers them; all -1 without a label column
  ClassNames classes;

  std::size_t rows() const noexcept { return labels.size(); }
  /// Of memory, about.
  double bytes() const noexcept {
    return double(values.size()) * sizeof(float) + double(rows()) * sizeof(std::int32_t) +
           double(classes.bytes());
  }
};

/// Appends a file's rows. Throws DataError naming the line and column of what is wrong.
void read_text_table(const std::string& file, const TableFormat& format, TextTable& table,
                     Context& context);

/// The fields of one line, unquoted; `separator` 0 stands for runs of blanks and tabs. Returns
/// false when a quote is not closed. Fields are views of `line`, or of `owned` where a quoted
/// field held doubled quotes.
bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields,
                  std::vector<std::string>& owned);

}  // namespace semblance
