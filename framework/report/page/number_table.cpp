// SPDX-License-Identifier: MIT
#include "report/page/number_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "registry/figures.hpp"
#include "report/page/html.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

constexpr std::size_t most_values = 100000;
constexpr std::size_t most_open_rows = 40;

enum class Format { share, whole, number };

Format column_format(const Table& table, std::size_t column, std::span<const FigureInfo> figures) {
  bool share = unit_of_column(figures, table.name, table.columns[column]) == FigureUnit::share;
  bool whole = true;
  for (std::size_t i = column; i < table.values.size(); i += table.columns.size()) {
    const double value = table.values[i];
    if (!std::isfinite(value)) continue;
    share &= value >= 0 && value <= 1;
    whole &= value == std::trunc(value);
  }
  return share ? Format::share : whole ? Format::whole : Format::number;
}

std::string cell(double value, Format format) {
  // An undefined value (the precision of a class never predicted) sorts after all others.
  if (std::isnan(value)) return R"(<td data-v="">–</td>)";
  if (!std::isfinite(value))
    return fmt::format(R"(<td data-v="{}1e308">{}∞</td>)", value < 0 ? "-" : "",
                       value < 0 ? "−" : "");
  if (format == Format::share)
    return fmt::format(
        R"(<td class="share" data-v="{}"><span class="bar"><i style="width:{:.1f}%"></i></span>)"
        "{}%</td>",
        value, 100 * value, percent(value, 1));
  return fmt::format(R"(<td data-v="{}">{}</td>)", value,
                     quantity_text(value, format == Format::number ? 5 : 6));
}

}  // namespace

std::string number_table_html(const Table& table, std::span<const FigureInfo> figures) {
  if (table.values.empty()) return R"(<p class="note">It is empty.</p>)";
  std::vector<Format> formats;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    formats.push_back(column_format(table, column, figures));

  const bool folded = table.rows.size() > most_open_rows;
  std::string out;
  if (folded)
    out += fmt::format("<details><summary>{} rows</summary>",
                       count_text(static_cast<std::int64_t>(table.rows.size())));
  out += fmt::format(
      R"(<div class="scroll"><table class="numbers sortable"><thead><tr><th scope="col">{}</th>)",
      html::escaped(words(table.row_label)));
  for (const std::string& column : table.columns)
    out += fmt::format(R"(<th scope="col">{}</th>)", html::escaped(words(column)));
  out += "</tr></thead><tbody>";
  const std::size_t columns = table.columns.size();
  const std::size_t shown = std::min(table.rows.size(), most_values / columns);
  for (std::size_t row = 0; row < shown; ++row) {
    out += fmt::format(R"(<tr><th scope="row">{}</th>)", html::escaped(table.rows[row]));
    for (std::size_t column = 0; column < columns; ++column)
      out += cell(table.values[row * columns + column], formats[column]);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>";
  if (shown < table.rows.size())
    out +=
        fmt::format(R"(<p class="note">The first {} of {} rows; metrics.json has all of them.</p>)",
                    count_text(static_cast<std::int64_t>(shown)),
                    count_text(static_cast<std::int64_t>(table.rows.size())));
  return folded ? out + "</details>" : out;
}

}  // namespace semblance
