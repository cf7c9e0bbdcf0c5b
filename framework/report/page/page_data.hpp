// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/run_record.hpp"
#include "report/study_record.hpp"

/// A page is data that its scripts (assets/sections) make into sections: what is in metrics.json or
/// study.json, with what only pages show. What is too much for a page is thinned out here.
namespace semblance::page {

/// The largest number of points of a curve, of points of a plane, and of values of a table.
constexpr std::size_t most_points_of_curve = 1200;
constexpr std::size_t most_points_of_plane = 4000;
constexpr std::size_t most_values_of_table = 100000;

/// The curve with about `most` points at most: the lowest and the highest of each run of points are
/// retained, and so are gaps in the line.
Curve thinned(const Curve& curve, std::size_t most = most_points_of_curve);

/// Whether any point can be drawn: has two finite coordinates.
bool has_points(const Curve& curve);

/// Whether it is shown as a level line in the chart of another of the curves.
bool is_level(const Curve& curve, const std::vector<Curve>& all);

/// The values of the curve's level lines, each once.
std::vector<double> levels_of(const Curve& curve, const std::vector<Curve>& all);

/// The mean of DET curves, for instance of the folds of a data set: for each false match rate (x)
/// the mean of the false non-match rates (y), each interpolated between the neighbouring operating
/// points. A curve omits the points where a rate is 0 or 1: beyond its last point its y is 0, and
/// the mean starts where every curve has started. Curves without points are skipped. Points are
/// evenly spaced in log(x / (1 - x)).
Curve mean_det_curve(const std::vector<const Curve*>& curves);

/// To `digits` significant digits, nine being more than any picture shows; null if it is not
/// finite.
nlohmann::ordered_json number(double value, int digits = 9);

/// The page's subject is its `kind`: "run", "variant", "study", which has the times of nodes only.
/// Throws Error if the picture of the pipeline is not an SVG.
nlohmann::ordered_json run_data(const RunRecord& run, std::string_view kind);

/// How parameters were chosen.
nlohmann::ordered_json selection_data(const SelectionRecord& choice);

/// What a study adds to the data of its merged run. Throws Error if the comparison does not match
/// the results.
nlohmann::ordered_json study_data(const StudyRecord& study);

/// The page of this data, which needs no other file and no network.
std::string page_of(const nlohmann::ordered_json& data);

/// The page whose scripts are in page.js, two folders above it: thousands of variants share them.
std::string page_beside_scripts(const nlohmann::ordered_json& data);

}  // namespace semblance::page
