// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/numbers.hpp"
#include "semblance/row_similarity.hpp"

namespace semblance {

/// Sums over the columns of row j of `bases` and the single row x, dense or sparse.
namespace column_sums {

/// One sum per column modulo this number: avoids a chain of additions, and gives the same bits if
/// columns of zeros are omitted.
inline constexpr std::size_t lanes = 8;

/// use(column, b, x) for all columns, of sparse rows for those in which either has a value.
template <class Use>
void for_columns(MatrixView bases, std::size_t j, MatrixView x, const Use& use) {
  const auto b = bases.row_span(j), y = x.row_span(0);
  if (!bases.sparse()) {
    for (std::size_t k = 0; k < y.size(); ++k) use(k, b[k], y[k]);
    return;
  }
  const auto of_b = bases.columns_of(j), of_y = x.columns_of(0);
  for (std::size_t p = 0, q = 0; p < b.size() || q < y.size();) {
    const std::size_t left = p < b.size() ? of_b[p] : bases.cols;
    const std::size_t right = q < y.size() ? of_y[q] : bases.cols;
    use(std::min(left, right), left <= right ? b[p] : 0.0F, right <= left ? y[q] : 0.0F);
    p += left <= right ? 1 : 0;
    q += right <= left ? 1 : 0;
  }
}

/// The sum of term(b, x); of sparse rows, the term is 0 where neither has a value.
template <class Number, class Term>
Number sum(MatrixView bases, std::size_t j, MatrixView x, const Term& term) {
  if (!bases.sparse() && x.cols <= lanes) {  // the same additions
    const float *b = bases.row(j), *y = x.row(0);
    Number all = 0;
    for (std::size_t k = 0; k < x.cols; ++k) all += term(b[k], y[k]);
    return all;
  }
  std::array<Number, lanes> sums = {};
  if (bases.sparse()) {
    for_columns(bases, j, x,
                [&](std::size_t k, float b, float y) { sums[k % lanes] += term(b, y); });
  } else {
    const float *b = bases.row(j), *y = x.row(0);
    std::size_t k = 0;
    for (; k + lanes <= x.cols; k += lanes)
      for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(b[k + l], y[k + l]);
    for (; k < x.cols; ++k) sums[k % lanes] += term(b[k], y[k]);
  }
  Number all = 0;
  for (const Number part : sums) all += part;
  return all;
}

}  // namespace column_sums

/// All that follows from the formula of a measure of sums over columns,
///
///     s(b, x) = value(sum_k term(b_k, x_k)),
///
/// beside float32 blocks: values by definition in double, gradients, parts of columns, and the
/// exported formula. Measure has the public members
///
///     template <class T> T term(T b, T x) const;
///     template <class T> T value(T sum) const;
///
/// for all types of numbers.hpp. Instead of value(sum) it may have value(sum, of_b, of_x), where
/// the others are the sums of term(b_k, b_k) and term(x_k, x_k): if terms are products, the squared
/// lengths. Base stores the bases and compares blocks; it has exported_bases(), kept_basis()
/// and reading() as RowSimilarityBase has.
template <class Measure, class Base>
class ColumnFormula : public Base, public Exportable {
 public:
  Similarity::Abilities abilities() const noexcept override {
    Similarity::Abilities abilities = Base::abilities();
    abilities.compares_with_itself = abilities.compares_plainly = abilities.has_gradient = true;
    return abilities;
  }

  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override {
    this->reading([&](const auto& read) {
      const double of_x = own_sum<double>(x, 0, read);
      for (std::size_t j = 0; j < bases.rows; ++j)
        values[j] = of_sums(sum<double>(bases, j, x, read), own_sum<double>(bases, j, read), of_x);
    });
  }

  void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                             double* gradients) const override {
    this->reading([&](const auto& read) {
      const double of_x = own_sum<double>(x, 0, read);
      for (std::size_t j = 0; j < bases.rows; ++j) {
        const double both = sum<double>(bases, j, x, read);
        const double of_b = own_sum<double>(bases, j, read);
        values[j] = of_sums(both, of_b, of_x);
        const double by_sum = of_sums(Dual(both, 1), Dual(of_b), Dual(of_x)).slope;
        const double by_own = of_sums(Dual(both), Dual(of_b), Dual(of_x, 1)).slope;
        const auto slope = [&](double b, double y) {
          const Dual moved(y, 1);
          const double of_sum = by_sum * measure().term(Dual(b), moved).slope;
          return takes_own_sums() ? of_sum + by_own * measure().term(moved, moved).slope : of_sum;
        };
        double* const gradient = gradients + j * x.cols;
        if (x.sparse()) std::fill_n(gradient, x.cols, slope(0, 0));
        column_sums::for_columns(bases, j, x, [&](std::size_t k, float b, float y) {
          gradient[k] = slope(read(b), read(y));
        });
      }
    });
  }

  /// If parts_make() says that there are parts: value() of each term.
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override {
    if constexpr (takes_own_sums()) {
      Base::compare_parts(basis, x, parts);
    } else {
      for (std::size_t k = 0; k < parts.size(); ++k)
        parts[k] = measure().value(measure().term(double{basis[k]}, double{x[k]}));
    }
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const FloatMatrix bases = this->exported_bases();
    const Formula::Value x = written_row(formula, in);
    const Formula::Value sums = written_sums(formula, x, bases.view());
    Written of_b = 0, of_x = 0;
    if constexpr (takes_own_sums()) {
      const auto read = [](float v) { return v; };
      std::vector<float> own(bases.rows);
      for (std::size_t j = 0; j < own.size(); ++j) own[j] = own_sum<float>(bases.view(), j, read);
      of_b = {formula, formula.constant(std::span<const float>(own))};
      const Written y(formula, x);
      of_x = {formula, formula.sum(measure().term(y, y).in(formula, x))};
    }
    return formula.narrow(of_sums(Written(formula, sums), of_b, of_x).in(formula, sums));
  }

 protected:
  const Measure& measure() const noexcept { return static_cast<const Measure&>(*this); }

  static constexpr bool takes_own_sums() {
    return requires(const Measure& measure, double sum) { measure.value(sum, sum, sum); };
  }

  /// s(b, x) from the sums of term(b, x), of term(b, b) and of term(x, x).
  template <class Number>
  Number of_sums(Number sum, [[maybe_unused]] Number of_b, [[maybe_unused]] Number of_x) const {
    if constexpr (takes_own_sums())
      return static_cast<Number>(measure().value(sum, of_b, of_x));
    else
      return static_cast<Number>(measure().value(sum));
  }

  template <class Number, class Read>
  Number sum(MatrixView bases, std::size_t j, MatrixView x, const Read& read) const {
    return column_sums::sum<Number>(bases, j, x, [&](float b, float y) {
      return static_cast<Number>(
          measure().term(static_cast<Number>(read(b)), static_cast<Number>(read(y))));
    });
  }

  /// The sum of term(x, x) of a row; 0 if value() does not take it.
  template <class Number, class Read>
  Number own_sum(MatrixView rows, std::size_t i, const Read& read) const {
    if constexpr (takes_own_sums())
      return sum<Number>(rows, i, rows.rows_range(i, 1), read);
    else
      return 0;
  }

  /// The row as the exported formula compares it; NaN in place of values that blocks refuse.
  virtual Formula::Value written_row(Formula&, Formula::Value in) const { return in; }

  /// sum_k term(b_k, x_k) for all bases, basis by basis; override it for terms that Formula has.
  virtual Formula::Value written_sums(Formula& formula, Formula::Value x, MatrixView bases) const {
    std::vector<Formula::Value> sums;
    for (std::size_t j = 0; j < bases.rows; ++j) {
      std::vector<float> row(bases.cols);
      this->kept_basis(j, row);
      const Formula::Value b = formula.constant(std::span<const float>(row));
      const Written term = measure().term(Written(formula, formula.wide(x) ? formula.widen(b) : b),
                                          Written(formula, x));
      sums.push_back(formula.sum(term.in(formula, x)));
    }
    return formula.concatenate(sums);
  }
};

/// The simplest way to define a measure of sums over columns, such as one of products or of
/// differences: it states its formula once, for all types of numbers.
///
///     class Cauchy final : public ColumnSimilarity<Cauchy> {
///      public:
///       static Declaration<Cauchy> declare();
///       template <class T> T term(T b, T x) const { return (b - x) * (b - x); }
///       template <class T> T value(T sum) const { return static_cast<T>(1 / (1 + sum)); }
///     };
///
/// Blocks are compared in float32. From the formula follow as well: sparse rows, if term(0, 0) is 0
/// and the declaration accepts them; the check of a sample in double; the gradient; the exported
/// model; and, if parts_make() says so, exact shares of columns. See ColumnFormula for measures
/// that also depend on the lengths of both rows. Products lose digits far from 0, which the check
/// finds; differences do not.
template <class Measure>
class ColumnSimilarity : public ColumnFormula<Measure, RowSimilarityBase> {
  friend Measure;
  ColumnSimilarity() = default;

  bool takes_sparse() const noexcept final { return this->measure().term(0.0, 0.0) == 0; }

  void compare_all(MatrixView bases, MatrixView x, float* values) const final {
    const auto read = [](float value) { return value; };
    const float of_x = this->template own_sum<float>(x, 0, read);
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = this->of_sums(this->template sum<float>(bases, j, x, read),
                                this->template own_sum<float>(bases, j, read), of_x);
  }
};

}  // namespace semblance
