// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "newton/preconditioner.hpp"
#include "problem/linear_task.hpp"
#include "semblance_numerics/squared_losses.hpp"

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
  SharedPreconditioner(const LinearTask& task, std::size_t problems, PreconditionerKind kind,
                       std::size_t memory, Context& context);

  /// Makes it if due, for the problems at their present functions. False if a stop was requested.
  /// Collective. `sweeps`: of conjugate gradients so far.
  bool prepare(const numerics::SquaredLosses& losses, std::span<const std::size_t> live,
               std::size_t sweeps);

  void apply(const Vectors<double>& r, std::span<const std::size_t> live,
             Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// Makes the next prepare() make it anew.
  void reset() noexcept {
    made_.reset();
    sampled_ = false;
    begins_ = false;
  }

  std::size_t retained_bytes() const noexcept;

 private:
  bool changes(std::size_t sweeps) const;
  bool sample(const numerics::SquaredLosses& losses, std::span<const std::size_t> live);
  std::size_t wanted_rows(std::size_t live) const;
  void check_memory(std::size_t memory) const;

  const LinearTask& task_;
  std::size_t problems_;
  Context& context_;
  double values_;            // of all rows
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

}  // namespace semblance::linear
