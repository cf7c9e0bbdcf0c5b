// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/source.hpp"
#include "text/category_columns.hpp"
#include "text/column_roles.hpp"
#include "text/csv_records.hpp"

namespace semblance::sources {

/// Reads rows for a model from lines, in the same way as the file of a text table. Without a header
/// a categorical column may be given in the model's form, one value per category.
class TableLines final : public TableRowLines {
 public:
  /// `model` must outlive this object. `accepts_unknown`: an unknown category makes all values of
  /// its column 0.
  TableLines(TableFormat format, bool accepts_unknown, const NewData& model);

  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  /// A column with values: its position in a line, and its categories.
  struct Slot {
    std::size_t column;
    std::map<std::string, std::size_t, std::less<>> categories;  ///< none: its values are numbers
    std::optional<DateForm> date = {};                           ///< it holds dates
    bool of_category = false;  ///< its numbers are indicators of a category
  };

  ModelColumns columns_of_model(std::span<const std::string_view> fields) const;
  void begin(std::vector<std::string> names);
  void begin_by_values(const ModelColumns& columns);
  void add_slots(const ColumnRoles& roles, const ModelColumns& columns);
  bool lacks_row_names(std::string_view line);
  void check_fields() const;
  float number(const Slot& slot, std::size_t place);
  void set_date(const Slot& slot, std::span<float> values) const;
  void set_category(const Slot& slot, std::span<float> values) const;
  std::string describe(const Slot& slot, std::size_t place) const;

  bool accepts_unknown_;
  const NewData& model_;
  NumberForm numbers_;
  std::vector<std::string> names_;  ///< of all columns, by the header; empty: no header
  std::size_t fields_in_line_ = 0;  ///< 0: not known
  bool any_row_ = false;
  std::vector<Slot> slots_;
};

}  // namespace semblance::sources
