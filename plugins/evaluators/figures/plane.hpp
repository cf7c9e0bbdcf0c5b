// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "figures/scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

/// Helpers for evaluators that draw the plane.
namespace semblance::evaluators {

/// A base of evaluators that draw a map of the plane.
class DrawsPlane : public Evaluator {
 protected:
  template <class T>
  static void declare_plane(Declaration<T>& declaration) {
    declaration
        .parameter("points", &DrawsPlane::points_, "number of grid points along each side",
                   at_least(2), at_most(1000))
        .parameter("margin", &DrawsPlane::margin_,
                   "margin of the grid around the data on each side, as a share of their range",
                   at_least(0), at_most(10))
        .parameter("most_samples", &DrawsPlane::most_samples_,
                   "if there are more samples, draw a fixed random selection of this many",
                   at_least(0), at_most(100000));
  }
  /// A square grid over the data and a margin around them, row by row from the lowest y. Throws
  /// Error if a point is not finite, or if the grid and its scores do not fit into the memory
  /// budget.
  FloatMatrix grid(const Dataset& data, Context& context) const;
  std::size_t most_samples() const noexcept { return static_cast<std::size_t>(most_samples_); }

 private:
  std::int64_t points_ = 160;
  double margin_ = 0.08;
  std::int64_t most_samples_ = 2000;
};

/// Whether the source's samples are points of the plane.
bool is_plane(const Layout& layout) noexcept;

/// Calls body(row, sample) for all rows of points of the plane, a block at a time.
void for_each_point(
    const Dataset& data, const Context& context,
    const std::function<void(std::size_t row, std::span<const float> sample)>& body);

/// An empty map of the plane where grid() laid the probes.
PlaneMap map_of_grid(const Results& test);

/// `most` of the rows [first, end), spread evenly but not with a fixed step, since classes may
/// alternate row by row.
std::vector<bool> chosen_rows(std::size_t first, std::size_t end, std::size_t most);

}  // namespace semblance::evaluators
