// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "point_templates.hpp"
#include "row_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

/// `normalizer/found_parts`: squares of each image around points found in it.
class FoundParts final : public Normalizer {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  static Declaration<FoundParts> declare();

 private:
  PointTemplate point_template() const;
  std::vector<double> sum_of_squares_found(const Rows& rows, Context& context) const;
  void set_templates(std::span<const double> sums);

  // From left to right, symmetric: outer corner and inner corner of the left eye, nostril, corner
  // of the mouth, tip of the nose, and the same of the other side.
  std::vector<double> x_ = {0.178, 0.418, 0.392, 0.305, 0.5, 0.695, 0.608, 0.582, 0.822};
  std::vector<double> y_ = {0.428, 0.422, 0.633, 0.749, 0.606, 0.749, 0.633, 0.422, 0.428};
  std::int64_t template_ = 28;
  std::int64_t search_ = 6;
  std::int64_t rounds_ = 3;
  std::int64_t part_ = 40;
  Layout input_;
  std::vector<Corner> template_corners_;  ///< the average positions of the points
  std::vector<Corner> part_corners_;
  FloatMatrix templates_;  ///< one per row, with mean 0 and length 1; or 0
};

std::size_t size(std::int64_t x) { return static_cast<std::size_t>(x); }

void FoundParts::check_parameters() const {
  if (x_.empty() || x_.size() != y_.size())
    throw Error("'x' and 'y' have " + std::to_string(x_.size()) + " and " +
                std::to_string(y_.size()) + " values; give both for every point");
}

Layout FoundParts::bind(const Layout& input) {
  if (input.kind != LayoutKind::image)
    throw Error("found_parts needs images, not a " + describe(input) +
                "; connect it to a source of images");
  input_ = input;
  template_corners_.clear();
  part_corners_.clear();
  for (std::size_t p = 0; p < x_.size(); ++p) {
    template_corners_.push_back(corner_around(input, y_[p], x_[p], size(template_)));
    part_corners_.push_back(corner_around(input, y_[p], x_[p], size(part_)));
  }
  return Layout::image(size(part_), x_.size() * size(part_), input.depth);
}

PointTemplate FoundParts::point_template() const { return {size(template_), size(search_)}; }

/// For each point, the sum over the training images of the squares found with the present
/// templates.
std::vector<double> FoundParts::sum_of_squares_found(const Rows& rows, Context& context) const {
  const RowParts parts(rows.rows());
  std::vector<double> total(templates_.values.size());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    PointTemplate point = point_template();
    visit_blocks(rows, parts, part, context, [&](MatrixView view, std::size_t row) {
      for (std::size_t i = 0; i < view.rows; ++i) {
        check_finite(view.row(i), view.cols, row + i, RowError::Of::training);
        for (std::size_t p = 0; p < templates_.rows; ++p) {
          context.check_stop();
          point.look(input_, view.row(i), template_corners_[p]);
          point.add_to(sums.subspan(p * templates_.cols, templates_.cols),
                       point.find(templates_.view().row_span(p)));
        }
      }
    });
  });
  return total;
}

void FoundParts::set_templates(std::span<const double> sums) {
  for (std::size_t p = 0; p < templates_.rows; ++p) {
    const auto sum = sums.subspan(p * templates_.cols, templates_.cols);
    double squares = 0;
    for (const double x : sum) squares += x * x;
    for (std::size_t k = 0; k < sum.size(); ++k)
      templates_.view().row(p)[k] =
          squares > 0 ? static_cast<float>(sum[k] / std::sqrt(squares)) : 0.0f;
  }
}

void FoundParts::fit(const TrainingSet& training, Context& context) {
  check_width(input_.size(), training.rows.cols());
  context.check_stop();
  check_any(training.rows);
  // Templates of zeros find every point at its average position.
  templates_ = FloatMatrix(x_.size(), size(template_ * template_));
  const std::int64_t passes = search_ > 0 ? rounds_ + 1 : 1;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    set_templates(sum_of_squares_found(training.rows, context));
    context.progress(double(pass + 1), double(passes));
  }
}

void FoundParts::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_width(input_.size(), in.cols);
  const std::size_t points = templates_.rows, side = size(part_), width = points * side;
  const std::size_t plane = input_.height * input_.width;
  PointTemplate point = point_template();
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_finite(in.row(i), in.cols, i, RowError::Of::block);
    for (std::size_t p = 0; p < points; ++p) {
      context.check_stop();
      Corner shift;
      if (search_ > 0) {
        point.look(input_, in.row(i), template_corners_[p]);
        shift = point.find(templates_.view().row_span(p));
      }
      const Corner corner{part_corners_[p].top + shift.top, part_corners_[p].left + shift.left};
      for (std::size_t c = 0; c < input_.depth; ++c)
        copy_square(input_, in.row(i) + c * plane, corner, side,
                    out.row(i) + c * side * width + p * side, width);
    }
  }
}

void FoundParts::save(StateWriter& state) const { state.floats("templates", templates_.view()); }

void FoundParts::load(const StateReader& state, Context&) {
  FloatMatrix templates = state.floats("templates");
  if (templates.rows != x_.size() || templates.cols != size(template_ * template_))
    throw Error("the state has " + std::to_string(templates.rows) + " templates of " +
                std::to_string(templates.cols) + " pixels, not " + std::to_string(x_.size()) +
                " of " + std::to_string(template_ * template_) + "; fit it again");
  templates_ = std::move(templates);
}

Declaration<FoundParts> FoundParts::declare() {
  return Declaration<FoundParts>(
             "normalizer/found_parts",
             "Squares of each image around points that are found in it, such as "
             "the eyes of aligned faces")
      .parameter(
          "x", &FoundParts::x_,
          "where each point lies on average, horizontally; 0: the first column of pixels, 1: "
          "the last",
          at_least(0), at_most(1))
      .parameter("y", &FoundParts::y_, "the same vertically, 0: the first row, 1: the last",
                 at_least(0), at_most(1))
      .parameter("template", &FoundParts::template_,
                 "side length of the square around a point by which it is found", at_least(2),
                 at_most(64), unit("pixels"))
      .parameter("search", &FoundParts::search_,
                 "how far from there a point is looked for, up, down, left and right; 0: squares "
                 "are cut out there",
                 at_least(0), at_most(32), unit("pixels"))
      .parameter(
          "rounds", &FoundParts::rounds_,
          "how often the points are found in the training images and the templates averaged again",
          at_least(0), at_most(20))
      .parameter("part", &FoundParts::part_, "side length of the squares that are cut out",
                 at_least(1), at_most(256), unit("pixels"))
      .accepts({LayoutKind::image})
      .gives(LayoutKind::image)
      .documentation(
          "Nothing needs to be annotated. The template of a point is the mean of the squares "
          "around it in the training images, each with mean 0 and length 1: at first where the "
          "point lies on average, then, 'rounds' times, where the normalized correlation with the "
          "template is largest. In each image points are found in the same way, one by one, to "
          "whole pixels. The squares come side by side in one image, in the order of the points: 9 "
          "points and parts of 40 pixels give 40x360, in which feature/sift_grid with step 40 and "
          "bins of up to 10 pixels has one descriptor per part, and cells of 20 pixels of "
          "feature/lbp fit. Beyond its border an image is continued with its nearest pixel. "
          "Channels are averaged to find the points. The default points are where the corners of "
          "the eyes and the mouth and three points of the nose lie in the faces of LFW-a, cut to "
          "148x106 pixels as in pipelines/pairwise/lfw_best.yaml. They are symmetric, so that "
          "feature/mirror_mean may follow.")
      .reference(
          "Everingham, Sivic, Zisserman, Hello! My name is... Buffy, BMVC 2006: descriptors at "
          "facial points that are found, as in the pairwise SVM, section 6.3; Lewis, Fast "
          "normalized cross-correlation, 1995")
      .complexity(
          "per image and point, t^2 (2 s + 1)^2 multiplications for templates of t pixels and a "
          "search of s; fit: that for all training rows, once per round")
      .distributed()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        parts:  {is: normalizer/found_parts, x: [0.3, 0.7], y: [0.5, 0.5], template: 8, search: 3, part: 16, from: glyphs}
        hog:    {is: feature/hog, cell: 4, from: parts}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_found_parts() { return FoundParts::declare().entry(); }

}  // namespace semblance::normalizers
