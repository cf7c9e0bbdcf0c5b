// SPDX-License-Identifier: MIT
#include "point_columns.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"

namespace semblance::sets {
namespace {

double mean_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The mean squared distance to the nearest point of the other set, both ways.
class Chamfer final : public RowDistance<Chamfer> {
 public:
  static Declaration<Chamfer> declare() {
    return distance_parameters(
               Declaration<Chamfer>("similarity/chamfer", "Chamfer distance of sets of points"))
        .accepts({LayoutKind::set})
        .symmetric()
        .documentation(
            "The mean over the basis' points of the squared Euclidean distance to the sample's "
            "nearest point, plus the mean over the sample's points of that to the basis' nearest "
            "one. Zero for equal sets, but no metric.")
        .reference(
            "Barrow et al. 1977, Parametric correspondence and chamfer matching; in this form Fan, "
            "Su & Guibas 2017, A point set generation network, with means for sums")
        .complexity("3 |b| |x| d operations per pair, for points of d coordinates")
        .example(R"(
        series: {is: source/warped_series}
        sets:   {is: feature/as_set, time: 1, from: series}
        bases:  {is: basis/random, count: 40, from: sets}
        near:   {is: similarity/chamfer, from: sets, bases: bases}
        phi:    {is: normalizer/mean_norm, from: near}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double distance(std::span<const float> b, std::span<const float> x) const {
    const NearestDistances nearest(b, x, layout().depth);
    return mean_of(nearest.of_basis()) + mean_of(nearest.of_sample());
  }
};

}  // namespace

ComponentEntry declare_chamfer() { return Chamfer::declare().entry(); }

}  // namespace semblance::sets
