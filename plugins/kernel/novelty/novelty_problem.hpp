// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "dual/dual_task.hpp"

namespace semblance::kernel {

/// The sphere compares samples by their distance to a centre, the plane by their product with a
/// direction; with the same k(x, x) for all samples these are the same.
enum class NoveltyShape { plane, sphere };

/// The problem of one function f that is at least 0 for all but a share nu of the samples:
/// 0 <= b_i <= w_i with sum b = nu sum w. It starts as LIBSVM does, at the bounds of the first
/// rows.
class NoveltyProblem final : public DualTask {
 public:
  /// `weights`: one per sorted sample. Its unit is the mean k(x, x), or, for a sphere, the mean
  /// squared distance from the centre of the samples; times nu n if that is below 1.
  NoveltyProblem(NoveltyShape shape, double nu, std::vector<double> weights,
                 const Similarity& kernel, const SortedSamples& rows,
                 const numerics::KernelSource& source, Context& context);

  std::size_t count() const noexcept override { return 1; }
  std::array<numerics::Range, 2> parts(std::size_t) const override {
    return {numerics::Range{0, weights_.size()}, numerics::Range{}};
  }
  Variable variable(std::size_t, std::size_t i) const override {
    return {1, weights_[i], diagonal_.empty() ? 0 : sum_ * diagonal_[i] / 2};
  }
  std::vector<double> start(std::size_t) const override;
  double unit(std::size_t) const override { return scale_; }
  /// The plane's f is the solution's; that of the sphere is (2 f + 2 bias) / sum b, as the squared
  /// distance from the centre sum_i a_i phi(x_i), with a = b / sum b, is
  /// k(x, x) - 2 sum_i a_i k(x_i, x) + a'Ka.
  Units units(std::size_t) const override {
    if (shape_ == NoveltyShape::plane) return {};
    return {2 / sum_, 0, 2 / sum_ / sum_, 1 / (sum_ * sum_)};
  }

  const std::vector<double>& weights() const noexcept { return weights_; }
  bool opposed() const noexcept { return opposed_; }  ///< some k(x, z) are below 0

 private:
  NoveltyShape shape_;
  std::vector<double> weights_;
  std::vector<double> diagonal_;  // k(x, x), for a sphere
  double sum_;                    // of all coefficients
  double scale_ = 1;              // of the gradients
  bool opposed_ = false;
};

/// k(x, x) for one sample or several.
void compare_with_itself(const Similarity& kernel, MatrixView rows, double* values);
/// Throws Error if the kernel cannot.
void check_compares_with_itself(const Similarity& kernel);

}  // namespace semblance::kernel
