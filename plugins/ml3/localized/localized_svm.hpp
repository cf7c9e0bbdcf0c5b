// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "localized/localized_kernel.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::ml3 {

/// The locally combined linear kernel between training samples, for the dual solver: a value takes
/// cols + kernels multiply-adds, in float32; sums over it use the local weights, in double.
class LocalizedRows final : public numerics::DirectKernel {
 public:
  /// Holds the rows minus the centre.
  LocalizedRows(MatrixView rows, std::span<const double> centre, std::size_t kernels);

  /// These, copied.
  MatrixView rows() const noexcept { return {vectors_.data(), rows_, cols_, stride()}; }

  /// The gates from now on, a row for each row; they must outlive their use.
  void set_gates(const std::vector<double>& gates);

  void values(std::uint32_t variable, std::span<const std::uint32_t> others,
              float* out) const override;
  void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
           std::span<double> sums, Context& context) const override;

  static std::size_t bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept;

 private:
  std::size_t stride() const noexcept { return TwoParts::size(cols_, kernels_); }

  std::size_t rows_;
  std::size_t cols_;
  std::size_t kernels_;
  const std::vector<double>* gates_ = nullptr;
  numerics::AlignedBuffer vectors_;  // TwoParts: rows, and their gates
};

struct LocalizedOptions {
  double cost = 1;
  double tolerance = 0;         ///< of each SVM: its most violating pair
  std::size_t iterations = 50;  ///< gradient steps
  double least_gain = 1e-3;     ///< a step with a smaller relative decrease of J is the last
  Centre centre = {};           ///< subtracted from the rows
  /// The factor of C for each sample; empty: 1.
  std::span<const double> weights = {};
};

/// A two-class machine with locally combined linear kernels.
struct LocalizedSvm {
  Gating gating;
  std::vector<double> weights;  ///< kernels x cols; see local_weights()
  double bias = 0;
  std::vector<double> objectives;     ///< J, the dual's maximum, at the start and after each step
  std::size_t machines = 0;           ///< SVMs begun, those of the line search included
  std::size_t vectors = 0;            ///< support vectors
  double gradient_norm = 0;           ///< of J at the end, as a share of that at the start
  numerics::Convergence convergence;  ///< the relative decrease of J by each step
  Certificate certificate = Certificate::converged;
};

/// Localized multiple kernel learning with linear kernels: gradient steps on the gating lower J,
/// the maximum of the SVM's dual with the combined kernel. Each has a line search that solves the
/// SVM anew: the step is halved until J falls by at least a ten-thousandth of the decrease
/// predicted by the gradient, and doubled for the next one. Each SVM starts at the last step's
/// solution and ends as soon as its dual, a lower bound of J, shows that the step must be halved.
/// `labels` are +1 or -1, `start` is the first gating. After a stop request it returns the best
/// result so far. The result does not depend on the number of threads.
LocalizedSvm train_localized(MatrixView rows, std::span<const signed char> labels, Gating start,
                             const LocalizedOptions& options, Context& context);

/// Bytes that train_localized() takes.
std::size_t localized_bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept;

}  // namespace semblance::ml3
