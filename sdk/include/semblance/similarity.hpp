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

  /// Returns a vector layout with one value per basis; before set_bases() its depth is 0.
  Layout bind(const Layout& input) final;

  /// Copies the bases and prepares apply(). `indices` are the source's numbers of the bases
  /// (Dataset::number()), in the order of `bases`; most measures need only the values.
  virtual void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                         Context& context) = 0;

  /// Number of bases set.
  virtual std::size_t bases() const noexcept = 0;

  /// Floating-point operations for one pair, for estimates; known after bind().
  virtual double operations() const noexcept = 0;

  /// Computes only the columns [first, first + out.cols) of apply()'s result, with the same bits.
  /// The default computes all and copies these; measures that can compute fewer should override it.
  virtual void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                           Context& context) const;

  /// True only if it is proven, for all accepted samples and the current parameters, that s is
  /// symmetric and that all its kernel matrices are positive semi-definite, up to rounding. Solvers
  /// that need this then check nothing.
  virtual bool positive_semidefinite() const noexcept { return false; }

  /// True only if s(b, x) is the inner product <b, x> of the rows in float32. Users of the measure
  /// may then work on the rows themselves.
  virtual bool inner_product() const noexcept { return false; }

  /// Whether s(b, x) depends on bases other than b, because something (a width) is learned from all
  /// of them. Removing one basis then changes the similarities to the others.
  virtual bool learns_from_bases() const noexcept { return false; }

 protected:
  /// Checks the layout; throws Error when the measure cannot work with it.
  virtual void prepare(const Layout& input) = 0;
};

}  // namespace semblance
