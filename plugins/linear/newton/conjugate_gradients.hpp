// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "newton/preconditioner.hpp"
#include "newton/squared_losses.hpp"

namespace semblance::linear {

enum class PreconditionerKind { automatic, cholesky, sampled, diagonal };

/// Whether a Cholesky preconditioner for `dimension` columns is worth its cost, if a product with
/// all rows takes `products` multiply-adds for all problems together.
bool worth_cholesky(std::size_t dimension, double products) noexcept;

/// The number of rows of a sampled preconditioner, given the values, problems and columns. More
/// rows would cost more than the products that they save.
std::size_t rows_to_sample(double values, std::size_t problems) noexcept;

/// The preconditioner of all problems, made from a sample of the rows; its kind depends on
/// operation counts. A sampled one, which is cheap to make, is made first from few rows at the
/// start, when all rows are active, then from the rows active after the first step, and again after
/// enough sweeps to make its cost negligible.
class SharedPreconditioner {
 public:
  /// `memory`: limit in bytes. Throws Error if the chosen kind needs more: another kind would give
  /// other bits.
  SharedPreconditioner(SquaredLosses& problem, PreconditionerKind kind, std::size_t memory,
                       Context& context);

  /// Makes it if due, for the problems at their last evaluated points. False if a stop was
  /// requested. Collective. `sweeps`: of conjugate gradients so far.
  bool prepare(SquaredLosses::Live live, std::size_t sweeps);

  void apply(const Vectors<double>& r, SquaredLosses::Live live, Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// Makes the next prepare() make it anew.
  void reset() noexcept {
    made_.reset();
    sampled_ = false;
    begins_ = false;
  }

  std::size_t retained_bytes() const noexcept {
    const std::size_t shares = (shares_.size() + importances_.size()) * sizeof(float),
                      d = problem_.dimension();
    if (kind_ == PreconditionerKind::cholesky) return shares + cholesky_retained_bytes(d);
    return shares +
           (kind_ == PreconditionerKind::sampled ? sampled_retained_bytes(most_rows_, d) : 0);
  }

 private:
  SquaredLosses& problem_;
  Context& context_;
  bool changes(std::size_t sweeps) const;
  bool sample(SquaredLosses::Live live);
  std::size_t wanted_rows(std::size_t live) const;
  void check_memory() const;

  std::size_t memory_;
  PreconditionerKind kind_;  // never automatic
  std::size_t most_rows_;    // for a sampled one
  bool begins_ = true;       // while all rows are active
  bool sampled_ = false;
  std::size_t sampled_at_ = 0;      // sweeps
  std::vector<float> shares_;       // of own rows, once sampled
  std::vector<float> importances_;  // of own rows, for a sampled one
  double stretch_ = 0;
  std::unique_ptr<Preconditioner> made_;
};

/// The stopping rule for the iterations of a problem.
struct CgTarget {
  double reduction = 0.1;  ///< of the residual's norm in the preconditioner's metric
  double residual = 0;     ///< also of its Euclidean norm, unless 0
  double radius = 0;       ///< the largest length of the step
};

/// The result for one problem.
struct CgStep {
  double length = 0;  ///< |s| in the preconditioner's norm
  bool at_radius = false;
};

/// Solves H s = -g approximately for the live problems in lock-step, within a trust region
/// (Steihaug 1983); one Hessian product for all problems takes one sweep over the rows.
class ConjugateGradients {
 public:
  ConjugateGradients(SquaredLosses& problem, const SharedPreconditioner& preconditioner);

  /// False if a stop was requested.
  bool solve(const Vectors<double>& gradient, SquaredLosses::Live live,
             const std::vector<CgTarget>& targets, Vectors<double>& steps);

  const std::vector<CgStep>& results() const noexcept { return results_; }
  std::size_t sweeps() const noexcept { return sweeps_; }
  std::size_t products(std::size_t problem) const noexcept { return products_[problem]; }

  static std::size_t bytes(std::size_t dimension, std::size_t problems) noexcept {
    return 3 * problems * padded(dimension) * sizeof(double);
  }

 private:
  /// The recurrences of one problem.
  struct State {
    double rho = 0;                 // r.M^-1 r
    double start = 0;               // rho at the beginning
    double ss = 0, sp = 0, pp = 0;  // products of step and direction in M's metric
    bool finished = false;
  };

  void advance(std::size_t problem, const CgTarget& target, double* step);
  bool turn(std::size_t problem, const CgTarget& target);

  SquaredLosses& problem_;
  const SharedPreconditioner& preconditioner_;
  Vectors<double> residual_, direction_, product_;
  std::vector<State> states_;
  std::vector<CgStep> results_;
  std::size_t sweeps_ = 0;
  std::vector<std::size_t> products_;  // per problem, in total
};

}  // namespace semblance::linear
