// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
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

/// Kernel ridge regression on rows in a metric: f(x) = sum_j alpha_j k(z_j, z), z = R x, with the
/// penalty that leave-one-out finds best. All results have the same bits for any number of threads.
class KernelMachine {
 public:
  /// `root` is R: a length per column (d values), or a symmetric matrix (d x d). Throws Cancelled.
  KernelMachine(const MetricData& data, std::vector<double> root, Profile profile, double width,
                double first_penalty, Context& context);

  double penalty() const noexcept { return penalty_; }

  /// The kernel is exp(-rate times the distance).
  double rate() const noexcept { return rate_; }

  /// The squared error of each row, summed over the outputs, when it is left out of the sum over
  /// alpha but not of R (Allen's PRESS).
  const std::vector<double>& errors() const noexcept { return errors_; }

  /// The squared errors of other rows, summed over the outputs.
  std::vector<double> errors_on(const MetricData& other, Context& context) const;

  /// The mean over the rows of the outer products of f's gradients by x, summed over the outputs:
  /// d x d if `full`, as it must be where R is d x d, otherwise its diagonal. The absolute value
  /// has the derivative 0 at 0.
  std::vector<double> gradient_products(bool full, Context& context) const;

 private:
  bool one_length_per_column() const noexcept { return root_.size() == data_.cols; }
  std::vector<double> by_x(std::vector<double> by_z) const;
  std::vector<double> mapped(const MetricData& data) const;
  void distances_from(std::span<const double> z, std::size_t first, std::size_t count,
                      double* distances) const;
  void add_gradients(std::span<const double> weights, std::size_t first, std::size_t count,
                     std::span<double> gradients) const;
  template <class Body>
  void for_blocks(std::span<const double> z, std::size_t rows, Context& context,
                  const Body& body) const;
  bool solve(double penalty, Context& context);
  void choose_penalty(double first, Context& context);

  const MetricData& data_;
  std::vector<double> root_, z_;  ///< R, and R x
  Profile profile_;
  double rate_;
  numerics::Vectors<double> kernel_;
  numerics::Vectors<double> alpha_;  ///< one row per output
  std::vector<double> errors_;
  double penalty_ = 0;
};

/// The mean of the values; 0 without any.
double mean_of(std::span<const double> values);

}  // namespace semblance::normalizers
