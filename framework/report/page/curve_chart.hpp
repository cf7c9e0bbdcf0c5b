// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The largest number of points of a curve in a page.
constexpr std::size_t most_points_of_curve = 1200;

/// Whether it is a curve of error rates, named `det` or `det_NAME`, to be drawn on normal-deviate
/// axes (Martin et al., The DET curve in assessment of detection task performance, 1997).
bool is_det_curve(const Curve& curve);

/// The title of the chart that a node's curves of this kind share, since they are to be compared:
/// "ROC curves" for those named `roc` and `roc_NAME`, "DET curves", "precision and recall",
/// "reliability", or "margins of the test rows", which are histograms. Empty: it has a chart of its
/// own.
std::string shared_chart(const Curve& curve);

/// Whether it says how a solver approaches its tolerance: it is named `convergence_by_STEP`. Its
/// axis of values is logarithmic, so that values of 0 and less interrupt its line.
bool is_convergence(const Curve& curve);

/// The values of the curves among `all` that are named as `curve` with "_tolerance" after it, which
/// its chart shows as level lines; each once.
std::vector<double> levels_of(const Curve& curve, std::span<const Curve> all);

/// Whether it is shown as a level line in the chart of another of the curves.
bool is_level(const Curve& curve, std::span<const Curve> all);

/// Whether any point can be drawn: has two finite coordinates.
bool has_points(const Curve& curve);

/// {"x": […], "y": […]} with about `most` points at most: the lowest and the highest of each run of
/// points are retained. Points that are not finite interrupt the line and are null.
nlohmann::ordered_json line_data(const Curve& curve, std::size_t most = most_points_of_curve);

/// The axes that curves of this name share: labels, whether they are shares according to the node's
/// figures, whether they are axes of DET curves, and whether the diagonal means something: chance
/// for ROC curves, the truth for reliability; whether the axis of values is logarithmic.
nlohmann::ordered_json axes_data(const Curve& curve, std::span<const FigureInfo> figures);

/// Curves over the same axes, at least one, as one figure. `inside` is written into a corner,
/// `levels` are values with a line across the chart.
std::string curve_chart_html(const std::string& title, const std::vector<Curve>& curves,
                             const std::string& node, std::span<const FigureInfo> figures,
                             const std::string& inside = "",
                             const std::vector<double>& levels = {});

/// The curve as a figure, with level lines; `node` is the name of its node, which has these
/// figures.
std::string curve_chart_html(const Curve& curve, const std::string& node,
                             std::span<const FigureInfo> figures, const std::string& inside = "",
                             const std::vector<double>& levels = {});

}  // namespace semblance
