// SPDX-License-Identifier: MIT
#include "report/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "report/html.hpp"
#include "report/number_text.hpp"

namespace semblance {
namespace {

// In units of the SVG, which a wide screen shows enlarged by a third.
constexpr double width = 400, height = 230;
constexpr double left = 52, right = 388, top = 24, bottom = 190;

struct Point {
  double x, y;
};

/// Maps values to places on the page, linearly or by their logarithm.
struct Axis {
  double low = 0, high = 1;  ///< after the logarithm
  bool logarithmic = false;
  double from = 0, to = 1;  ///< on the page

  double place(double value) const {
    const double v = logarithmic ? std::log10(value) : value;
    return from + (v - low) / (high - low) * (to - from);
  }
};

std::vector<Point> finite_points(const Curve& curve) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      points.push_back({curve.x[i], curve.y[i]});
  return points;
}

Axis make_axis(std::vector<double> values, double from, double to, bool margin) {
  std::ranges::sort(values);
  Axis axis{values.front(), values.back(), false, from, to};
  // Counted steps (1, 2, 3, …) stay linear however many there are: half lie above the middle.
  const double median = values[values.size() / 2];
  axis.logarithmic = axis.low > 0 && axis.high / axis.low >= 1000 && median <= 0.12 * axis.high;
  if (axis.logarithmic) {
    axis.low = std::log10(axis.low);
    axis.high = std::log10(axis.high);
  }
  if (axis.low == axis.high) {
    const double around = std::max(std::abs(axis.low) * 0.1, 1e-300);
    axis.low -= axis.low == 0 ? 1 : around;
    axis.high += axis.high == 0 ? 1 : around;
  } else if (margin) {
    const double space = 0.04 * (axis.high - axis.low);
    axis.low -= space;
    axis.high += space;
  }
  return axis;
}

std::vector<double> axis_ticks(const Axis& axis, int wanted) {
  if (!axis.logarithmic) return round_ticks(axis.low, axis.high, wanted);
  const double step = std::max(1.0, std::ceil((axis.high - axis.low) / wanted));
  std::vector<double> ticks;
  for (double power = std::ceil(axis.low / step) * step; power <= axis.high; power += step)
    ticks.push_back(std::pow(10.0, power));
  return ticks;
}

std::string tick_text(double value) {
  if (value != 0 && (std::abs(value) >= 1e6 || std::abs(value) < 1e-3)) {
    const double power = std::floor(std::log10(std::abs(value)) + 1e-9);
    const double digits = value / std::pow(10.0, power);
    const std::string exponent = fmt::format(R"(<tspan dy="-3.5" font-size="8">{}</tspan>)", power);
    if (std::abs(digits - 1) < 1e-9) return "10" + exponent;
    return fmt::format("{:.3g}·10{}", digits, exponent);
  }
  return quantity_text(value, 6);
}

void append_axes(const Axis& x, const Axis& y, std::string& out) {
  auto into = std::back_inserter(out);
  for (const double tick : axis_ticks(y, 4)) {
    const double place = y.place(tick);
    fmt::format_to(into,
                   R"(<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>)"
                   R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)",
                   left, right, place, place, left - 6, place + 3.5, tick_text(tick));
  }
  for (const double tick : axis_ticks(x, 5)) {
    const double place = x.place(tick);
    fmt::format_to(into,
                   R"(<line class="axis" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>)"
                   R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)",
                   place, place, bottom, bottom + 4, place, bottom + 16, tick_text(tick));
  }
  fmt::format_to(into, R"(<line class="axis" x1="{}" x2="{}" y1="{}" y2="{}"/>)", left, right,
                 bottom, bottom);
}

/// Of the points that fall into one column of the page only the lowest and the highest are drawn.
std::vector<std::size_t> visible_points(const std::vector<std::optional<Point>>& places) {
  constexpr std::size_t most = 1200;
  std::vector<std::size_t> chosen;
  const std::size_t bin = places.size() / (most / 2) + 1;
  for (std::size_t first = 0; first < places.size(); first += bin) {
    const std::size_t end = std::min(first + bin, places.size());
    std::size_t low = first, high = first;
    std::optional<std::size_t> gap;
    for (std::size_t i = first; i < end; ++i) {
      if (!places[i]) {
        gap = i;
        continue;
      }
      if (!places[low] || places[i]->y < places[low]->y) low = i;
      if (!places[high] || places[i]->y > places[high]->y) high = i;
    }
    std::vector<std::size_t> kept = {low, high};
    if (gap) kept.push_back(*gap);
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    chosen.insert(chosen.end(), kept.begin(), kept.end());
  }
  return chosen;
}

void append_line(const Curve& curve, const Axis& x, const Axis& y, std::string& out) {
  std::vector<std::optional<Point>> places(curve.x.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      places[i] = Point{x.place(curve.x[i]), y.place(curve.y[i])};

  std::string path;
  bool pen_down = false;
  for (const std::size_t i : visible_points(places)) {
    if (places[i])
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M',
                     places[i]->x, places[i]->y);
    pen_down = places[i].has_value();
  }
  out += fmt::format(R"(<path class="line" d="{}"/>)", path);

  constexpr std::size_t most_dots = 40;
  if (places.size() > most_dots) return;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i])
      out += fmt::format(
          R"(<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="2.4"><title>{}, {}</title></circle>)",
          places[i]->x, places[i]->y, quantity_text(curve.x[i]), quantity_text(curve.y[i], 6));
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int wanted) {
  std::vector<double> ticks;
  if (!(low < high)) return ticks;
  const double raw = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double lead = raw / power;
  const double step = power * (lead <= 1.0001 ? 1 : lead <= 2.0001 ? 2 : lead <= 5.0001 ? 5 : 10);
  // Counted, not added up: 0.1 added ten times is not 1. Where the values differ by less than
  // their precision the steps can't be told apart, hence the limit.
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 4 * wanted && (first + i) * step <= high + 1e-9 * step; ++i)
    ticks.push_back((first + i) * step + 0.0);
  return ticks;
}

std::string line_chart(const Curve& curve) {
  const std::vector<Point> points = finite_points(curve);
  if (points.empty()) return R"(<p class="note">It has no finite values.</p>)";
  std::vector<double> xs, ys;
  for (const Point& point : points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  const Axis x = make_axis(std::move(xs), left, right, false);
  const Axis y = make_axis(std::move(ys), bottom, top, true);
  if (!std::isfinite(x.high - x.low) || !std::isfinite(y.high - y.low))
    return R"(<p class="note">Its values lie too far apart to be drawn.</p>)";

  std::string out = fmt::format(
      R"(<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}: {} over {}">)", width,
      height, html::escaped(html::words(curve.name)), html::escaped(curve.y_label),
      html::escaped(curve.x_label));
  append_axes(x, y, out);
  append_line(curve, x, y, out);
  const char* log_note = " (log scale)";
  out += fmt::format(R"(<text class="label" x="{}" y="12">{}{}</text>)", 2,
                     html::escaped(html::words(curve.y_label)), y.logarithmic ? log_note : "");
  out += fmt::format(R"(<text class="label" x="{}" y="{}" text-anchor="end">{}{}</text></svg>)",
                     right, height - 6, html::escaped(html::words(curve.x_label)),
                     x.logarithmic ? log_note : "");
  return out;
}

}  // namespace semblance
