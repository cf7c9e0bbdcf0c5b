// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::normalizers {

/// How a kernel falls with the squared distance u, in units of its median over the training rows.
enum class Profile {
  gaussian,  ///< exp(-width u)
  laplacian  ///< exp(-width sqrt(u))
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

  /// The squared error of each row, summed over the outputs, when it is left out of the sum over
  /// alpha but not of R (Allen's PRESS).
  const std::vector<double>& errors() const noexcept { return errors_; }

  /// The squared errors of other rows, summed over the outputs.
  std::vector<double> errors_on(const MetricData& other, Context& context) const;

  /// The mean over the rows of the outer products of f's gradients by x, summed over the outputs:
  /// d x d if `full`, as it must be where R is d x d, otherwise its diagonal. The gradient of a
  /// Laplacian at distance 0 is left out.
  std::vector<double> gradient_products(bool full, Context& context) const;

 private:
  bool one_length_per_column() const noexcept { return root_.size() == data_.cols; }
  std::vector<double> by_x(std::vector<double> by_z) const;
  std::vector<double> mapped(const MetricData& data) const;
  double kernel(double squared) const noexcept;
  double slope(double squared) const noexcept;
  template <class Body>
  void for_blocks(std::span<const double> z, std::size_t rows, Context& context,
                  const Body& body) const;
  bool solve(double penalty, Context& context);
  void choose_penalty(double first, Context& context);

  const MetricData& data_;
  std::vector<double> root_, z_, norms_;  ///< R, R x, and their squared lengths
  Profile profile_;
  double width_, scale_ = 1;  ///< of the kernel, and the median squared distance
  numerics::Vectors<double> kernel_;
  numerics::Vectors<double> alpha_;  ///< one row per output
  std::vector<double> errors_;
  double penalty_ = 0;
};

/// The mean of the values; 0 without any.
double mean_of(std::span<const double> values);

}  // namespace semblance::normalizers
