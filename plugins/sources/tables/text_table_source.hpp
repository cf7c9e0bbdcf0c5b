// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "rows/table_source.hpp"
#include "semblance/row_lines.hpp"
#include "tables/text_table.hpp"

namespace semblance::sources {

/// The common base of sources of text tables with columns of numbers and categories.
class TextTableSource : public TableSource {
 public:
  void check_parameters() const override;
  bool keeps_missing() const override { return missing_ == "keep"; }
  bool reads_slowly() const override { return true; }
  bool accepts_unknown_categories() const override { return unknown_ == "none"; }
  std::unique_ptr<RowLines> lines(const NewData&) const override { return nullptr; }

 protected:
  /// Without 'label' the last column is the class.
  TextTableSource() : TableSource(Answers::columns, "-1") {}

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static void declare_columns(Declaration<T>& declaration) {
    declaration
        .parameter("ignore", &TextTableSource::ignore_, "columns to ignore, by name or number")
        .parameter(
            "columns", &TextTableSource::columns_,
            "the columns with values, by name or number and in this order; all others but "
            "the label and the id are ignored; empty: all. In source/csv [auto]: all that say "
            "something, as numbers or as categories; those that count or identify the rows, have "
            "one "
            "value, the same as another column, or a text of their own in nearly each row "
            "are left out, and a message says so")
        .parameter("unknown", &TextTableSource::unknown_,
                   "what to do with a category that no training row has: refuse it, or none: all "
                   "values of its column are 0",
                   choices({"refuse", "none"}))
        .parameter("missing", &TextTableSource::missing_,
                   "what to do with missing values: refuse them, or keep them for "
                   "normalizer/impute");
    declare_rows(declaration,
                 {.label_column = "a column, by name or number, counted from 1 or, if negative, "
                                  "from the end",
                  .target_column = "the column, by name or number,",
                  .facts = "the column, by name or number, which is no value"});
  }

  /// Whether `columns: [auto]` decides by what columns hold.
  virtual bool understands_columns() const { return false; }

  /// Whether missing values are retained, and the columns of values, as given by the parameters.
  void fill(FileFormat& format) const;

  /// Opens the data set of path and, if given, test_path: Reader(file, format, table).read(context)
  /// appends a file's rows to a table.
  template <class Reader>
  std::unique_ptr<Dataset> open_table(const FileFormat& format, Context& context) const {
    return open_with([&](const std::string& file,
                         TextTable& table) { Reader(file, format, table).read(context); },
                     format, context);
  }

  std::vector<std::string> ignore_;
  std::vector<std::string> columns_;
  std::string unknown_ = "refuse";
  std::string missing_ = "refuse";

 private:
  using Read = std::function<void(const std::string& file, TextTable& table)>;
  std::unique_ptr<Dataset> open_with(const Read& read, const FileFormat& format,
                                     Context& context) const;
  void expect_model(TextTable& table) const;
  std::unique_ptr<Dataset> finish_table(TextTable table, std::size_t first, bool found_categorical,
                                        Context& context) const;
};

}  // namespace semblance::sources
