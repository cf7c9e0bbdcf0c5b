// SPDX-License-Identifier: MIT
#include "report/page/sample_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/page/html.hpp"
#include "semblance/graph.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using html::escaped;

constexpr double width = 160, height = 64, margin = 3;

/// The range of the values, which are `stride` apart.
struct Range {
  double low = 0;
  double high = 1;

  Range(const std::vector<float>& values, std::size_t first, std::size_t stride) {
    bool any = false;
    for (std::size_t k = first; k < values.size(); k += stride) {
      const double x = values[k];
      low = any ? std::min(low, x) : x;
      high = any ? std::max(high, x) : x;
      any = true;
    }
  }
  /// In [0, 1]; the centre where all are equal.
  double share(double x) const { return high > low ? (x - low) / (high - low) : 0.5; }
};

double across(double share) { return margin + share * (width - 2 * margin); }
double down(double share) { return height - margin - share * (height - 2 * margin); }

/// A coordinate of a node of a graph in a square as high as the drawing.
double across_square(const DrawnSample& sample, std::size_t node, std::size_t coordinate) {
  return margin + double{sample.values[3 * node + coordinate]} * (height - 2 * margin);
}

/// One line per channel, all on one scale.
std::string lines(const DrawnSample& sample) {
  const Range range(sample.values, 0, 1);
  const std::size_t steps = sample.values.size() / sample.depth;
  std::string out;
  for (std::size_t channel = 0; channel < sample.depth; ++channel) {
    out += fmt::format(R"(<polyline class="line s{}" points=")", channel % 7);
    for (std::size_t t = 0; t < steps; ++t) {
      const double place = steps > 1 ? double(t) / double(steps - 1) : 0.5;
      out += fmt::format("{}{:.4g},{:.4g}", t == 0 ? "" : " ", across(place),
                         down(range.share(sample.values[t * sample.depth + channel])));
    }
    out += "\"/>";
  }
  return out;
}

/// The first two coordinates of the points.
std::string dots(const DrawnSample& sample) {
  const std::size_t second = sample.depth > 1 ? 1 : 0;
  const Range x(sample.values, 0, sample.depth), y(sample.values, second, sample.depth);
  std::string out;
  for (std::size_t k = 0; k < sample.values.size(); k += sample.depth)
    out += fmt::format(R"(<circle class="dot s0" cx="{:.4g}" cy="{:.4g}" r="2"/>)",
                       across(x.share(sample.values[k])),
                       down(second == 0 ? 0.5 : y.share(sample.values[k + second])));
  return out;
}

/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

/// Nodes as dots whose colour tells their label, over lines for edges.
std::string nodes_and_edges(const DrawnSample& sample) {
  const std::size_t nodes = sample.depth == 3 ? sample.values.size() / 3 : 0;
  const std::vector<std::string> text = lines_of(sample.text);
  const auto x = [&](std::size_t v) { return (width - height) / 2 + across_square(sample, v, 0); };
  const auto y = [&](std::size_t v) { return across_square(sample, v, 1); };
  std::string out;
  std::istringstream edges(text.front());
  char dash = 0;
  for (std::size_t from = 0, to = 0; edges >> from >> dash >> to;)
    if (from < nodes && to < nodes)
      out += fmt::format(
          R"(<line x1="{:.4g}" y1="{:.4g}" x2="{:.4g}" y2="{:.4g}" stroke="currentColor"/>)",
          x(from), y(from), x(to), y(to));
  for (std::size_t v = 0; v < nodes; ++v) {
    const auto label = static_cast<std::size_t>(std::min(std::max(0.0f, sample.values[3 * v + 2]),
                                                         static_cast<float>(largest_graph_number)));
    out += fmt::format(R"(<circle class="dot s{}" cx="{:.4g}" cy="{:.4g}" r="2.5">)", label % 7,
                       x(v), y(v));
    if (v + 1 < text.size()) out += fmt::format("<title>{}</title>", escaped(text[v + 1]));
    out += "</circle>";
  }
  return out;
}

std::string pixels(const DrawnSample& sample) {
  return fmt::format(R"(<img class="pixels" alt="{}" src="data:image/png;base64,{}">)",
                     escaped(sample.name), escaped(sample.text));
}

/// The values of a vector, each with its name.
std::string listed(const DrawnSample& sample) {
  std::string out = R"(<dl class="listed">)";
  for (std::size_t k = 0; k < sample.values.size(); ++k)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(sample.columns[k]),
                       quantity_text(double{sample.values[k]}));
  out += "</dl>";
  if (sample.size > sample.values.size())
    out +=
        fmt::format("<p class=\"note\">and {} more values</p>", sample.size - sample.values.size());
  return out;
}

}  // namespace

std::string sample_picture_html(const DrawnSample& sample) {
  if (sample.kind == LayoutKind::image || sample.kind == LayoutKind::grid) return pixels(sample);
  if (!sample.columns.empty() || sample.kind == LayoutKind::sparse) return listed(sample);
  if (sample.kind == LayoutKind::string) {
    const char* more = sample.size > symbols_of({.alphabet = sample.text}).size() ? " …" : "";
    return fmt::format("<code>{}{}</code>", escaped(sample.text), more);
  }
  if (sample.kind == LayoutKind::pair) return fmt::format("<code>{}</code>", escaped(sample.text));
  return fmt::format(
      R"(<svg class="drawing" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>)", width,
      height, escaped(sample.name),
      sample.kind == LayoutKind::set     ? dots(sample)
      : sample.kind == LayoutKind::graph ? nodes_and_edges(sample)
                                         : lines(sample));
}

namespace {

std::string drawing(const DrawnSample& sample) {
  const std::string verdict =
      sample.right() ? "right" : "taken for <strong>" + escaped(sample.predicted) + "</strong>";
  return fmt::format(R"(<figure class="{}">{}<figcaption>{}: {}</figcaption></figure>)",
                     sample.right() ? "sample-right" : "sample-wrong", sample_picture_html(sample),
                     escaped(sample.name), verdict);
}

}  // namespace

std::string sample_drawings_html(const std::vector<DrawnSample>& samples) {
  if (samples.empty()) return "";
  std::string out = "<h4>some test samples of each class</h4>\n";
  for (std::size_t first = 0; first < samples.size();) {
    std::size_t end = first;
    out += fmt::format(R"(<div class="samples"><h5>{}</h5>)", escaped(samples[first].label));
    for (; end < samples.size() && samples[end].label == samples[first].label; ++end)
      out += drawing(samples[end]);
    out += "</div>\n";
    first = end;
  }
  return out;
}

}  // namespace semblance
