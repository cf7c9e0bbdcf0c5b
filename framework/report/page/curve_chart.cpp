// SPDX-License-Identifier: MIT
#include "report/page/curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "report/page/chart.hpp"
#include "report/page/html.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

bool is_finite_at(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

bool all_shares(const std::vector<double>& values) {
  return std::ranges::all_of(values,
                             [](double v) { return !std::isfinite(v) || (v >= 0 && v <= 1); });
}

/// "False non-match rate" as "false_non_match_rate".
std::string plain_name(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '_';
  });
  return name;
}

bool is_error_rate(const std::string& label) {
  constexpr std::array names = {"fmr",
                                "fnmr",
                                "far",
                                "frr",
                                "fpr",
                                "fnr",
                                "false_match_rate",
                                "false_non_match_rate",
                                "false_accept_rate",
                                "false_reject_rate"};
  return std::ranges::find(names, plain_name(label)) != names.end();
}

/// Of the points [first, end) the lowest, the highest, and one that interrupts the line.
std::vector<std::size_t> outermost(const Curve& curve, std::size_t first, std::size_t end) {
  std::optional<std::size_t> low, high, gap;
  for (std::size_t i = first; i < end; ++i) {
    if (!is_finite_at(curve, i)) {
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
  const bool named = plain_name(curve.name) == "det" || plain_name(curve.name) == "det_curve" ||
                     (is_error_rate(curve.x_label) && is_error_rate(curve.y_label));
  return named && all_shares(curve.x) && all_shares(curve.y);
}

bool has_points(const Curve& curve) {
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (is_finite_at(curve, i)) return true;
  return false;
}

Json line_data(const Curve& curve, std::size_t most) {
  Json x = Json::array(), y = Json::array();
  const std::size_t size = curve.x.size();
  const std::size_t bin = size <= most ? 1 : size / std::max<std::size_t>(most / 2, 1) + 1;
  for (std::size_t first = 0; first < size; first += bin)
    for (const std::size_t i : outermost(curve, first, std::min(first + bin, size))) {
      const bool finite = is_finite_at(curve, i);
      x.push_back(finite ? chart::number(curve.x[i]) : Json(nullptr));
      y.push_back(finite ? chart::number(curve.y[i]) : Json(nullptr));
    }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

Json axes_data(const Curve& curve) {
  const bool det = is_det_curve(curve);
  return {{"kind", "lines"},
          {"x", html::words(curve.x_label)},
          {"y", html::words(curve.y_label)},
          {"det", det},
          {"x_share", det || (html::is_share(curve.x_label) && all_shares(curve.x))},
          {"y_share", det || (html::is_share(curve.y_label) && all_shares(curve.y))}};
}

std::string curve_chart_html(const std::string& title, const std::vector<Curve>& curves,
                             const std::string& node) {
  Json data = axes_data(curves.front());
  data["lines"] = Json::array();
  for (const Curve& curve : curves) {
    Json line = line_data(curve);
    line["name"] = html::words(curve.name);
    data["lines"].push_back(std::move(line));
  }
  return chart::figure_html({"lines", node + " " + title, title, ""}, data);
}

std::string curve_chart_html(const Curve& curve, const std::string& node) {
  const std::string title = html::words(curve.name);
  if (!has_points(curve))
    return fmt::format("<figure><h4>{}</h4><p class=\"note\">It has no finite values.</p></figure>",
                       html::escaped(title));
  return curve_chart_html(title, {curve}, node);
}

}  // namespace semblance
