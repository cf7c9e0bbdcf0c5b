// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "histogram_kernels.hpp"
#include "semblance/column_similarity.hpp"
#include "semblance_numerics/exponential.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {

/// values[j] = exp(-rate values[j]); NaN for all if one is NaN.
inline void exponentiate_all(std::span<float> values, double rate) {
  const bool numbers = std::ranges::none_of(values, [](float d) { return std::isnan(d); });
  numerics::exponentiate(values.data(), values.size(), static_cast<float>(-rate));
  if (!numbers) std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
}

/// A measure of sums that StoredBases computes: with its value(), the float32 blocks follow.
template <class Measure>
class StoredMeasure : public ColumnFormula<Measure, StoredBases> {
 public:
  /// Turns sums into values. A measure may have one of its own that is faster than value().
  void finish(std::span<float> sums) const {
    for (float& sum : sums) sum = this->of_sums(sum, 0.0F, 0.0F);
  }

 protected:
  bool takes_sparse() const noexcept override { return true; }
  double columns() const noexcept { return static_cast<double>(this->layout().size()); }
  void finish_rows(MutableMatrixView sums) const {
    for (std::size_t i = 0; i < sums.rows; ++i) this->measure().finish(sums.row_span(i));
  }
};

/// value(<b, x>).
template <class Measure>
class ProductMeasure : public StoredMeasure<Measure> {
 public:
  template <class T>
  T term(T b, T x) const {
    return b * x;
  }
  void compare_with_itself(MatrixView rows, float* values) const override {
    this->squared_norms(rows, values);
    this->measure().finish({values, rows.rows});
  }

 private:
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    this->inner_products(in, first, out, context);
    this->finish_rows(out);
  }
  Formula::Value written_sums(Formula& formula, Formula::Value x, MatrixView bases) const override {
    return formula.products(x, bases);
  }
};

/// value(sum_k term(b_k, x_k)) with the terms of the measure's kind(). Its static member `who`
/// compares histograms, whose values must not be negative; null: any values.
template <class Measure>
class HistogramMeasure : public StoredMeasure<Measure> {
 public:
  template <class T>
  T term(T b, T x) const {
    return with_kind(kind(), [&](auto k) { return column_term<decltype(k)::value>(b, x); });
  }
  void compare_with_itself(MatrixView rows, float* values) const override {
    if (is_distance(kind()))
      std::fill_n(values, rows.rows, 0.0F);
    else
      row_sums(rows, values);
    this->measure().finish({values, rows.rows});
  }

 protected:
  void learn(MatrixView bases) override { check(bases, RowError::Of::bases); }
  void check_and_sum(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const {
    check(in, RowError::Of::block);
    if (this->sparse())
      histogram_sums(kind(), in, this->indexed(), first, out, context);
    else
      histogram_sums(kind(), in, this->packed(), first, out, context);
  }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    check_and_sum(in, first, out, context);
    this->finish_rows(out);
  }

 private:
  HistogramSum kind() const noexcept { return this->measure().kind(); }
  static void check(MatrixView rows, RowError::Of of) {
    if (Measure::who) check_histograms(rows, Measure::who, of);
  }
  Formula::Value written_row(Formula& formula, Formula::Value in) const override {
    return Measure::who ? written_histogram(formula, in) : in;
  }
  Formula::Value written_sums(Formula& formula, Formula::Value x, MatrixView bases) const override {
    switch (kind()) {
      case HistogramSum::chi_square:
        return formula.chi_square_sums(x, bases);
      case HistogramSum::harmonic:
        return formula.harmonic_sums(x, bases);
      case HistogramSum::intersection:
        return formula.intersections(x, bases);
      default:
        return StoredMeasure<Measure>::written_sums(formula, x, bases);
    }
  }
};

}  // namespace semblance::vectors
