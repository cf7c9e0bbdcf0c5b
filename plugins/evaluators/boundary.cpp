// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "figures/plane.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

void check_layout(const Layout& layout) {
  if (is_plane(layout)) return;
  throw Error(
      "it draws the plane, so the source's samples must be vectors of 2 values, but each is a " +
      describe(layout) + ": remove this evaluator, or use a source such as source/xor");
}

/// The class of a row of the data, in the solver's numbering; -1: unknown. New data, whose rows are
/// all test samples, may have other classes.
std::int32_t label_of(const Results& test, std::size_t row) {
  const std::size_t first = first_scored_row(*test.data);
  if (row >= first) return test.labels[row - first];
  const std::int32_t own = test.data->labels()[row];
  if (own < 0) return -1;
  const auto found =
      std::ranges::find(test.classes, test.data->outline().classes[static_cast<std::size_t>(own)]);
  return found == test.classes.end() ? -1 : static_cast<std::int32_t>(found - test.classes.begin());
}

/// Circles around samples that others are compared with. Their places are not known yet.
class Circles {
 public:
  Circles(std::span<const ComparedSample> compared, std::size_t most) {
    const std::vector<bool> chosen = chosen_rows(0, compared.size(), most);
    std::map<ComparedSample::As, std::size_t> all, shown;
    for (std::size_t k = 0; k < compared.size(); ++k) {
      ++all[compared[k].as];
      if (!chosen[k]) continue;
      ++shown[compared[k].as];
      rows_[compared[k].row] = compared[k].as;
    }
    // In this order, so that those at the bound have dashed lines.
    using enum ComparedSample::As;
    for (const auto& [as, name] : {std::pair{margin_vector, "support vector on the margin"},
                                   {bounded_vector, "support vector at the bound C"},
                                   {basis, "basis"}}) {
      const std::size_t count = shown[as], of = all[as];
      labels_.push_back(
          std::string(name) +
          (count == of ? "" : " (" + std::to_string(count) + " of " + std::to_string(of) + ")"));
    }
  }
  bool around(std::size_t row) const { return rows_.contains(row); }
  PlaneMap::Circle at(std::size_t row, double x, double y) const {
    return {x, y, static_cast<std::size_t>(rows_.at(row))};
  }
  /// One per ComparedSample::As.
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  std::map<std::size_t, ComparedSample::As> rows_;
  std::vector<std::string> labels_;
};

/// `evaluator/boundary`: the regions in which a classifier of points of the plane decides for each
/// class, as a picture.
class Boundary final : public DrawsPlane {
 public:
  static Declaration<Boundary> declare() {
    Declaration<Boundary> declaration("evaluator/boundary",
                                      "Decision regions of a classifier of points in the plane");
    declaration
        .documentation(
            "For sources of vectors of 2 values. A grid over the data, with a margin around them, "
            "passes through the whole pipeline; the report draws the region of each class, the "
            "class with the largest score (on ties, the one that comes first), and samples as "
            "points. Test samples in another class's region are marked; training samples are not, "
            "as their own scores are not computed.\n"
            "\n"
            "Circles are drawn around the training samples that the scores of others are compared "
            "with: the support vectors of a kernel machine, with a dashed line where the bound C "
            "limits all their coefficients (inside the margin, or misclassified), and the bases of "
            "similarity maps. They are where the source has these samples, also if normalizers "
            "come before the machine, and are drawn with them whatever `samples` says. There are "
            "none if a model is applied to new data.")
        .reference("BE-SVM, Fig. 1; ML3, Fig. 1")
        .complexity("scores points^2 rows; 4 points^2 (classes + 2) bytes")
        .parameter("samples", &Boundary::samples_, "which samples to draw",
                   choices({"test", "training", "both"}))
        .parameter("most_circles", &Boundary::most_circles_,
                   "if there are more support vectors or bases, circle a fixed random selection of "
                   "this many; 0: none",
                   at_least(0), at_most(2000))
        .example(R"(
        points: {is: source/banana}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        plane:  {is: evaluator/boundary, samples: both, from: svm})");
    declare_plane(declaration);
    return declaration;
  }

  Needs needs() const override { return {.probes = true}; }

  /// A square grid over the data and a margin around them, row by row from the lowest y.
  FloatMatrix probes(const Dataset& data, Context& context) const override {
    check_layout(data.outline().layout);
    return grid(data, context);
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    PlaneMap map = map_of_grid(test);
    map.name = "decision_regions";
    map.groups.assign(test.classes.begin(), test.classes.end());
    for (std::size_t i = 0; i < test.probe_scores.rows; ++i)
      map.regions.push_back(predicted_class(test.probe_scores.row_span(i)));

    const std::size_t first_scored = first_scored_row(*test.data),
                      end = first_scored + test.outputs.rows;
    const auto chosen = chosen_rows(samples_ == "test" ? first_scored : 0,
                                    samples_ == "training" ? first_scored : end, most_samples());
    const Circles circles(test.compared, static_cast<std::size_t>(most_circles_));
    map.circle_labels = circles.labels();
    for_each_point(*test.data, context, [&](std::size_t row, std::span<const float> sample) {
      if (circles.around(row)) map.circles.push_back(circles.at(row, sample[0], sample[1]));
      if (!circles.around(row) && (row >= chosen.size() || !chosen[row])) return;
      const std::int32_t label = label_of(test, row);
      const bool wrong = row >= first_scored && label >= 0 &&
                         predicted_class(test.outputs.row_span(row - first_scored)) != label;
      map.points.push_back({sample[0], sample[1], label, wrong});
    });
    if (samples_ != "training") map.marked_label = "misclassified";
    report.plane_map(map);
  }

 private:
  std::string samples_ = "test";
  std::int64_t most_circles_ = 500;
};

}  // namespace

ComponentEntry declare_boundary() { return Boundary::declare().entry(); }

}  // namespace semblance::evaluators
