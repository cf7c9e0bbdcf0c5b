// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "semblance/component.hpp"

namespace semblance {

/// Kind `similarity`: s(b, x) between bases b and samples x, the basis first. Need not be
/// symmetric nor positive semi-definite. apply() maps a sample to its similarities to all bases,
/// the empirical kernel map of BE-SVM, eq. (3).
///
/// Order of calls: bind(layout of the samples), set_bases(), apply().
class Similarity : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Similarity() override;

  /// Always a vector with one value a basis; before set_bases() the returned depth is 0.
  Layout bind(const Layout& input) final;

  /// Copies and prepares what apply() needs. `indices` are the bases' training rows, in the same
  /// order as `bases`, as numbered by the source (Dataset::number()); most measures need
  /// only the values.
  virtual void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                         Context& context) = 0;

  /// Number of bases set.
  virtual std::size_t bases() const noexcept = 0;

  /// Floating-point operations for one pair, for estimates; known after bind().
  virtual double operations() const noexcept = 0;

  /// The columns [first, first + out.cols) of apply()'s result alone, with the same bits. As it
  /// is, computes all and copies these; measures that need not should override it.
  virtual void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                           Context& context) const;

  /// True only where it is a theorem, for every sample that the measure accepts and with its
  /// present parameters, that s is symmetric and that all matrices of its values are positive
  /// semi-definite, rounding aside. Solvers that need it check nothing then.
  virtual bool positive_semidefinite() const noexcept { return false; }

  /// True only where s(b, x) is the inner product <b, x> of the rows in float32: what is built on
  /// the measure may then work on the rows themselves.
  virtual bool inner_product() const noexcept { return false; }

  /// Whether s(b, x) depends on bases besides b, because something is learned from all of them (a
  /// width). Without one of the bases, the similarities to the others are then not the same.
  virtual bool learns_from_bases() const noexcept { return false; }

 protected:
  /// Checks the layout; throws Error when the measure cannot work with it.
  virtual void prepare(const Layout& input) = 0;
};

}  // namespace semblance
