// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "semblance/similarity.hpp"

namespace semblance {

/// The common part of all measures of two rows: stores the bases, checks shapes and values, saves,
/// loads and polls for stops. Derive from RowSimilarity.
class RowSimilarityBase : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return bases_.rows; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  Abilities abilities() const noexcept override {
    return {.compares_with_itself = true, .compares_plainly = true};
  }
  void compare_with_itself(MatrixView rows, float* values) const final;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const final;
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

  /// Three per value, as in a sum of squared differences; override it if compare() needs more.
  double operations() const noexcept override;

 protected:
  /// The layout of a row; known after bind().
  const Layout& layout() const noexcept { return layout_; }

  /// Throws Error if rows of this layout cannot be compared; called by bind().
  /// Declaration::accepts() says which kinds of layout are possible.
  virtual void check_layout(const Layout&) const {}

 private:
  void prepare(const Layout& input) final;
  void keep(FloatMatrix bases);

  /// values[j] = s(row j of bases, x)
  virtual void compare_all(MatrixView bases, std::span<const float> x, float* values) const = 0;

  Layout layout_;
  FloatMatrix bases_;
};

/// The simplest way to define a similarity: one public function of two rows, the basis first. Both
/// have layout().size() values, except that sequences, strings and sets differ in size.
///
///     class Cauchy final : public RowSimilarity<Cauchy> {
///      public:
///       static Declaration<Cauchy> declare();
///       float compare(std::span<const float> b, std::span<const float> x) const;
///     };
///
/// compare() runs on several threads at once and depends only on its arguments and the parameters.
/// It may throw Error; the row's position is added to the message. A result that is not finite is
/// an error as well.
///
/// The class derives from RowSimilarity of itself, so that compare() is inlined: a virtual call
/// takes half a nanosecond per pair, 3 to 10 % for 64 values and 10 to 25 % for 16. The remaining
/// overhead over a hand-written loop is 1 to 2 % for 64 values and less than 1 % for 784. A measure
/// based on products of all bases with all rows is faster if it implements Similarity.
template <class Measure>
class RowSimilarity : public RowSimilarityBase {
  friend Measure;
  RowSimilarity() = default;

  void compare_all(MatrixView bases, std::span<const float> x, float* values) const final {
    static_assert(
        requires(const Measure& measure) {
          { measure.compare(x, x) } -> std::convertible_to<float>;
        },
        "a RowSimilarity needs the public function "
        "float compare(std::span<const float> b, std::span<const float> x) const");
    const auto& measure = static_cast<const Measure&>(*this);
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = static_cast<float>(measure.compare(bases.row_span(j), x));
  }
};

}  // namespace semblance
