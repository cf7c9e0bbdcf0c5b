// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "semblance/component.hpp"

namespace semblance {

/// How a similarity is made of one part per column.
enum class PartsMake { sum, product };

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

  /// Whether apply_range() takes time in proportion to the bases compared, down to a hundred.
  virtual bool compares_few_bases() const noexcept { return false; }

  /// Whether choose_bases() is possible with the present bases.
  virtual bool chooses_bases() const noexcept { return false; }

  /// The same measure with only these bases, in this order: its values have the same bits. Takes
  /// time in proportion to their number.
  virtual std::unique_ptr<Similarity> choose_bases(std::span<const std::uint32_t> bases) const;

  /// What it can do besides apply(): each has its function below, which otherwise throws Error.
  struct Abilities {
    bool compares_with_itself = false;
    bool compares_plainly = false;
    bool keeps_bases = false;
    bool has_gradient = false;
  };
  virtual Abilities abilities() const noexcept { return {}; }

  /// values[i] = s(row i, row i), equal up to rounding to the result of apply() for a row and
  /// itself. It turns a kernel into a squared distance, s(x, x) - 2 s(b, x) + s(b, b). Works after
  /// bind(), without bases.
  virtual void compare_with_itself(MatrixView rows, float* values) const;

  /// values[j] = s(row j of `bases`, x), where x is a single row, by definition: pair by pair, from
  /// the unprepared rows, with sums in double, and sharing no arithmetic with apply(). The runtime
  /// and machines compare a random subset of its values with these, or report that they are not
  /// checked. Works after bind(), or after set_bases() if the measure learns from its bases.
  /// Thread-safe.
  virtual void compare_plainly(MatrixView bases, MatrixView x, double* values) const;

  /// The same values with their gradients by x, both by definition in double: gradients[j * x.cols
  /// + k] = ds(row j of `bases`, x) / dx_k, per unit of column k. x is a single row of the size of
  /// a sample; a sparse one is moved in all columns, its zeros included. At a kink, such as |b - x|
  /// at b = x, it is the slope of one side, or 0. With values rounded on the way (bf16), it is the
  /// gradient of the formula at the rounded values. When and how it works is as for
  /// compare_plainly(). Throws Error if it has no gradient.
  virtual void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                                     double* gradients) const;

  /// Copies the row of a basis as passed to set_bases(), zeros included, to `row`, which has the
  /// size of a sample.
  virtual void kept_basis(std::size_t basis, std::span<float> row) const;

  /// Copies the values of a basis in these columns, ascending, of a sample of `width`.
  virtual void kept_values(std::size_t basis, std::span<const std::size_t> columns,
                           std::size_t width, std::span<float> values) const;

  /// Whether s(b, x) = sum_k or prod_k of p_k(b_k, x_k), a part for each column. The share of each
  /// column in a prediction is then computed exactly. Nothing: with these parameters it is neither.
  virtual std::optional<PartsMake> parts_make() const { return std::nullopt; }

  /// parts[k] = p_k(b_k, x_k) for dense rows, in double. Works after set_bases(). Thread-safe.
  virtual void compare_parts(std::span<const float> basis, std::span<const float> x,
                             std::span<double> parts) const;

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
