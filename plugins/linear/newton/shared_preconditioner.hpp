// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "newton/preconditioner.hpp"
#include "newton/squared_hinge.hpp"

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
  SharedPreconditioner(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory,
                       Context& context);

  /// Makes it if due, for the problems at their last evaluated points. False if a stop was
  /// requested. Collective. `sweeps`: of conjugate gradients so far.
  bool prepare(SquaredHinge::Live live, std::size_t sweeps);

  void apply(const Vectors<double>& r, SquaredHinge::Live live, Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// Makes the next prepare() make it anew.
  void forget() noexcept {
    made_.reset();
    sampled_ = false;
    begins_ = false;
  }

  /// Saves and restores its inputs, so that the next prepare() makes the same. Saving is
  /// collective, restoring is not.
  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);

  std::size_t kept_bytes() const noexcept {
    const std::size_t shares = (shares_.size() + importances_.size()) * sizeof(float),
                      d = problem_.dimension();
    if (kind_ == PreconditionerKind::cholesky) return shares + cholesky_kept_bytes(d);
    return shares + (kind_ == PreconditionerKind::sampled ? sampled_kept_bytes(most_rows_, d) : 0);
  }

 private:
  SquaredHinge& problem_;
  Context& context_;
  bool changes(std::size_t sweeps) const;
  bool sample(SquaredHinge::Live live);
  std::size_t wanted_rows(std::size_t live) const;
  void check_memory(std::size_t memory) const;

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
