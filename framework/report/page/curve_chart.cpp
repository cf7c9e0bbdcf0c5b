// SPDX-License-Identifier: MIT
#include "report/page/curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "registry/figures.hpp"
#include "report/level_curves.hpp"
#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "support/figure_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

bool is_drawn_at(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]) &&
         (curve.y[i] > 0 || !is_convergence(curve));
}

bool all_shares(const std::vector<double>& values) {
  return std::ranges::all_of(values,
                             [](double v) { return !std::isfinite(v) || (v >= 0 && v <= 1); });
}

/// Whether its name is `kind` or `kind_NAME`.
bool is_kind(const Curve& curve, std::string_view kind) {
  return curve.name == kind || curve.name.starts_with(std::string(kind) + "_");
}

/// The kinds of curves that are drawn over each other, and the title of such a chart.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kinds_of_curves = {
    {{"roc", "ROC curves"},
     {"test_margins", "margins of the test rows"},
     {"precision_recall", "precision and recall"},
     {"reliability", "reliability"}}};

/// The name in a chart's legend: without what the title says, the class alone.
std::string name_among(const Curve& curve, std::size_t count) {
  if (count > 1)
    for (const auto& [kind, title] : kinds_of_curves)
      if (is_kind(curve, kind) && curve.name.size() > kind.size())
        return curve.name.substr(kind.size() + 1);
  return words(curve.name);
}

/// The lowest and the highest of the points [first, end), and one that interrupts the line.
std::vector<std::size_t> outermost(const Curve& curve, std::size_t first, std::size_t end) {
  std::optional<std::size_t> low, high, gap;
  for (std::size_t i = first; i < end; ++i) {
    if (!is_drawn_at(curve, i)) {
      gap = i;
      continue;
    }
    if (!low || curve.y[i] < curve.y[*low]) low = i;
    if (!high || curve.y[i] > curve.y[*high]) high = i;
  }
  std::vector<std::size_t> kept;
  for (const auto& place : {low, high, gap})
    if (place) kept.push_back(*place);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

bool is_det_curve(const Curve& curve) {
  return is_kind(curve, "det") && all_shares(curve.x) && all_shares(curve.y);
}

std::string shared_chart(const Curve& curve) {
  if (is_det_curve(curve)) return "DET curves";
  for (const auto& [kind, title] : kinds_of_curves)
    if (is_kind(curve, kind)) return title;
  return "";
}

bool is_convergence(const Curve& curve) { return is_convergence(std::string_view(curve.name)); }

std::vector<double> levels_of(const Curve& curve, std::span<const Curve> all) {
  std::vector<double> levels;
  for (const Curve& other : all)
    if (other.name == level_curve_of(curve.name))
      for (std::size_t i = 0; i < other.y.size(); ++i)
        if (is_drawn_at(other, i) && std::ranges::find(levels, other.y[i]) == levels.end())
          levels.push_back(other.y[i]);
  return levels;
}

bool is_level(const Curve& curve, std::span<const Curve> all) {
  return std::ranges::any_of(
      all, [&](const Curve& other) { return curve.name == level_curve_of(other.name); });
}

bool has_points(const Curve& curve) {
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (is_drawn_at(curve, i)) return true;
  return false;
}

Json line_data(const Curve& curve, std::size_t most) {
  Json x = Json::array(), y = Json::array();
  const std::size_t size = curve.x.size();
  const std::size_t bin = size <= most ? 1 : size / std::max<std::size_t>(most / 2, 1) + 1;
  for (std::size_t first = 0; first < size; first += bin)
    for (const std::size_t i : outermost(curve, first, std::min(first + bin, size))) {
      const bool drawn = is_drawn_at(curve, i);
      x.push_back(drawn ? chart::number(curve.x[i]) : Json(nullptr));
      y.push_back(drawn ? chart::number(curve.y[i]) : Json(nullptr));
    }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

Json axes_data(const Curve& curve, std::span<const FigureInfo> figures) {
  const bool det = is_det_curve(curve);
  const auto has_shares = [&](const std::string& label, const std::vector<double>& values) {
    return det ||
           (unit_of_column(figures, curve.name, label) == FigureUnit::share && all_shares(values));
  };
  const bool square = all_shares(curve.x) && all_shares(curve.y);
  const bool margins = is_kind(curve, "test_margins");
  return {{"kind", "lines"},
          {"steps", margins},
          {"zero", margins},
          {"x", words(curve.x_label)},
          {"y", words(curve.y_label)},
          {"det", det},
          {"logarithmic", is_convergence(curve)},
          {"diagonal", square && (is_kind(curve, "roc") || is_kind(curve, "reliability"))},
          {"x_share", has_shares(curve.x_label, curve.x)},
          {"y_share", has_shares(curve.y_label, curve.y)}};
}

std::string curve_chart_html(const std::string& title, const std::vector<Curve>& curves,
                             const std::string& node, std::span<const FigureInfo> figures,
                             const std::string& inside, const std::vector<double>& levels) {
  Json data = axes_data(curves.front(), figures);
  if (!levels.empty()) data["levels"] = levels;
  if (!inside.empty()) data["inside"] = inside;
  data["lines"] = Json::array();
  for (const Curve& curve : curves) {
    Json line = line_data(curve);
    line["name"] = name_among(curve, curves.size());
    data["lines"].push_back(std::move(line));
  }
  return chart::figure_html({"lines", node + " " + title, title, ""}, data);
}

std::string curve_chart_html(const Curve& curve, const std::string& node,
                             std::span<const FigureInfo> figures, const std::string& inside,
                             const std::vector<double>& levels) {
  const std::string title = words(curve.name);
  if (!has_points(curve))
    return fmt::format("<figure><h4>{}</h4><p class=\"note\">It has no finite values.</p></figure>",
                       html::escaped(title));
  return curve_chart_html(title, {curve}, node, figures, inside, levels);
}

}  // namespace semblance
