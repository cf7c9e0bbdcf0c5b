// SPDX-License-Identifier: MIT
#include "report/tables/table_text.hpp"

#include <algorithm>
#include <string_view>

#include "report/tables/table_layout.hpp"

namespace semblance {
namespace {

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

std::string shortened_cell(const std::string& text, std::size_t width) {
  const std::size_t length = characters(text);
  if (length <= width) return text;
  const std::size_t front = (width - 1) / 2, back = width - 1 - front;
  return text.substr(0, place(text, front)) + "…" + text.substr(place(text, length - back));
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

using Lines = std::vector<std::vector<std::string>>;

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

}  // namespace

std::string table_markdown(const ResultTable& table, const Comparison& comparison) {
  const TableLayout layout = shown_layout(table, comparison);
  std::string text = "|", rule = "|";
  for (const TableColumn& column : layout.columns) {
    text += " " + markdown(column.heading) + " |";
    rule += column.holds == Holds::text ? " :--- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
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

std::string table_plain(const ResultTable& table, const Comparison& comparison, std::size_t width) {
  const TableLayout layout = shown_layout(table, comparison);
  const auto& columns = layout.columns;
  Lines lines(1 + table.methods.size());
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
  std::string text;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::string line;
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string cell = shortened_cell(lines[n][i], widths[i]);
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

}  // namespace semblance
