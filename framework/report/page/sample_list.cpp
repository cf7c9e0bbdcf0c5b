// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/sample_drawings.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using html::escaped;

std::string scores(const DrawnEntry& entry) {
  std::string out;
  for (const auto& [label, score] : entry.scores)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", escaped(label), quantity_text(score));
  return out.empty() ? "" : "<br>scores: " + out;
}

std::string judged(const DrawnEntry& entry) {
  return fmt::format(
      "<figure>{}<figcaption>{}: {} taken for <strong>{}</strong>{}</figcaption></figure>",
      sample_picture_html(entry.sample), escaped(entry.sample.name), escaped(entry.sample.label),
      escaped(entry.sample.predicted), scores(entry));
}

std::string compared(const DrawnNeighbour& near) {
  return fmt::format("<figure>{}<figcaption>{}: {}, {}</figcaption></figure>",
                     sample_picture_html(near.sample), escaped(near.sample.name),
                     escaped(near.sample.label), quantity_text(near.similarity));
}

/// The nearest samples, separately for each map.
std::string nearest(const DrawnEntry& entry) {
  std::string out, map;
  for (const DrawnNeighbour& near : entry.nearest) {
    if (out.empty() || near.map != map)
      out += fmt::format("<h5>most similar bases of {}</h5>", escaped(near.map));
    map = near.map;
    out += compared(near);
  }
  return out.empty() ? "" : R"(<div class="nearest">)" + out + "</div>";
}

}  // namespace

std::string sample_list_html(const DrawnList& list) {
  if (list.entries.empty()) return "";
  std::string out = fmt::format("<h4>{}</h4>\n<div class=\"sample-list\">", words(list.name));
  for (const DrawnEntry& entry : list.entries)
    out += "<article>" + judged(entry) + nearest(entry) + "</article>\n";
  return out + "</div>\n";
}

}  // namespace semblance
