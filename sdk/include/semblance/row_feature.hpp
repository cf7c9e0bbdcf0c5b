// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/feature.hpp"

namespace semblance {

/// The simplest way to a feature: one function that turns one row into another. Shapes are checked
/// and stops polled for it. Where rows differ in size, both spans have the row's own; override
/// values_of() where a row changes its size and stays a sequence, string or set.
///
///     class Squares final : public RowFeature {
///      public:
///       static Declaration<Squares> declare();
///
///      private:
///       void transform(std::span<const float> in, std::span<float> out) const override;
///     };
///
/// A feature that needs working memory is faster as a Feature, whose apply() allocates it once per
/// block.
class RowFeature : public Feature {
 public:
  Layout bind(const Layout& input) final;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;

 protected:
  /// The layout of the rows made from rows of this layout: the same, unless overridden. Throws
  /// Error where it cannot work with that layout. Called by bind().
  virtual Layout prepare(const Layout& input) { return input; }

  /// Writes every value of `out`. Runs on several threads at once, and depends on nothing but `in`
  /// and the parameters. It may throw Error; the row's place is added. To make a finite row one
  /// that is not finite is an error as well.
  virtual void transform(std::span<const float> in, std::span<float> out) const = 0;

  /// Of the rows to transform; known after bind().
  const Layout& layout() const noexcept { return layout_; }

 private:
  Layout layout_;
  std::size_t values_ = 0;  ///< of a row that is made
};

}  // namespace semblance
