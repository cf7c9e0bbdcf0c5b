// SPDX-License-Identifier: MIT
#include "novelty/novelty_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/plain_check.hpp"

namespace semblance::kernel {
namespace {

/// k(x, x), for a linear kernel about the centre.
void compare_with_itself(const Similarity& kernel, std::span<const float> centre,
                         MatrixView samples, double* values) {
  if (centre.empty()) return kernel::compare_with_itself(kernel, samples, values);
  for (std::size_t i = 0; i < samples.rows; ++i) {
    values[i] = 0;
    for (std::size_t k = 0; k < centre.size(); ++k)
      values[i] +=
          (double{samples.row(i)[k]} - centre[k]) * (double{samples.row(i)[k]} - centre[k]);
  }
}

/// k(x, x) of the samples at all places.
std::vector<double> diagonal_of(const Similarity& kernel, const SortedSamples& rows,
                                Context& context) {
  const std::size_t n = rows.order.size();
  std::vector<double> values(n);
  context.parallel_for(block_count(n), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, n - first);
    const FloatMatrix samples =
        gather(rows.rows, rows.layout, std::span(rows.order).subspan(first, count));
    compare_with_itself(kernel, rows.centre, samples.view(), values.data() + first);
  });
  return values;
}

/// The means of k(x, x) and of k(x, z) over some samples that have a weight, and the least of all.
struct Means {
  double diagonal = 0;
  double pairs = 0;
  double least = 0;
};

Means mean_values(const numerics::KernelSource& source, std::span<const double> weights) {
  constexpr std::size_t most_rows = 256;
  std::vector<std::uint32_t> weighted, drawn;
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) weighted.push_back(i);
  for (const std::size_t at : drawn_sample(weighted.size(), most_rows))
    drawn.push_back(weighted[at]);
  FloatMatrix row(1, weights.size());
  Means sums;
  double total = 0;
  for (const std::uint32_t i : drawn) {
    source.compute({&i, 1}, 0, row.view());
    total += weights[i];
    sums.diagonal += weights[i] * double{row.values[i]};
    for (const std::uint32_t j : drawn) {
      sums.pairs += weights[i] * weights[j] * double{row.values[j]};
      sums.least = std::min(sums.least, double{row.values[j]});
    }
  }
  return {sums.diagonal / total, sums.pairs / (total * total), sums.least};
}

/// The size of the gradients' differences: k(x, x), or, as a sphere does not depend on where 0 is,
/// the samples' mean squared distance from their centre, if they differ.
double scale_of(NoveltyShape shape, const Means& means) {
  const double spread = means.diagonal - means.pairs;
  if (shape == NoveltyShape::sphere && spread > 0) return spread;
  return means.diagonal > 0 ? means.diagonal : 1;
}

}  // namespace

NoveltyProblem::NoveltyProblem(NoveltyShape shape, double nu, std::vector<double> weights,
                               const Similarity& kernel, const SortedSamples& rows,
                               const numerics::KernelSource& source, Context& context)
    : shape_(shape),
      weights_(std::move(weights)),
      sum_(nu * std::accumulate(weights_.begin(), weights_.end(), 0.0)) {
  try {
    const Means means = mean_values(source, weights_);
    scale_ = scale_of(shape, means) * std::min(1.0, sum_);
    opposed_ = means.least < 0;
    if (shape == NoveltyShape::sphere) diagonal_ = diagonal_of(kernel, rows, context);
  } catch (const Cancelled&) {  // the solver notices the stop request before it reads any value
    diagonal_.assign(weights_.size(), 0);
  }
}

std::vector<double> NoveltyProblem::start(std::size_t) const {
  std::vector<double> start;
  double left = sum_;
  for (const double weight : weights_) {
    start.push_back(std::min(left, weight));
    left -= start.back();
  }
  return start;
}

void check_compares_with_itself(const Similarity& kernel) {
  if (kernel.abilities().compares_with_itself || kernel.abilities().compares_plainly) return;
  throw Error(
      "its kernel does not compare a sample with itself, which the distance from a centre needs; "
      "use solver/one_class_svm, the same machine where all samples are equally similar to "
      "themselves");
}

void compare_with_itself(const Similarity& kernel, MatrixView rows, double* values) {
  const bool plainly = kernel.abilities().compares_plainly;
  // Linear functions are computed in double.
  if (kernel.abilities().compares_with_itself && !(plainly && kernel.inner_product())) {
    std::vector<float> found(rows.rows);
    kernel.compare_with_itself(rows, found.data());
    std::ranges::copy(found, values);
    return;
  }
  check_compares_with_itself(kernel);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const MatrixView row = rows.rows_range(i, 1);
    kernel.compare_plainly(row, row, values + i);
  }
}

}  // namespace semblance::kernel
