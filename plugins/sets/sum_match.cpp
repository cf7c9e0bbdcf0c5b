// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "point_columns.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_similarity.hpp"
#include "semblance_numerics/exponential.hpp"

namespace semblance::sets {
namespace {

double mean_match(std::vector<float> squares, std::size_t points, double gamma) {
  numerics::exponentiate(squares.data(), points, -static_cast<float>(gamma));
  double sum = 0;
  for (std::size_t k = 0; k < points; ++k) sum += squares[k];
  return sum / static_cast<double>(points);
}

double mean_match(std::span<const float> squares, double gamma) {
  return mean_match({squares.begin(), squares.end()}, squares.size(), gamma);
}

/// How well the points of two sets match, summed over points.
class SumMatch final : public RowSimilarityBase {
 public:
  static Declaration<SumMatch> declare() {
    return Declaration<SumMatch>("similarity/sum_match",
                                 "Mean match of the points of two sets, of all or of the best")
        .parameter("gamma", &SumMatch::gamma_,
                   "inverse squared width: points q and r match by exp(-gamma |q - r|^2)", above(0),
                   at_most(1e12))
        .parameter("best", &SumMatch::best_,
                   "false: the mean over all pairs of points; true: over each point's best match "
                   "in the other set, the mean of both sets' means")
        .parameter("normalize", &SumMatch::normalize_,
                   "s(b, x) / sqrt(s(b, b) s(x, x)); with best matches s(x, x) is 1 anyway")
        .accepts({LayoutKind::set})
        .symmetric()
        .documentation(
            "The mean over all pairs is positive semi-definite: an inner product of means. It "
            "blurs sets of many points; the best matches distinguish these, but are not positive "
            "semi-definite.")
        .reference(
            "Haussler 1999, Convolution kernels on discrete structures; Wallraven, Caputo & Graf "
            "2003, Recognition with local features: the kernel recipe")
        .complexity(
            "(3 d + 20) |b| |x| operations per pair for all matches, twice that where it is "
            "normalized; 3 d |b| |x| for the best")
        .example(R"(
        series: {is: source/warped_series}
        sets:   {is: feature/as_set, time: 1, from: series}
        bases:  {is: basis/random, count: 40, from: sets}
        match:  {is: similarity/sum_match, gamma: 20, best: true, from: sets, bases: bases}
        phi:    {is: normalizer/mean_norm, from: match}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const auto points = static_cast<double>(layout().width);
    const auto coordinates = static_cast<double>(layout().depth);
    return points * points * (best_ ? 3 * coordinates : 2 * (3 * coordinates + 20));
  }

  /// The mean over all pairs is the inner product of the sets' means in the kernel's space
  /// (Haussler 1999). With best matches there is no such theorem.
  bool positive_semidefinite() const noexcept override { return !best_; }

 private:
  void compare_all(MatrixView bases, MatrixView row, float* values) const override {
    const bool scaled = normalize_ && !best_;
    const std::span<const float> x = row.row_span(0);
    check_points(x, "the sample");
    const double own = scaled ? score(x, x) : 1;
    for (std::size_t j = 0; j < bases.rows; ++j) {
      const auto b = bases.row_span(j);
      check_points(b, "the basis");
      const double scale = scaled ? std::sqrt(own) * std::sqrt(score(b, b)) : 1;
      values[j] = static_cast<float>(score(b, x) / scale);
    }
  }

  double score(std::span<const float> b, std::span<const float> x) const {
    const std::size_t d = layout().depth;
    if (best_) {
      const NearestDistances nearest(b, x, d);
      return (mean_match(nearest.of_basis(), gamma_) + mean_match(nearest.of_sample(), gamma_)) / 2;
    }
    const PointColumns columns(x, d);
    std::vector<float> squares(columns.padded());
    double sum = 0;
    for (std::size_t i = 0; i * d < b.size(); ++i) {
      squared_distances(b.data() + i * d, columns, squares.data());
      sum += mean_match(squares, columns.points(), gamma_);
    }
    return sum * static_cast<double>(d) / static_cast<double>(b.size());
  }

  double gamma_ = 1;
  bool best_ = false;
  bool normalize_ = true;
};

}  // namespace

ComponentEntry declare_sum_match() { return SumMatch::declare().entry(); }

}  // namespace semblance::sets
