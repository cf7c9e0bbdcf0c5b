// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "newton/preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

enum class PreconditionerKind { automatic, cholesky, sampled, diagonal };

/// Whether a Cholesky preconditioner of so many columns is worth its cost where a product with all
/// rows takes so many multiply-adds: those of all problems together.
bool worth_cholesky(std::size_t dimension, double products) noexcept;

/// How many rows a sampled preconditioner has where all problems together have so many values in
/// so many columns: where more of them would cost more than the products that they spare.
std::size_t rows_to_sample(double values, std::size_t problems) noexcept;

/// The preconditioner of all problems, made from a sample of the rows; the choice of its kind
/// depends on counted operations. A sampled one, which is cheap to make, is made of few rows where
/// the problems begin and all rows are active, of those that are active after the first step, and
/// again whenever so many sweeps have followed that making it takes little beside them.
class SharedPreconditioner {
 public:
  /// `memory`: bytes that it may take. Throws Error where the one chosen takes more: another would
  /// give other bits.
  SharedPreconditioner(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory,
                       Context& context);

  /// Makes it where that is due, for the problems where they were evaluated last. False when a stop
  /// was requested. Collective.
  /// `sweeps`: of conjugate gradients so far.
  bool prepare(SquaredHinge::Live live, std::size_t sweeps);

  void apply(const Vectors<double>& r, SquaredHinge::Live live, Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// So that the next prepare() makes it anew.
  void forget() noexcept {
    made_.reset();
    sampled_ = false;
    begins_ = false;
  }

  /// Tells what it was made of, and takes that over: the next prepare() makes the same. Collective;
  /// taking it over is not.
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
  std::size_t most_rows_;    // of a sampled one
  bool begins_ = true;       // where all rows are active
  bool sampled_ = false;
  std::size_t sampled_at_ = 0;      // sweeps
  std::vector<float> shares_;       // of own rows, once sampled; the cost is the problem's
  std::vector<float> importances_;  // of own rows, for a sampled one
  double stretch_ = 0;
  std::unique_ptr<Preconditioner> made_;
};

}  // namespace semblance::solvers
