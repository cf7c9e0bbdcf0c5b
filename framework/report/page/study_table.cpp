// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "report/page/study_sections.hpp"
#include "report/tables/slot_effects.hpp"
#include "report/tables/table_layout.hpp"

namespace semblance::study_sections {
namespace {

using html::escaped;

constexpr double significance = 0.05;

std::string head(std::string_view text, std::string_view attributes = "") {
  return fmt::format(R"(<th scope="col"{}>{}</th>)", attributes, escaped(text));
}

/// The sort key of a cell; empty where there is no number.
std::string sort_value(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// A folder's name as part of an address.
std::string address_part(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '~'))
      out += c;
    else
      out += fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string first_error(const Method& method) {
  for (const Measurement& measurement : method.measurements)
    if (!measurement.error.empty()) return measurement.error;
  return "";
}

std::string marks(const StudyMethods& methods, std::size_t i) {
  std::string out;
  if (methods.standing(i).best) out += R"( <span class="pill">best</span>)";
  if (methods.is_baseline(i)) out += R"( <span class="pill quiet">baseline</span>)";
  if (methods.standing(i).measured == 0)
    out += fmt::format(R"( <span class="pill bad" title="{}">failed</span>)",
                       escaped(first_error(methods.method(i))));
  return out;
}

/// Replaces the hyphens of a number or an interval by minus signs.
std::string shown_text(const std::string& text) {
  const bool negative = text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
  std::string out = negative ? "−" + text.substr(1) : text;
  if (const std::size_t to = out.find(" to -"); to != std::string::npos)
    out.replace(to, 5, " to −");
  return escaped(out);
}

std::string metric_cell(const TableCell& cell) {
  const std::size_t end = cell.text.find(" ± ");
  std::string text = shown_text(cell.text.substr(0, end));
  if (end != std::string::npos)
    text += fmt::format(R"( <span class="spread">{}</span>)", escaped(cell.text.substr(end + 1)));
  return fmt::format(R"(<td class="mean{}" data-v="{}">{}</td>)", cell.best ? " best" : "",
                     sort_value(cell.value), text);
}

std::string p_cell(const TableCell& cell) {
  return fmt::format(R"(<td class="{}" data-v="{}"{}>{}</td>)",
                     cell.value < significance ? "significant" : "p", sort_value(cell.value),
                     cell.hint.empty() ? "" : fmt::format(R"( title="{}")", escaped(cell.hint)),
                     cell.text.empty() ? "–" : escaped(cell.text));
}

std::string table_cell(const TableCell& cell, Holds holds) {
  switch (holds) {
    case Holds::metric:
      return metric_cell(cell);
    case Holds::p:
      return p_cell(cell);
    case Holds::text:
      return fmt::format(R"(<td class="text">{}</td>)", escaped(cell.text));
    case Holds::number:
    case Holds::flag:
      break;
  }
  return fmt::format(R"(<td data-v="{}">{}</td>)", sort_value(cell.value),
                     cell.text.empty() ? "–" : shown_text(cell.text));
}

std::string column_head(const TableColumn& column) {
  if (column.holds == Holds::text) return head(column.heading, R"( class="text")");
  const bool down = column.holds == Holds::metric && column.higher_is_better;
  return head(column.heading,
              fmt::format(R"( data-first="{}")", down ? "descending" : "ascending"));
}

std::string variant_link(const StudyRecord& study, const VariantRecord& variant) {
  std::string text = "variant";
  if (study.repeats.size() > 1) text = std::to_string(variant.repeat + 1);
  if (!variant.finished)
    return fmt::format(R"(<span class="off" title="{}">{}</span>)",
                       escaped(variant.error.empty() ? "not finished" : variant.error), text);
  return fmt::format(R"(<a href="variants/{}/report.html" title="{}">{}</a>)",
                     escaped(address_part(variant.name)), escaped(variant.name), text);
}

std::string links(const StudyMethods& methods, std::size_t i) {
  std::string text;
  for (const VariantRecord* variant : methods.variants(i))
    text += variant_link(methods.study(), *variant) + " ";
  return R"(<td class="links">)" + text + "</td>";
}

std::string notes(const TableLayout& layout) {
  std::string text;
  for (const std::string& note : layout.notes) text += escaped(note) + " ";
  const auto significant = [](const TableColumn& column) {
    return column.holds == Holds::p && !column.heading.empty() &&
           std::ranges::any_of(column.cells,
                               [](const TableCell& cell) { return cell.value < significance; });
  };
  if (std::ranges::any_of(layout.columns, significant))
    text += fmt::format("Bold p-values are below {}.", significance);
  return text.empty() ? "" : "<p class=\"note\">" + text + "</p>";
}

/// The difference that each choice makes, or its mean where there is no baseline.
std::string effects_chart(const std::vector<SlotEffect>& effects, const StudyMethods& methods) {
  const bool against = methods.study().results.baseline.has_value();
  const bool points = against && methods.numbers().is_share();
  const double unit = points ? 100 : 1;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SlotEffect& effect : effects)
    for (std::size_t i = 0; i < effect.table.methods.size(); ++i) {
      const Standing& standing = effect.comparison.standings[i];
      if (against && !standing.difference) continue;
      const double value = against ? unit * *standing.difference : standing.mean;
      const double reach = against ? unit * standing.difference_reach.value_or(NAN) : NAN;
      rows.push_back({{"name", effect.slot + " = " + effect.table.methods[i].name},
                      {"mean", chart::number(value)},
                      {"deviation", chart::number(reach)},
                      {"n", 1},
                      {"best", standing.best},
                      {"baseline", false}});
    }
  if (rows.empty()) return "";
  const std::string metric = metric_words(methods.study().results);
  nlohmann::ordered_json data = {
      {"kind", "dots"},
      {"metric", (against ? "difference in " : "") + metric + (points ? " (points)" : "")},
      {"share", !against && methods.numbers().is_share()},
      {"rows", std::move(rows)}};
  if (against) data["reference"] = 0;
  return R"(<div class="tall">)" +
         chart::figure_html({"dots", "effects of the slots", "",
                             against ? "Against the baseline's choice; bars are 95 % confidence "
                                       "intervals, each by itself."
                                     : "Means over all else."},
                            data) +
         "</div>";
}

}  // namespace

std::string results_table(const StudyMethods& methods) {
  if (methods.size() == 0) return "";
  const StudyRecord& study = methods.study();
  TableLayout layout = table_layout(study.results, study.comparison);
  std::erase_if(layout.columns, [](const TableColumn& column) { return column.heading.empty(); });
  std::string out =
      R"(<section id="results"><h2>Results</h2><div class="scroll"><table class="results sortable"><thead><tr>)";
  for (const TableColumn& column : layout.columns) out += column_head(column);
  const bool linked = !study.variants.empty();
  if (linked) out += R"(<th scope="col" aria-label="pages of the variants"></th>)";
  out += "</tr></thead><tbody>";
  for (const std::size_t i : methods.by_quality()) {
    out += methods.is_baseline(i) ? R"(<tr class="baseline">)" : "<tr>";
    for (const TableColumn& column : layout.columns) {
      const std::string text = escaped(column.cells[i].text);
      out += &column == &layout.columns.front()
                 ? fmt::format(R"(<th scope="row" data-v="{}">{}{}</th>)", text, text,
                               marks(methods, i))
                 : table_cell(column.cells[i], column.holds);
    }
    if (linked) out += links(methods, i);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>" + notes(layout) + "</section>\n";
}

std::string effects(const StudyMethods& methods) {
  const std::vector<SlotEffect> found = slot_effects(methods.study().results);
  if (found.empty()) return "";
  const TableLayout layout = shown_layout(effects_layout(found));
  std::string out =
      R"(<section id="effects"><h2>What each slot changes</h2><div class="scroll"><table class="results"><thead><tr>)";
  for (const TableColumn& column : layout.columns) out += column_head(column);
  out += "</tr></thead><tbody>";
  for (std::size_t row = 0; row < layout.columns.front().cells.size(); ++row) {
    out += "<tr>";
    for (const TableColumn& column : layout.columns) {
      const std::string name = escaped(column.cells[row].text);
      out += &column == &layout.columns.front() ? R"(<th scope="row">)" + name + "</th>"
                                                : table_cell(column.cells[row], column.holds);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>" + notes(layout) + effects_chart(found, methods) +
         "</section>\n";
}

}  // namespace semblance::study_sections
