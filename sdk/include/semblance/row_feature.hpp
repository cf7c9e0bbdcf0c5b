// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/feature.hpp"

namespace semblance {

/// The simplest way to define a feature: one function that turns one row into another. This class
/// checks shapes and polls for stops. If rows differ in size, so do the spans; override values_of()
/// if a row changes its size and stays a sequence, string or set.
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
  /// The output layout for this input layout; by default the same. Throws Error if it cannot work
  /// with that layout. Called by bind().
  virtual Layout prepare(const Layout& input) { return input; }

  /// Writes every value of `out`. Runs on several threads at once and depends only on `in` and the
  /// parameters. It may throw Error; the row's position is added to the message. A result that is
  /// not finite is an error if `in` is finite.
  virtual void transform(std::span<const float> in, std::span<float> out) const = 0;

  /// The layout of the input rows; known after bind().
  const Layout& layout() const noexcept { return layout_; }

 private:
  Layout layout_;
  std::size_t values_ = 0;  ///< of an output row
};

}  // namespace semblance
