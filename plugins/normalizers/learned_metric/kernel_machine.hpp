// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/definite_factor.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::normalizers {

/// A kernel exp(-width u) of the distance u, in units of its median over the training rows.
enum class Profile {
  gaussian,  ///< u is the squared Euclidean distance, as in similarity/rbf
  laplacian  ///< u is the sum of absolute differences, as in similarity/laplacian
};

/// Rows and the numbers to predict, all centred: n x d and n x k, row-major.
struct MetricData {
  std::size_t rows = 0, cols = 0, outputs = 0;
  std::vector<double> x;
  std::vector<double> y;
};

/// Where to look for a penalty.
struct PenaltySearch {
  double first = 1e-2;    ///< tried first
  bool down = true;       ///< continue with smaller ones, otherwise with larger ones
  bool both_ways = true;  ///< if the first step does not help, the other way as well
};

/// Kernel ridge regression on rows in a metric: f(x) = sum_j alpha_j k(z_j, z), z = R x, over the
/// first `bases` rows (all of them: the usual machine), with the penalty that leave-one-out finds
/// best. The rows should be in random order. All results have the same bits for any number of
/// threads.
class KernelMachine {
 public:
  /// `root` is R: a length per column (d values), or a symmetric matrix (d x d). Throws Cancelled.
  KernelMachine(const MetricData& data, std::size_t bases, std::vector<double> root,
                Profile profile, double width, const PenaltySearch& search, Context& context);

  /// The penalty found, and the way that has not been tried lately.
  const PenaltySearch& penalty() const noexcept { return penalty_; }

  /// The kernel is exp(-rate times the distance).
  double rate() const noexcept { return rate_; }

  /// The squared error of each judged row, summed over the outputs, when it is left out of the sum
  /// over alpha but not of R (Allen's PRESS). Of few rows all are judged, of many the last ones.
  const std::vector<double>& errors() const noexcept { return errors_; }

  /// The squared errors of other rows, summed over the outputs.
  std::vector<double> errors_on(const MetricData& other, Context& context) const;

  /// The mean over the rows, of very many the last ones, of the outer products of f's gradients by
  /// x, summed over the outputs: d x d if `full`, as it must be where R is d x d, otherwise its
  /// diagonal. The absolute value has the derivative 0 at 0.
  std::vector<double> gradient_products(bool full, Context& context) const;

 private:
  bool one_length_per_column() const noexcept { return root_.size() == data_.cols; }
  bool exact() const noexcept { return bases_ == data_.rows; }
  std::vector<double> by_x(std::vector<double> by_z) const;
  std::vector<double> mapped(const MetricData& data) const;
  void distances_from(const double* z, std::size_t count, std::size_t bases, double* distances,
                      std::size_t stride) const;
  double median_distance() const;
  void fill_kernel(double width, Context& context);
  void similarities_of(const double* z, std::size_t count, double* out) const;
  void whiten(Context& context);
  void add_up_products(Context& context);
  std::vector<double> gradients(std::size_t first, std::size_t count) const;
  numerics::Vectors<double> columns_of_bases() const;
  bool solve(double penalty, Context& context);
  std::vector<double> judged_errors(const numerics::DefiniteFactor& factor,
                                    const numerics::Vectors<double>& weights,
                                    Context& context) const;
  void choose_penalty(Context& context);

  const MetricData& data_;
  std::size_t bases_, judged_;    ///< the first and the last rows
  std::vector<double> root_, z_;  ///< R, and R x
  Profile profile_;
  numerics::Vectors<double> columns_;  ///< the bases by columns, if distances need them
  double rate_ = 1;
  /// K or, through bases, the features F = K L^-T, where L L^T is the kernel of the bases.
  numerics::Vectors<double> kernel_;
  numerics::DefiniteFactor bases_factor_;  ///< L
  numerics::Vectors<double> products_;     ///< F^T F, its lower triangle
  numerics::Vectors<double> moments_;      ///< per output: y, or F^T y
  numerics::Vectors<double> alpha_;        ///< one row per output
  std::vector<double> errors_;
  PenaltySearch penalty_;
};

/// The mean of the values; 0 without any.
double mean_of(std::span<const double> values);

}  // namespace semblance::normalizers
