// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "projections/projection.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {
namespace {

/// A larger phase, in radians, has lost more than three digits of its place on the circle to
/// float32.
constexpr float largest_phase = 16384;

/// `normalizer/random_fourier`: cosines and sines whose inner products are about those of the
/// Gaussian kernel. The projections are the phases <w_k, x - mean>; the kernel does not depend on
/// the point that is subtracted, but their digits do.
class RandomFourier final : public Projection {
 public:
  static Declaration<RandomFourier> declare() {
    return Declaration<RandomFourier>(
               "normalizer/random_fourier",
               "Random cosines and sines whose inner products approximate the Gaussian kernel")
        .parameter("frequencies", &RandomFourier::frequencies_,
                   "number of random frequencies; a row gets a cosine and a sine of each",
                   at_least(1), at_most(32000))
        .parameter("gamma", &RandomFourier::gamma_,
                   "inverse squared width of the kernel: the larger, the faster it falls with "
                   "distance; a number; scale: 1 / (columns * variance of all values of the "
                   "training samples); auto: 1 / columns",
                   choices({"scale", "auto"}), above(0))
        .accepts({LayoutKind::vector, LayoutKind::grid, LayoutKind::image})
        .gives(LayoutKind::vector)
        .random()
        .documentation(
            "z(x) = (cos <w_k, x - m>, sin <w_k, x - m>) / sqrt(D) for D frequencies w_k, drawn "
            "from the normal distribution of variance 2 gamma; m is the mean of the training rows, "
            "which changes no inner product and saves digits. <z(x), z(y)> is an estimate of "
            "exp(-gamma |x - y|^2) without bias, whose error is about 1 / sqrt(2 D). So a linear "
            "solver on z approximates a kernel machine, at a cost that grows with the number of "
            "rows instead of its square.\n"
            "\n"
            "The draw depends on the node's seed. Two nodes with equal parameters and inputs are "
            "one node, unless `seed: by_name` or a seed of their own distinguishes them.")
        .reference(
            "Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007; "
            "Sutherland, Schneider, On the error of random Fourier features, UAI 2015: pairs of "
            "cosine and sine")
        .complexity(
            "fit: one pass over the rows, two with gamma: scale; apply: 2 D d operations, D "
            "cosines and D sines per row of d values")
        .example(R"(
        points: {is: source/rings}
        x:      {is: normalizer/zscore, from: points}
        z:      {is: normalizer/random_fourier, frequencies: 100, gamma: 2, from: x}
        svm:    {is: solver/linear_svm, from: z}
        test:   {is: evaluator/classification, from: svm})");
  }

  Layout bind(const Layout& input) override {
    Projection::bind(input);
    return Layout::vector(2 * directions());
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols(), training.rows.cols());
    context.check_stop();
    const std::vector<double> means = column_means(training.rows, context);
    // exp(-gamma |d|^2) is the mean of cos <w, d> over normal w of variance 2 gamma.
    const double deviation = std::sqrt(2 * inverse_width(means, training.rows, context));
    Random random = context.random();
    std::vector<double> frequencies(directions() * cols());
    for (double& value : frequencies) value = deviation * random.normal();
    constexpr double largest = std::numeric_limits<float>::max();
    for (const double value : frequencies)
      if (!(std::abs(value) < largest)) throw Error("gamma is too large for float32; lower it");
    set(std::move(frequencies), means);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    const std::size_t count = directions();
    FloatMatrix phases(in.rows, count);
    Projection::apply(in, phases.view(), context);
    for (std::size_t i = 0; i < in.rows; ++i) {
      const float* phase = std::as_const(phases).view().row(i);
      for (std::size_t k = 0; k < count; ++k) {
        if (!(std::abs(phase[k]) <= largest_phase))
          throw RowError(RowError::Of::block, i, "",
                         " is so far from the mean of the training rows that its place is lost to "
                         "rounding; scale the columns (normalizer/zscore) or lower gamma");
        out.row(i)[k] = scale() * std::cos(phase[k]);
        out.row(i)[count + k] = scale() * std::sin(phase[k]);
      }
    }
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const Formula::Value given = Projection::write(formula, in);
    const Formula::Value refused = formula.number(std::numeric_limits<double>::quiet_NaN(), given);
    const Formula::Value phases = formula.where_greater(
        formula.absolute(given), formula.number(largest_phase, given), refused, given);
    const Formula::Value parts[] = {formula.cosine(phases), formula.sine(phases)};
    const Formula::Value both = formula.concatenate(parts);
    return formula.multiply(both, formula.number(scale(), both));
  }

 protected:
  std::size_t directions_for(std::size_t) const override {
    return static_cast<std::size_t>(frequencies_);
  }

 private:
  /// gamma; where all values are equal, any is right.
  double inverse_width(std::span<const double> means, const Rows& rows, Context& context) const {
    if (const auto number = number_given(gamma_)) return *number;
    const auto columns = static_cast<double>(means.size());
    if (gamma_ == "auto") return 1 / columns;
    double mean = 0, variance = 0;
    for (const double value : means) mean += value / columns;
    const std::vector<double> deviations = column_deviations(rows, means, context);
    for (std::size_t c = 0; c < means.size(); ++c)
      variance += (deviations[c] * deviations[c] + (means[c] - mean) * (means[c] - mean)) / columns;
    return variance > 0 ? 1 / (columns * variance) : 1;
  }

  float scale() const { return static_cast<float>(1 / std::sqrt(double(directions()))); }

  std::int64_t frequencies_ = 250;
  std::string gamma_ = "scale";
};

}  // namespace

ComponentEntry declare_random_fourier() { return RandomFourier::declare().entry(); }

}  // namespace semblance::normalizers
