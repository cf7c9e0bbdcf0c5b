// SPDX-License-Identifier: MIT
#include "boundary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::evaluators {
namespace {

void check_layout(const Layout& layout) {
  if (layout.kind == LayoutKind::vector && layout.size() == 2) return;
  throw Error(
      "it draws the plane, so the source's samples must be vectors of 2 values; these are each a " +
      describe(layout) + ": leave it out, or take a source such as source/xor");
}

/// A part of the plane.
struct Box {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -std::numeric_limits<double>::infinity();
  double y_low = std::numeric_limits<double>::infinity();
  double y_high = -std::numeric_limits<double>::infinity();

  void add(double x, double y) {
    x_low = std::min(x_low, x), x_high = std::max(x_high, x);
    y_low = std::min(y_low, y), y_high = std::max(y_high, y);
  }
};

/// Calls body(row, x, y) for all rows, a block at a time.
template <class Body>
void for_each_sample(const Dataset& data, const Context& context, const Body& body) {
  const std::size_t rows = data.outline().rows();
  FloatMatrix block(block_rows, 2);
  for (std::size_t first = 0; first < rows; first += block_rows) {
    context.check_stop();
    const std::size_t count = std::min(block_rows, rows - first);
    data.read(first, block.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) body(first + i, block.view().row_span(i));
  }
}

Box box_of(const Dataset& data, double margin, const Context& context) {
  Box box;
  for_each_sample(data, context, [&](std::size_t row, std::span<const float> sample) {
    if (!std::isfinite(sample[0]) || !std::isfinite(sample[1]))
      throw Error("row " + std::to_string(row) +
                  " (counted from 0) is not finite, so it has no place in the plane");
    box.add(sample[0], sample[1]);
  });
  const double width = box.x_high - box.x_low, height = box.y_high - box.y_low;
  // Points on one line, or a single one, still get a part of the plane around them.
  const double least = std::max({width, height, 1e-3 * std::abs(box.x_low), 1e-3});
  const double x_space = std::max(margin * width, width > 0 ? 0 : least / 2);
  const double y_space = std::max(margin * height, height > 0 ? 0 : least / 2);
  return {box.x_low - x_space, box.x_high + x_space, box.y_low - y_space, box.y_high + y_space};
}

std::int32_t best(std::span<const float> scores) {
  std::size_t winner = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (std::isnan(scores[c]))
      throw Error("a score is NaN; look at the rows that the solver was given");
    if (scores[c] > scores[winner]) winner = c;
  }
  return static_cast<std::int32_t>(winner);
}

/// The class of every row of the data, as the solver counts them. New data, of which all rows are
/// test rows where they name none, may have other classes.
class RowLabels {
 public:
  explicit RowLabels(const Scored& test) : test_(test) {
    for (const std::string& name : test.data->outline().classes) {
      const auto found = std::ranges::find(test.classes, name);
      index_.push_back(found == test.classes.end()
                           ? -1
                           : static_cast<std::int32_t>(found - test.classes.begin()));
    }
  }
  std::size_t first_scored() const {
    const Outline& outline = test_.data->outline();
    return outline.test_rows > 0 ? outline.train_rows : 0;
  }
  std::int32_t of(std::size_t row) const {
    if (row >= first_scored()) return test_.labels[row - first_scored()];
    const std::int32_t own = test_.data->labels()[row];
    return own < 0 ? -1 : index_[static_cast<std::size_t>(own)];
  }

 private:
  const Scored& test_;
  std::vector<std::int32_t> index_;
};

/// `most` of the rows [first, end), spread evenly: classes may take turns row by row, so never
/// every second one.
std::vector<bool> chosen_rows(std::size_t first, std::size_t end, std::size_t most) {
  std::vector<std::size_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), first);
  Random random(0);
  if (rows.size() > most) random.shuffle(std::span(rows));
  std::vector<bool> chosen(end);
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) chosen[rows[i]] = true;
  return chosen;
}

}  // namespace

Declaration<Boundary> Boundary::declare() {
  return Declaration<Boundary>("evaluator/boundary",
                               "Decision regions of a classifier of points in the plane")
      .documentation(
          "For sources of vectors of 2 values. A grid over the data, with a margin around them, is "
          "sent through the whole pipeline; the report draws the region of each class, the one "
          "with the largest score (between equal scores the class that comes first), and samples "
          "as points. Test samples that are in another class's region are marked; of training "
          "samples the solver's own scores are not looked at.")
      .reference("BE-SVM, Fig. 1; ML3, Fig. 1")
      .complexity("points^2 rows are scored; 4 points^2 (classes + 2) bytes")
      .parameter("points", &Boundary::points_, "points of the grid along each side", at_least(2),
                 at_most(1000))
      .parameter("margin", &Boundary::margin_,
                 "around the data on each side, as a share of their range", at_least(0),
                 at_most(10))
      .parameter("samples", &Boundary::samples_, "which samples are drawn",
                 choices({"test", "training", "both"}))
      .parameter("most_samples", &Boundary::most_samples_,
                 "of more samples than that, a fixed random choice is drawn", at_least(0),
                 at_most(100000));
}

FloatMatrix Boundary::probes(const Dataset& data, Context& context) const {
  check_layout(data.outline().layout);
  const auto side = static_cast<std::size_t>(points_);
  const std::size_t values = side * side * (2 + data.outline().classes.size());
  if (values * sizeof(float) > context.memory_budget())
    throw Error("a grid of " + std::to_string(side) + " x " + std::to_string(side) +
                " points does not fit the memory budget; lower points");
  const Box box = box_of(data, margin_, context);
  FloatMatrix grid(side * side, 2);
  const auto at = [&](double low, double high, std::size_t i) {
    const double share = static_cast<double>(i) / static_cast<double>(side - 1);
    return static_cast<float>(low + share * (high - low));
  };
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column < side; ++column) {
      float* point = grid.view().row(row * side + column);
      point[0] = at(box.x_low, box.x_high, column);
      point[1] = at(box.y_low, box.y_high, row);
    }
  return grid;
}

void Boundary::evaluate(const Scored& test, Report& report, Context& context) const {
  const auto side = static_cast<std::size_t>(points_);
  PlaneMap map;
  map.name = "decision_regions";
  map.x_label = "first value";
  map.y_label = "second value";
  map.groups.assign(test.classes.begin(), test.classes.end());
  map.columns = map.rows = side;
  const auto first = test.probes.row_span(0), last = test.probes.row_span(test.probes.rows - 1);
  map.x_low = first[0], map.y_low = first[1];
  map.x_high = last[0], map.y_high = last[1];
  map.regions.reserve(side * side);
  for (std::size_t i = 0; i < test.probe_scores.rows; ++i)
    map.regions.push_back(best(test.probe_scores.row_span(i)));

  const RowLabels labels(test);
  const std::size_t first_scored = labels.first_scored(), end = first_scored + test.scores.rows;
  const auto chosen = chosen_rows(samples_ == "test" ? first_scored : 0,
                                  samples_ == "training" ? first_scored : end,
                                  static_cast<std::size_t>(most_samples_));
  for_each_sample(*test.data, context, [&](std::size_t row, std::span<const float> sample) {
    if (row >= chosen.size() || !chosen[row]) return;
    const std::int32_t label = labels.of(row);
    const bool wrong = row >= first_scored && label >= 0 &&
                       best(test.scores.row_span(row - first_scored)) != label;
    map.points.push_back({sample[0], sample[1], label, wrong});
  });
  if (samples_ != "training") map.marked_label = "misclassified";
  report.plane_map(map);
}

}  // namespace semblance::evaluators
