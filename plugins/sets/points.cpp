// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::sets {
namespace {

/// The strongest cells of a grid, or pixels of an image, as points.
class Points final : public RowFeature {
 public:
  static Declaration<Points> declare() {
    return Declaration<Points>("feature/points", "The strongest cells or pixels as points of a set")
        .parameter(
            "count", &Points::count_,
            "number of points: those whose values have the largest norm; all, if there are fewer",
            at_least(1), at_most(1000000), unit("points"))
        .parameter("place", &Points::place_, "weight of a point's row and column", at_least(0))
        .parameter("value", &Points::value_,
                   "weight of the cell's values as further coordinates; 0: omitted", at_least(0))
        .accepts({LayoutKind::image, LayoutKind::grid})
        .gives(LayoutKind::set)
        .documentation(
            "A point is (row, column, values of the cell), rows and columns counted from 0. Among "
            "cells with equal norms the upper and then the left one comes first. Every set has the "
            "same number of points, some of which may be cells without values.")
        .reference("Rubner, Tomasi & Guibas 2000, section 2: signatures")
        .complexity("a sort of the cells")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        ink:    {is: feature/points, count: 40, value: 0, from: glyphs}
        bases:  {is: basis/random, count: 40, from: ink}
        near:   {is: similarity/chamfer, from: ink, bases: bases}
        svm:    {is: solver/linear_svm, from: near}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::size_t values_of(std::size_t) const override { return size_; }

 private:
  Layout prepare(const Layout& input) override {
    cells_ = input.height * input.width;
    taken_ = std::min(cells_, static_cast<std::size_t>(count_));
    const Layout set = Layout::set(taken_, 2 + (value_ > 0 ? input.depth : 0));
    size_ = set.size();
    return set;
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const Layout& from = layout();
    const auto value = [&](std::size_t cell, std::size_t k) {
      return from.kind == LayoutKind::image ? in[k * cells_ + cell] : in[cell * from.depth + k];
    };
    std::vector<double> norms(cells_);
    for (std::size_t cell = 0; cell < cells_; ++cell)
      for (std::size_t k = 0; k < from.depth; ++k)
        norms[cell] += double(value(cell, k)) * value(cell, k);
    std::vector<std::size_t> order(cells_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t cell) { return norms[cell]; });
    auto to = out.begin();
    for (std::size_t p = 0; p < taken_; ++p) {
      const std::size_t cell = order[p];
      *to++ = static_cast<float>(place_ * static_cast<double>(cell / from.width));
      *to++ = static_cast<float>(place_ * static_cast<double>(cell % from.width));
      for (std::size_t k = 0; value_ > 0 && k < from.depth; ++k)
        *to++ = static_cast<float>(value_ * value(cell, k));
    }
  }

  std::int64_t count_ = 64;
  double place_ = 1;
  double value_ = 1;
  std::size_t cells_ = 0;  // of a sample
  std::size_t taken_ = 0;
  std::size_t size_ = 0;  // of a set
};

}  // namespace

ComponentEntry declare_points() { return Points::declare().entry(); }

}  // namespace semblance::sets
