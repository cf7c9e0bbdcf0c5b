// SPDX-License-Identifier: MIT
#include "report/tables/table_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "report/tables/slot_effects.hpp"
#include "report/tables/table_layout.hpp"
#include "semblance/error.hpp"
#include "support/csv_field.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {

namespace {

using Lines = std::vector<std::vector<std::string>>;
using Replacement = std::pair<std::string_view, std::string_view>;

/// Characters that TeX would not read as plain text; "--" would be joined to a dash.
constexpr std::array<Replacement, 20> replacements = {{{"\\", "\\textbackslash{}"},
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
                                                       {" to -", " to $-$"},
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

/// The shortest text that reads back as the same number.
std::string number(double value) {
  if (!std::isfinite(value)) return "";
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

void add(std::string& line, const std::string& field, bool first) {
  line += (first ? "" : ",") + field;
}

/// Characters of UTF-8 text; each is taken to be one column wide.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The byte at which character number `index` begins.
std::size_t place(std::string_view text, std::size_t index) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80 && seen++ == index) return i;
  return text.size();
}

/// At most `width` characters of the text: the first `front`, and as many of the last as fit.
std::string without_middle(const std::string& text, std::size_t width, std::size_t front) {
  const std::size_t length = characters(text);
  if (length <= width) return text;
  const std::size_t back = width - 1 - front;
  return text.substr(0, place(text, front)) + "…" + text.substr(place(text, length - back));
}

/// At most `width` characters of the text, without the first `skipped` and the last ones.
std::string middle_of(const std::string& text, std::size_t width, std::size_t skipped) {
  if (characters(text) <= width) return text;
  const std::string rest = text.substr(place(text, skipped));
  if (characters(rest) < width) return "…" + rest;
  return "…" + rest.substr(0, place(rest, width - 2)) + "…";
}

std::size_t different(const std::vector<std::string>& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size();
}

template <class Cut>
std::vector<std::string> each_cut(const std::vector<std::string>& texts, const Cut& cut) {
  std::vector<std::string> cuts;
  for (const std::string& text : texts) cuts.push_back(cut(text));
  return cuts;
}

/// Texts of at most `width` characters each. They are cut in their middle, or, where that would
/// make different texts alike, nearer to an end, or at both ends around what differs.
std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t width) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, characters(text));
  if (longest <= width) return texts;
  const std::size_t all = different(texts), half = (width - 1) / 2;
  std::vector<std::string> best;
  std::size_t best_count = 0;
  for (std::size_t away = 0; half + away < width; ++away)
    for (const std::size_t front : {half - std::min(away, half), half + away}) {
      auto cuts = each_cut(
          texts, [&](const std::string& text) { return without_middle(text, width, front); });
      const std::size_t count = different(cuts);
      if (count > best_count) best = std::move(cuts);
      if (count == all) return best;
      best_count = std::max(best_count, count);
    }
  const auto around = [&](std::size_t skipped) {
    return each_cut(texts,
                    [&](const std::string& text) { return middle_of(text, width, skipped); });
  };
  std::size_t first = 0, last = 0;
  for (std::size_t skipped = 1; skipped + width <= longest + 1; ++skipped) {
    const bool apart = different(around(skipped)) == all;
    if (!apart && first > 0) break;
    if (!apart) continue;
    if (first == 0) first = skipped;
    last = skipped;
  }
  return first == 0 ? best : around((first + last) / 2);
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20)
      out += ' ';
    else if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += (std::string_view("\\`*_[]|~#>$").find(c) != std::string_view::npos ? "\\" : "") +
             std::string(1, c);
  }
  return out;
}

/// Narrows the columns of names, the widest first, until the lines fit.
std::vector<std::size_t> fitting_widths(const std::vector<TableColumn>& columns, const Lines& lines,
                                        std::size_t width) {
  constexpr std::size_t least = 12, gap = 2;
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], characters(line[i]));
  std::size_t total = gap * (widths.empty() ? 0 : widths.size() - 1);
  for (const std::size_t w : widths) total += w;
  for (; total > width; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (columns[i].holds == Holds::text && widths[i] > least && (!widest || widths[i] > *widest))
        widest = &widths[i];
    if (!widest) break;
    --*widest;
  }
  return widths;
}

std::size_t rows_of(const TableLayout& layout) {
  return layout.columns.empty() ? 0 : layout.columns.front().cells.size();
}

std::string markdown_of(const TableLayout& layout) {
  std::string text = "|", rule = "|";
  for (const TableColumn& column : layout.columns) {
    text += " " + markdown(column.heading) + " |";
    rule += column.holds == Holds::text ? " :--- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (std::size_t i = 0; i < rows_of(layout); ++i) {
    text += "|";
    for (const TableColumn& column : layout.columns) {
      const TableCell& cell = column.cells[i];
      const std::string bold = cell.best ? "**" : "";
      text += " " + bold + markdown(cell.text) + bold + " |";
    }
    text += "\n";
  }
  for (const std::string& note : layout.notes) text += "\n" + markdown(note) + "\n";
  return text;
}

std::string plain_of(const TableLayout& layout, std::size_t width) {
  const auto& columns = layout.columns;
  Lines lines(1 + rows_of(layout));
  bool marks = false;
  for (const TableColumn& column : columns) {
    lines[0].push_back(on_one_line(column.heading));
    // Unmarked figures leave room for the mark, so that all figures align.
    const bool marked = std::ranges::any_of(column.cells, &TableCell::best);
    marks |= marked;
    if (marked) lines[0].back() += "  ";
    for (std::size_t i = 0; i < column.cells.size(); ++i)
      lines[i + 1].push_back(on_one_line(column.cells[i].text) + (column.cells[i].best ? " *"
                                                                  : marked             ? "  "
                                                                                       : ""));
  }
  const auto widths = fitting_widths(columns, lines, width);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].holds != Holds::text) continue;
    std::vector<std::string> cells;
    for (const auto& line : lines) cells.push_back(line[i]);
    cells = shortened(cells, widths[i]);
    for (std::size_t n = 0; n < lines.size(); ++n) lines[n][i] = std::move(cells[n]);
  }
  std::string text;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::string line;
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string& cell = lines[n][i];
      const std::string space(widths[i] - characters(cell), ' ');
      if (i > 0) line += "  ";
      line += columns[i].holds == Holds::text ? cell + space : space + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (n > 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i)
      text += (i > 0 ? "  " : "") + std::string(widths[i], '-');
    text += "\n";
  }
  if (marks) text += "* best\n";
  for (const std::string& note : layout.notes) text += on_one_line(note) + "\n";
  return text;
}

std::string csv_of(const TableLayout& layout) {
  std::string heading;
  std::vector<std::string> lines(rows_of(layout));
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

}  // namespace

std::string table_csv(const ResultTable& table, const Comparison& comparison) {
  return csv_of(table_layout(table, comparison));
}

std::string table_markdown(const ResultTable& table, const Comparison& comparison,
                           const std::vector<std::string>& columns) {
  std::string text = markdown_of(shown_layout(table_layout(table, comparison), columns));
  if (!comparison.effects.empty())
    text += "\n" + markdown_of(shown_layout(effects_layout(comparison.effects)));
  return text;
}

std::string table_plain(const ResultTable& table, const Comparison& comparison, std::size_t width,
                        const std::vector<std::string>& columns) {
  std::string text = plain_of(shown_layout(table_layout(table, comparison), columns), width);
  if (!comparison.effects.empty())
    text += "\n" + plain_of(shown_layout(effects_layout(comparison.effects)), width);
  return text;
}

std::string table_latex(const ResultTable& table, const Comparison& comparison,
                        const std::vector<std::string>& columns) {
  const TableLayout layout = shown_layout(table_layout(table, comparison), columns);
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
  for (std::size_t i = 0; i < rows_of(layout); ++i)
    add_row([&](const TableColumn& column) { return column.cells[i]; });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::vector<std::filesystem::path> write_tables(const ResultTable& table,
                                                const Comparison& comparison,
                                                const std::filesystem::path& folder,
                                                const std::vector<std::string>& columns) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the folder '" + folder.string() + "': " + failure.message());
  std::vector files = {folder / "table.csv", folder / "table.md", folder / "table.tex"};
  write_file_atomically(files[0], table_csv(table, comparison));
  write_file_atomically(files[1], table_markdown(table, comparison, columns));
  write_file_atomically(files[2], table_latex(table, comparison, columns));
  if (!comparison.effects.empty()) {
    files.push_back(folder / "effects.csv");
    write_file_atomically(files.back(), csv_of(effects_layout(comparison.effects)));
  }
  return files;
}

}  // namespace semblance
