// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "newton/preconditioner.hpp"
#include "problem/linear_task.hpp"
#include "semblance_numerics/squared_losses.hpp"

namespace semblance::linear {

/// The number of sampled rows, given the values of all rows and the problems. More rows would cost
/// more than the products that they save.
std::size_t rows_to_sample(double values, std::size_t problems) noexcept;

/// The preconditioner of all problems, made from a sample of the rows; of sparse rows, from the
/// squares of their columns. A sampled one, which is cheap to make, is made anew from the rows then
/// active after enough sweeps to make its cost negligible.
class SharedPreconditioner {
 public:
  /// `memory`: limit in bytes. Throws Error if it needs more: another one would give other bits.
  SharedPreconditioner(const LinearTask& task, std::size_t problems, std::size_t memory,
                       Context& context);

  /// Makes it if due, for the problems at their present functions. False if a stop was requested.
  /// Collective. `sweeps`: of conjugate gradients so far.
  bool prepare(const numerics::SquaredLosses& losses, std::span<const std::size_t> live,
               std::size_t sweeps);

  void apply(const Vectors<double>& r, std::span<const std::size_t> live,
             Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// Makes the next prepare() make it anew.
  void reset() noexcept { made_.reset(); }

  std::size_t retained_bytes() const noexcept;

 private:
  bool due(std::size_t sweeps) const;
  void check_memory(std::size_t memory) const;

  const LinearTask& task_;
  std::size_t problems_;
  Context& context_;
  double values_;            // of all rows
  std::size_t most_rows_;    // sampled
  std::size_t made_at_ = 0;  // sweeps
  std::unique_ptr<Preconditioner> made_;
};

}  // namespace semblance::linear
