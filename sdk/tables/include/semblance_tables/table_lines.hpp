// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "semblance/row_lines.hpp"
#include "semblance_tables/field_splitter.hpp"
#include "semblance_tables/model_row.hpp"

namespace semblance {

/// The lines of a table for a model, one row each.
class TableRowLines : public RowLines {
 public:
  bool is_preamble(std::string_view line) override { return splitter_.take_preamble(line); }
  bool is_open(std::string_view lines) override {
    return splitter_.split(lines, fields_) == FieldSplit::open_quote;
  }

 protected:
  explicit TableRowLines(TableFormat format)
      : format_(std::move(format)), splitter_(format_, "write numbers with points") {}
  TableRowLines(const TableRowLines&) = delete;
  TableRowLines& operator=(const TableRowLines&) = delete;

  /// Sets the fields; throws Error if quotes are wrong.
  void split(std::string_view line);

  TableFormat format_;
  std::vector<std::string_view> fields_;
  FieldSplitter splitter_;
};

/// Reads rows for a model from lines, in the same way as the file of a text table.
class TableLines final : public TableRowLines {
 public:
  /// `model` must outlive this object.
  TableLines(TableFormat format, const NewData& model, ModelRowRules rules = {});

  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  void find(std::vector<std::string> names);
  bool lacks_row_names(std::string_view line);

  const NewData& model_;
  ModelRow row_;
  NumberForm numbers_;
  bool any_row_ = false;
};

}  // namespace semblance
