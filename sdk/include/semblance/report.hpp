// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance {

/// A curve of a report: y over x, both of the same length.
struct Curve {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;
  std::vector<double> y;
};

/// A table of numbers with named rows and columns, row-major.
struct Table {
  std::string name;
  std::string row_label;
  std::string column_label;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;
};

/// A picture of a part of the plane: the region of each point of a grid, and points on it. For
/// example, the decision regions of a classifier with its samples.
struct PlaneMap {
  /// A point, its group, and whether it is marked (a support vector, say).
  struct Point {
    double x = 0;
    double y = 0;
    std::int32_t group = 0;  ///< index into `groups`; -1: unknown
    bool marked = false;
  };
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> groups;    ///< names of the regions, and of the points' groups
  double x_low = 0, x_high = 1;       ///< of the first and last column of the grid
  double y_low = 0, y_high = 1;       ///< of the first and last row of the grid
  std::size_t columns = 0;            ///< at least 2
  std::size_t rows = 0;               ///< at least 2
  std::vector<std::int32_t> regions;  ///< rows x columns, from the lowest y; index into `groups`
  std::vector<Point> points;
  std::string marked_label;  ///< what a marked point is, for the legend: "misclassified"

  /// A circle around a place, such as that of a support vector.
  struct Circle {
    double x = 0;
    double y = 0;
    std::size_t meaning = 0;  ///< index into `circle_labels`
  };
  std::vector<Circle> circles = {};
  std::vector<std::string> circle_labels = {};  ///< for the legend
};

/// Test samples to draw, in this order, each with some of its scores and with training samples for
/// comparison.
struct SampleList {
  struct Sample {
    std::string name;                         ///< its name in the user's data, or "row 17"
    std::string label;                        ///< its class
    std::vector<float> values;                ///< as the source gives them
    std::vector<std::uint32_t> columns = {};  ///< of a sparse vector's values
  };
  struct Score {
    std::string label;
    double score = 0;
  };
  struct Neighbour {
    Sample sample;
    std::string map;  ///< the node that gives the similarity
    double similarity = 0;
  };
  struct Entry {
    Sample sample;
    std::string predicted;      ///< the predicted class
    std::vector<Score> scores;  ///< of some classes
    std::vector<Neighbour> nearest;
  };
  std::string name;
  Layout layout;                     ///< of all samples
  std::vector<std::string> columns;  ///< names of a vector's columns; may be empty
  std::vector<Entry> entries;
};

/// A bar per label, from 0 to its value.
struct Bars {
  std::string name;
  std::string value_label;
  std::vector<std::string> labels;
  std::vector<double> values;       ///< one per label; NaN: there is none
  std::vector<double> errors = {};  ///< half the length of each error bar, at least 0; or empty
  std::string caption = {};         ///< a sentence below the chart
};

/// Points in the plane, each of a group if there are groups.
struct Scatter {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> groups;      ///< names, in the legend; may be empty
  std::vector<PlaneMap::Point> points;  ///< their groups have no meaning if `groups` is empty
  std::string marked_label = {};        ///< what a marked point is
  std::string caption = {};
};

/// A matrix whose values are shown as colours.
struct HeatMap {
  std::string name;
  std::string row_label;
  std::string column_label;
  std::vector<std::string> rows;  ///< names; equal names in a row are one group
  std::vector<std::string> columns;
  std::vector<double> values;  ///< row-major; NaN: there is none
  std::string caption = {};
};

/// A picture of one's own: the bytes of a PNG file, at most most_bytes of them and most_side pixels
/// on a side.
struct Picture {
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  static constexpr std::size_t most_side = 4096;
  std::string name;
  std::string png;
  std::string caption = {};
};

using Drawing = std::variant<Bars, Scatter, HeatMap, Picture>;

const std::string& name_of(const Drawing& drawing);

/// The drawing as it is stored and shown. Throws Error with one sentence if its parts do not fit,
/// or if a picture is not a PNG file within its limits.
Drawing checked_drawing(Drawing drawing);

struct ExplainedSamples;  // semblance/explanation.hpp

/// The output of solvers and evaluators. Scalars go to metrics.json under the node, by their name
/// (lower_case). Curves, tables, drawings and explained samples also go to the report; plane maps
/// and sample lists go only to the report. Not thread-safe.
class Report {
 public:
  virtual ~Report();
  virtual void number(std::string_view name, double value) = 0;
  virtual void integer(std::string_view name, std::int64_t value) = 0;
  virtual void text(std::string_view name, std::string_view value) = 0;
  virtual void curve(const Curve& curve) = 0;
  virtual void table(const Table& table) = 0;
  virtual void plane_map(const PlaneMap& map) = 0;
  virtual void sample_list(const SampleList& list) = 0;
  virtual void draw(const Drawing& drawing) = 0;
  virtual void explained_samples(const ExplainedSamples& samples) = 0;
};

}  // namespace semblance
