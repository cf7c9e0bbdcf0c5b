// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "point_columns.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance::sets {
namespace {

/// The distances of the points of one set from the nearest of the other.
class Hausdorff final : public RowDistance<Hausdorff> {
 public:
  static Declaration<Hausdorff> declare() {
    return distance_parameters(Declaration<Hausdorff>("similarity/hausdorff",
                                                      "Hausdorff distance of sets of points"))
        .parameter("points", &Hausdorff::points_,
                   "farthest: the distance of the point that is farthest from the other set; "
                   "average: the mean over all points",
                   choices({"farthest", "average"}))
        .parameter("direction", &Hausdorff::direction_,
                   "from_basis: of the basis' points to the sample; from_sample: of the sample's "
                   "to the basis; both: the larger of these two",
                   choices({"both", "from_basis", "from_sample"}))
        .accepts({LayoutKind::set})
        .documentation(
            "The distance of a point to a set is the Euclidean one to the set's nearest point. "
            "points: farthest, direction: both is the Hausdorff distance, a metric; with points: "
            "average it is the modified Hausdorff distance, which one stray point does not decide. "
            "Symmetric with direction: both.")
        .reference(
            "Hausdorff 1914, Grundzuege der Mengenlehre; Dubuisson & Jain 1994, A modified "
            "Hausdorff distance for object matching")
        .complexity("3 |b| |x| d operations per pair, for points of d coordinates")
        .example(R"(
        series: {is: source/warped_series}
        sets:   {is: feature/as_set, time: 1, from: series}
        bases:  {is: basis/random, count: 40, from: sets}
        far:    {is: similarity/hausdorff, points: average, from: sets, bases: bases}
        phi:    {is: normalizer/mean_norm, from: far}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double distance(std::span<const float> b, std::span<const float> x) const {
    const NearestDistances nearest(b, x, layout().depth);
    const auto of = [&](std::span<const float> squares) {
      if (points_ == "farthest") return std::sqrt(double(std::ranges::max(squares)));
      double sum = 0;
      for (const float square : squares) sum += std::sqrt(double(square));
      return sum / static_cast<double>(squares.size());
    };
    if (direction_ == "from_basis") return of(nearest.of_basis());
    if (direction_ == "from_sample") return of(nearest.of_sample());
    return std::max(of(nearest.of_basis()), of(nearest.of_sample()));
  }

 private:
  std::string points_ = "farthest";
  std::string direction_ = "both";
};

}  // namespace

ComponentEntry declare_hausdorff() { return Hausdorff::declare().entry(); }

}  // namespace semblance::sets
