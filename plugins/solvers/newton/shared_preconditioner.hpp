// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "newton/preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

enum class PreconditionerKind { automatic, cholesky, diagonal };

/// Whether a Cholesky preconditioner of so many columns is worth its cost where a product with all
/// rows takes so many multiply-adds: those of all problems together.
bool worth_cholesky(std::size_t dimension, double products) noexcept;

/// The preconditioner of all problems, made once from a sample of the rows; the choice of its kind
/// depends on counted operations.
class SharedPreconditioner {
 public:
  /// `memory`: bytes that it may take. Throws Error where the one chosen takes more: another would
  /// give other bits.
  SharedPreconditioner(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory,
                       Context& context);

  /// Makes it at the first call, for the problems where they were evaluated last. False when a
  /// stop was requested. Collective.
  bool prepare(SquaredHinge::Live live);

  void apply(const Vectors<double>& r, SquaredHinge::Live live, Vectors<double>& out) const {
    made_->apply(r, live, out, context_);
  }

  /// So that the next prepare() makes it anew.
  void forget() noexcept {
    made_.reset();
    sampled_ = false;
  }

  /// Tells what it was made of, and takes that over: the next prepare() makes the same. Collective;
  /// taking it over is not.
  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);

  std::size_t kept_bytes() const noexcept {
    return shares_.size() * sizeof(float) +
           (cholesky_ ? cholesky_kept_bytes(problem_.dimension()) : 0);
  }

 private:
  SquaredHinge& problem_;
  Context& context_;
  void sample(SquaredHinge::Live live);

  bool cholesky_;
  bool sampled_ = false;
  std::vector<float> shares_;  // of own rows, once sampled; the cost is the problem's
  double stretch_ = 0;
  std::unique_ptr<Preconditioner> made_;
};

}  // namespace semblance::solvers
