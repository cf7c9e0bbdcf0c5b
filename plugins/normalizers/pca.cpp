// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "principal_axes.hpp"
#include "projection.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// `normalizer/pca`: coordinates along the principal axes of the training samples.
class Pca final : public Projection {
 public:
  static Declaration<Pca> declare();

  void fit(const TrainingSet& training, Context& context) override;

 protected:
  std::size_t directions_for(std::size_t values) const override;

 private:
  std::int64_t components_ = 0;
  double whiten_ = 0;
  std::int64_t iterations_ = 2;
  std::int64_t oversampling_ = 40;
};

/// Variances below this share of the largest are due to rounding of float32 rows.
constexpr double rounding = 1e-10;

/// The axes divided by the root of their variance to the power `whiten`; 0 for axes without
/// variance.
std::vector<double> scaled_axes(PrincipalAxes axes, double whiten) {
  const std::size_t cols = axes.axes.size() / axes.variances.size();
  for (std::size_t k = 0; k < axes.variances.size(); ++k) {
    const bool real = axes.variances[k] > rounding * axes.variances.front();
    const double scale = real ? std::pow(axes.variances[k], -whiten / 2) : 0;
    for (std::size_t c = 0; c < cols; ++c) axes.axes[k * cols + c] *= scale;
  }
  return std::move(axes.axes);
}

std::size_t Pca::directions_for(std::size_t values) const {
  const auto count = static_cast<std::size_t>(components_);
  if (count > values)
    throw Error("rows of " + std::to_string(values) + " values have no " + std::to_string(count) +
                " principal components; lower 'components'");
  return count == 0 ? values : count;
}

void Pca::fit(const TrainingSet& training, Context& context) {
  check_width(cols(), training.rows.cols());
  context.check_stop();
  const auto means = column_means(training.rows, context);
  const auto deviations = column_deviations(training.rows, means, context);
  const AxesSearch search{directions(),
                          std::min(directions() + static_cast<std::size_t>(oversampling_), cols()),
                          static_cast<std::size_t>(iterations_)};
  PrincipalAxes axes = principal_axes(training.rows, means, search, context.random(), context);
  const double kept = std::accumulate(axes.variances.begin(), axes.variances.end(), 0.0);
  double all = 0;
  for (const double d : deviations) all += d * d;
  char share[32];
  std::snprintf(share, sizeof share, "%.4g", all > 0 ? 100 * std::min(kept / all, 1.0) : 0.0);
  context.log(LogLevel::info, std::to_string(directions()) + " of " + std::to_string(cols()) +
                                  " components keep " + share + " % of the variance");
  set(scaled_axes(std::move(axes), whiten_), means);
}

Declaration<Pca> Pca::declare() {
  return Declaration<Pca>("normalizer/pca",
                          "Coordinates along the principal axes of the training rows")
      .parameter("components", &Pca::components_,
                 "number of axes, those of largest variance; 0: one per value of a row",
                 at_least(0), at_most(32000), unit("values"))
      .parameter("whiten", &Pca::whiten_,
                 "power of its standard deviation that each coordinate is divided by; 0: none, 1: "
                 "all variances become 1",
                 at_least(0), at_most(1))
      .parameter("iterations", &Pca::iterations_,
                 "products of the random subspace with the covariance matrix: more are closer to "
                 "the axes",
                 at_least(1), at_most(100))
      .parameter("oversampling", &Pca::oversampling_,
                 "dimensions that the random subspace has beyond 'components'", at_least(0),
                 at_most(10000))
      .accepts({LayoutKind::vector, LayoutKind::grid, LayoutKind::image})
      .gives(LayoutKind::vector)
      .random()
      .documentation(
          "z_k = <v_k, x - m> / d_k^whiten, where m is the mean of the training rows, v_k the "
          "direction in which they vary k-th most, and d_k their standard deviation along it "
          "(divided by n). The axes are found by randomized subspace iteration, which never writes "
          "out the covariance matrix, so rows may have many thousands of values. With the default "
          "settings the leading axes are exact to a few digits and the last ones are approximate; "
          "all are exact, to rounding, where 'components' and 'oversampling' together are at least "
          "the rank of the centred rows. On each axis, the value of largest magnitude is positive. "
          "Axes with less than 1e-10 of the largest variance are rounding: their coordinates are "
          "0. The log says how much of the variance is kept.\n\nWith 'whiten' between 0 and 1, "
          "weak axes gain weight without becoming as strong as the others; descriptors of faces "
          "want 0.5 or more.")
      .reference(
          "Halko, Martinsson, Tropp, Finding structure with randomness: probabilistic "
          "algorithms for constructing approximate matrix decompositions, SIAM Review 2011")
      .complexity(
          "fit: for n rows of d values and m components with oversampling, (4 iterations + 2) n d "
          "m operations, and about 100 d m bytes; apply: 2 d m per row")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/pca, components: 32, whiten: 0.5, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_pca() { return Pca::declare().entry(); }

}  // namespace semblance::normalizers
