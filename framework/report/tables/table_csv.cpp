// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>

#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "support/csv_field.hpp"

namespace semblance {
namespace {

/// The shortest text that reads back as the same number.
std::string number(double value) {
  if (!std::isfinite(value)) return "";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

void add(std::string& line, const std::string& field, bool first) {
  line += (first ? "" : ",") + field;
}

}  // namespace

std::string table_csv(const ResultTable& table, const Comparison& comparison) {
  const TableLayout layout = table_layout(table, comparison);
  std::string heading;
  std::vector<std::string> lines(table.methods.size());
  for (const TableColumn& column : layout.columns) {
    if (column.key.empty()) continue;
    const bool first = heading.empty();
    add(heading, spreadsheet_field(column.key), first);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const TableCell& cell = column.cells[i];
      add(lines[i], column.holds == Holds::text ? spreadsheet_field(cell.text) : number(cell.value),
          first);
    }
  }
  std::string text = heading + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace semblance
