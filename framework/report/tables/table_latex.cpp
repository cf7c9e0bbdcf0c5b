// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>
#include <utility>

#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"

namespace semblance {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

/// Characters that TeX would not read as plain text; "--" would be joined to a dash.
constexpr std::array<Replacement, 19> replacements = {{{"\\", "\\textbackslash{}"},
                                                       {"{", "\\{"},
                                                       {"}", "\\}"},
                                                       {"$", "\\$"},
                                                       {"&", "\\&"},
                                                       {"#", "\\#"},
                                                       {"_", "\\_"},
                                                       {"%", "\\%"},
                                                       {"~", "\\textasciitilde{}"},
                                                       {"^", "\\textasciicircum{}"},
                                                       {"<", "$<$"},
                                                       {">", "$>$"},
                                                       {"|", "\\textbar{}"},
                                                       {"\"", "''"},
                                                       {"--", "-{}-"},
                                                       {" ± ", " $\\pm$ "},
                                                       {"±", "$\\pm$"},
                                                       {"×", "$\\times$"},
                                                       {"…", "\\ldots{}"}}};

std::string latex_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string_view found = text.substr(0, 1), instead = found;
    if (static_cast<unsigned char>(text.front()) < 0x20) instead = " ";
    for (const auto& [pattern, replacement] : replacements)
      if (text.starts_with(pattern)) {
        found = pattern;
        instead = replacement;
        break;
      }
    out += instead;
    // The second hyphen may begin another pair: "---".
    text.remove_prefix(found == "--" ? 1 : found.size());
    if (found == "--") out.pop_back();
  }
  return out;
}

std::string latex_cell(const TableCell& content) {
  std::string text = latex_escaped(content.text);
  // After the end of a row these would be an option of "\\".
  if (text.starts_with('[') || text.starts_with('*')) text = "{}" + text;
  // A minus sign, not a hyphen.
  if (text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9')
    text = "$-$" + text.substr(1);
  return content.best ? "\\textbf{" + text + "}" : text;
}

std::string comment(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return "% " + text + "\n";
}

}  // namespace

std::string table_latex(const ResultTable& table, const Comparison& comparison) {
  const TableLayout layout = shown_layout(table, comparison);
  std::string text = comment("Needs \\usepackage{booktabs}.");
  for (const std::string& note : layout.notes) text += comment(note);
  text += "\\begin{tabular}{";
  for (const TableColumn& column : layout.columns) text += column.holds == Holds::text ? 'l' : 'r';
  text += "}\n\\toprule\n";
  const auto add_row = [&](const auto& cell_of) {
    for (const TableColumn& column : layout.columns)
      text += (&column == &layout.columns.front() ? "" : " & ") + latex_cell(cell_of(column));
    text += " \\\\\n";
  };
  add_row([](const TableColumn& column) { return TableCell{column.heading}; });
  text += "\\midrule\n";
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    add_row([&](const TableColumn& column) { return column.cells[i]; });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace semblance
