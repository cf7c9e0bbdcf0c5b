// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/numbers.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// The common part of all measures of two rows: stores the bases, checks shapes and values, saves,
/// loads and polls for stops. Derive from RowSimilarity or ColumnSimilarity.
class RowSimilarityBase : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return bases_.rows; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  Abilities abilities() const noexcept override {
    return {.compares_with_itself = true, .keeps_bases = has_columns()};
  }
  void compare_with_itself(MatrixView rows, float* values) const final;
  void kept_basis(std::size_t basis, std::span<float> row) const final;
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

  /// Whether rows are vectors, images or grids, dense or sparse.
  bool has_columns() const noexcept {
    return !layout_.ragged() || layout_.kind == LayoutKind::sparse;
  }

  /// Whether compare_all() takes sparse rows.
  virtual bool takes_sparse() const noexcept { return false; }

  /// The bases, for writing the measure as a formula.
  FloatMatrix exported_bases() const { return bases_; }

  /// use(read), where read(value) is a value of a row as the measure compares it.
  template <class Use>
  void reading(const Use& use) const {
    use([](float value) { return double{value}; });
  }

 private:
  void prepare(const Layout& input) final;
  void keep(FloatMatrix bases);

  /// values[j] = s(row j of bases, x), where x is a single row.
  virtual void compare_all(MatrixView bases, MatrixView x, float* values) const = 0;

  Layout layout_;
  FloatMatrix bases_;
};

/// The simplest way to define a similarity: one public function of two rows, the basis first. Both
/// have layout().size() values, except that sequences, strings and sets differ in size.
///
///     class Cauchy final : public RowSimilarity<Cauchy> {
///      public:
///       static Declaration<Cauchy> declare();
///       template <class T>
///       T compare(std::span<const T> b, std::span<const T> x) const;
///     };
///
/// As a template over the type of its numbers (numbers.hpp), it is computed in float32, checked in
/// double, and has a gradient, which takes one more comparison per value. Without the template,
/// `float compare(std::span<const float> b, std::span<const float> x) const`, it has no gradient,
/// and reports say that its values are not checked.
///
/// compare() runs on several threads at once and depends only on its arguments and the parameters.
/// It may throw Error; the row's position is added to the message. A result that is not finite is
/// an error as well.
///
/// The class derives from RowSimilarity of itself, so that compare() is inlined: a virtual call
/// takes half a nanosecond per pair, 3 to 10 % for 64 values and 10 to 25 % for 16. The remaining
/// overhead over a hand-written loop is 1 to 2 % for 64 values and less than 1 % for 784. A measure
/// of sums over columns, of products or differences, is shorter and faster as a ColumnSimilarity.
template <class Measure>
class RowSimilarity : public RowSimilarityBase {
 public:
  Abilities abilities() const noexcept override {
    Abilities abilities = RowSimilarityBase::abilities();
    abilities.compares_plainly = compares<double>();
    abilities.has_gradient = compares<Dual>() && has_columns();
    return abilities;
  }

  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override {
    if constexpr (compares<double>()) {
      const std::vector<double> of_x = numbers<double>(x, 0);
      for (std::size_t j = 0; j < bases.rows; ++j)
        values[j] = value<double>(numbers<double>(bases, j), of_x);
    } else {
      Similarity::compare_plainly(bases, x, values);
    }
  }

  void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                             double* gradients) const override {
    if constexpr (compares<Dual>()) {
      if (!has_columns()) return Similarity::compare_with_gradient(bases, x, values, gradients);
      std::vector<Dual> of_x = numbers<Dual>(x, 0);
      for (std::size_t j = 0; j < bases.rows; ++j) {
        const std::vector<Dual> b = numbers<Dual>(bases, j);
        for (std::size_t k = 0; k < of_x.size(); ++k) {
          of_x[k].slope = 1;
          const Dual found = value<Dual>(b, of_x);
          of_x[k].slope = 0;
          values[j] = found.value;
          gradients[j * x.cols + k] = found.slope;
        }
      }
    } else {
      Similarity::compare_with_gradient(bases, x, values, gradients);
    }
  }

 private:
  friend Measure;
  RowSimilarity() = default;

  template <class Number>
  static constexpr bool compares() {
    return requires(const Measure& measure, std::span<const Number> row) {
      { measure.compare(row, row) } -> std::same_as<Number>;
    };
  }

  template <class Number>
  static std::vector<Number> numbers(MatrixView rows, std::size_t i) {
    return {rows.row(i), rows.row(i) + rows.size(i)};
  }

  template <class Number>
  Number value(const std::vector<Number>& b, const std::vector<Number>& x) const {
    return static_cast<const Measure&>(*this).compare(std::span<const Number>(b),
                                                      std::span<const Number>(x));
  }

  void compare_all(MatrixView bases, MatrixView x, float* values) const final {
    const std::span<const float> row = x.row_span(0);
    static_assert(
        requires(const Measure& measure) {
          { measure.compare(row, row) } -> std::convertible_to<float>;
        },
        "a RowSimilarity needs the public function "
        "template <class T> T compare(std::span<const T> b, std::span<const T> x) const");
    const auto& measure = static_cast<const Measure&>(*this);
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = static_cast<float>(measure.compare(bases.row_span(j), row));
  }
};

}  // namespace semblance
