// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>
#include <optional>

#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "report/tables/test_notes.hpp"
#include "support/csv_field.hpp"

namespace semblance {
namespace {

/// The fewest digits that give the same number back.
std::string number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, *value).ptr};
}

void add(std::string& line, const std::string& field) { line += "," + spreadsheet_field(field); }

std::string heading(const ResultTable& table) {
  std::string line = "method";
  if (has_slot_columns(table))
    for (const auto& slot : table.slots) add(line, slot);
  for (const auto& block : table.blocks)
    add(line, block.empty() ? table.metric : table.metric + " " + block);
  return line +
         ",mean,deviation,standard_error,average_rank,difference,t_p,t_p_holm,wilcoxon_p,"
         "wilcoxon_p_holm,mcnemar_p,mcnemar_p_holm,remark,baseline,best,error\n";
}

}  // namespace

std::string table_csv(const ResultTable& table, const Comparison& comparison) {
  std::string text = heading(table);
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
    const Method& method = table.methods[i];
    const Standing& s = comparison.standings[i];
    std::string line = spreadsheet_field(method.name);
    if (has_slot_columns(table))
      for (const auto& choice : method.choices) add(line, choice);
    for (const Measurement& measurement : method.measurements) add(line, number(measurement.value));
    for (const auto& value :
         {std::optional(s.mean), std::optional(s.deviation), std::optional(s.standard_error),
          s.average_rank, s.difference, s.t.p, s.t.p_holm, s.wilcoxon.p, s.wilcoxon.p_holm,
          s.mcnemar.p, s.mcnemar.p_holm})
      add(line, number(value));
    add(line, test_remarks(s));
    add(line, table.baseline == i ? "1" : "0");
    add(line, s.best ? "1" : "0");
    add(line, errors_of(table, method));
    text += line + "\n";
  }
  return text;
}

}  // namespace semblance
