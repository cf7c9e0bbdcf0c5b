// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "histograms/histogram_kernels.hpp"
#include "products/stored_bases.hpp"
#include "semblance/column_similarity.hpp"
#include "semblance_numerics/exponential.hpp"

namespace semblance::vectors {

/// values[j] = exp(-rate values[j]); NaN for all if one is NaN.
inline void exponentiate_all(std::span<float> values, double rate) {
  const bool numbers = std::ranges::none_of(values, [](float d) { return std::isnan(d); });
  numerics::exponentiate(values.data(), values.size(), static_cast<float>(-rate));
  if (!numbers) std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
}

/// A measure of sums that StoredBases computes: with its value(), of the sum alone or of both rows'
/// own sums as well, the float32 blocks follow.
template <class Measure>
class StoredMeasure : public ColumnFormula<Measure, StoredBases> {
 public:
  /// Turns sums into values. A measure of the sum alone may have one that is faster than value().
  void finish(std::span<float> sums) const {
    for (float& sum : sums) sum = this->of_sums(sum, 0.0F, 0.0F);
  }
  void compare_with_itself(MatrixView rows, float* values) const override {
    add_up(rows, values);
    if constexpr (takes_own_sums())
      for (std::size_t i = 0; i < rows.rows; ++i)
        values[i] = value_of(values[i], values[i], values[i]);
    else
      this->measure().finish({values, rows.rows});
  }

 protected:
  using ColumnFormula<Measure, StoredBases>::takes_own_sums;

  bool takes_sparse() const noexcept override { return true; }
  double columns() const noexcept { return static_cast<double>(this->layout().size()); }
  /// sums[i] = sum_k term(x_k, x_k) of row i: 0 for a distance.
  virtual void add_up(MatrixView rows, float* sums) const { std::fill_n(sums, rows.rows, 0.0F); }
  void learn(MatrixView bases) override {
    if constexpr (takes_own_sums()) {
      of_bases_.resize(bases.rows);
      add_up(bases, of_bases_.data());
    }
  }
  /// Turns the sums of the rows of `in` and the bases from `first` on into values.
  void finish_rows(MatrixView in, std::size_t first, MutableMatrixView sums) const {
    if constexpr (takes_own_sums()) {
      std::vector<float> own(in.rows);
      add_up(in, own.data());
      for (std::size_t i = 0; i < sums.rows; ++i)
        for (std::size_t j = 0; j < sums.cols; ++j)
          sums.row(i)[j] = value_of(sums.row(i)[j], of_bases_[first + j], own[i]);
    } else {
      for (std::size_t i = 0; i < sums.rows; ++i) this->measure().finish(sums.row_span(i));
    }
  }

 private:
  float value_of(double sum, double of_b, double of_x) const {
    return static_cast<float>(this->of_sums(sum, of_b, of_x));
  }

  std::vector<float> of_bases_;  // add_up() of the bases, if value() takes it
};

/// value(<b, x>), or value(<b, x>, |b|^2, |x|^2).
template <class Measure>
class ProductMeasure : public StoredMeasure<Measure> {
 public:
  template <class T>
  T term(T b, T x) const {
    return b * x;
  }

 private:
  void add_up(MatrixView rows, float* sums) const override { this->squared_norms(rows, sums); }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    this->inner_products(in, first, out, context);
    this->finish_rows(in, first, out);
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

 protected:
  void learn(MatrixView bases) override {
    check(bases, RowError::Of::bases);
    StoredMeasure<Measure>::learn(bases);
  }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override {
    check(in, RowError::Of::block);
    if (this->sparse())
      histogram_sums(kind(), in, this->indexed(), first, out, context);
    else
      histogram_sums(kind(), in, this->packed(), first, out, context);
    this->finish_rows(in, first, out);
  }

 private:
  void add_up(MatrixView rows, float* sums) const override {
    is_distance(kind()) ? StoredMeasure<Measure>::add_up(rows, sums) : row_sums(rows, sums);
  }
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
