// SPDX-License-Identifier: MIT
#include "histograms/histogram_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "semblance/parameters.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "histograms/histogram_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace tiles = numerics::HWY_NAMESPACE;
using tiles::FloatTag;
using tiles::FloatVec;
namespace hn = hwy::HWY_NAMESPACE;

/// A vector as a number of column_term().
struct Numbers {
  FloatVec v;
  HWY_INLINE explicit Numbers(FloatVec values) : v(values) {}
  HWY_INLINE explicit Numbers(float value) : v(hn::Set(FloatTag(), value)) {}
  friend HWY_INLINE Numbers operator+(Numbers a, Numbers b) { return Numbers(hn::Add(a.v, b.v)); }
  friend HWY_INLINE Numbers operator-(Numbers a, Numbers b) { return Numbers(hn::Sub(a.v, b.v)); }
  friend HWY_INLINE Numbers operator*(Numbers a, Numbers b) { return Numbers(hn::Mul(a.v, b.v)); }
  friend HWY_INLINE Numbers operator/(Numbers a, Numbers b) { return Numbers(hn::Div(a.v, b.v)); }
  friend HWY_INLINE Numbers min(Numbers a, Numbers b) { return Numbers(hn::Min(a.v, b.v)); }
  friend HWY_INLINE Numbers max(Numbers a, Numbers b) { return Numbers(hn::Max(a.v, b.v)); }
  friend HWY_INLINE Numbers abs(Numbers a) { return Numbers(hn::Abs(a.v)); }
};

#include "histograms/column_terms-inl.hpp"

template <HistogramSum kSum>
HWY_INLINE FloatVec term(FloatVec b, FloatVec x) {
  return HWY_NAMESPACE::column_term<kSum>(Numbers(b), Numbers(x)).v;
}

template <HistogramSum kSum, std::size_t R>
HWY_INLINE void add_row(const float* HWY_RESTRICT a, FloatVec low, FloatVec high, tiles::Tile& t) {
  const FloatVec x = hn::Set(FloatTag(), a[R]);
  t.low[R] = hn::Add(t.low[R], term<kSum>(low, x));
  t.high[R] = hn::Add(t.high[R], term<kSum>(high, x));
}

template <HistogramSum kSum, std::size_t... R>
HWY_INLINE void add_step(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, tiles::Tile& t,
                         std::index_sequence<R...>) {
  const FloatVec low = hn::Load(FloatTag(), b);
  const FloatVec high = hn::Load(FloatTag(), b + tiles::lanes);
  (add_row<kSum, R>(a, low, high, t), ...);
}

template <HistogramSum kSum>
void sum_panel(const numerics::PackedBlock& block, const numerics::PackedRows& bases,
               std::size_t panel, std::size_t first_base, MutableMatrixView out) {
  const std::size_t begin = panel * tiles::tile_width;
  const std::size_t first = std::max(begin, first_base);
  const std::size_t cols = std::min(begin + tiles::tile_width, first_base + out.cols) - first;
  for (std::size_t g = 0; g < block.groups(); ++g) {
    const float* a = block.group(g);
    const float* b = bases.panel(panel);
    tiles::Tile t;
    tiles::clear(t, tiles::TileRows());
    for (std::size_t k = 0; k < block.cols(); ++k) {
      add_step<kSum>(a, b, t, tiles::TileRows());
      a += tiles::tile_rows;
      b += tiles::tile_width;
    }
    HWY_ALIGN float sums[tiles::tile_size];
    tiles::store(t, sums, tiles::tile_width, tiles::TileRows());
    const std::size_t row = g * tiles::tile_rows;
    tiles::copy_part(sums + (first - begin), std::min(tiles::tile_rows, block.rows() - row), cols,
                     out.row(row) + (first - first_base), out.stride);
  }
}

void histogram_panel(HistogramSum sum, const numerics::PackedBlock& block,
                     const numerics::PackedRows& bases, std::size_t panel, std::size_t first,
                     MutableMatrixView out) {
  switch (sum) {
    case HistogramSum::chi_square:
      return sum_panel<HistogramSum::chi_square>(block, bases, panel, first, out);
    case HistogramSum::harmonic:
      return sum_panel<HistogramSum::harmonic>(block, bases, panel, first, out);
    case HistogramSum::intersection:
      return sum_panel<HistogramSum::intersection>(block, bases, panel, first, out);
    case HistogramSum::absolute:
      return sum_panel<HistogramSum::absolute>(block, bases, panel, first, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(histogram_panel);

void histogram_sums(HistogramSum sum, MatrixView in, const numerics::PackedRows& bases,
                    std::size_t first, MutableMatrixView out, Context& context) {
  if (out.cols == 0) return;
  const numerics::PackedBlock block(in);
  const std::size_t last = (first + out.cols - 1) / bases.width();
  for (std::size_t panel = first / bases.width(); panel <= last; ++panel) {
    context.check_stop();
    HWY_DYNAMIC_DISPATCH(histogram_panel)(sum, block, bases, panel, first, out);
  }
}

namespace {

/// sums[j] += term(x, b) for the bases first + j with a value b in the column.
template <class T, class Term>
void add_column(const numerics::IndexedRows::Column& column, float x, std::size_t first,
                std::span<T> sums, const Term& term) {
  const auto begin = first == 0 ? column.rows.begin()
                                : std::lower_bound(column.rows.begin(), column.rows.end(), first);
  const float* value = column.values + (begin - column.rows.begin());
  const std::size_t end = first + sums.size();
  for (auto row = begin; row != column.rows.end() && *row < end; ++row, ++value)
    sums[*row - first] += term(x, *value);
}

/// The sums of a row over its columns in ascending order, as the dense form has them.
template <class T, class Term>
void add_columns(MatrixView in, std::size_t i, const numerics::IndexedRows& bases,
                 std::size_t first, std::span<T> sums, const Term& term) {
  const auto columns = in.columns_of(i);
  for (std::size_t k = 0; k < columns.size(); ++k)
    add_column(bases.column(columns[k]), in.row(i)[k], first, sums, term);
}

/// The distance of a row from 0.
template <HistogramSum kSum>
double from_zero(std::span<const float> values) {
  double sum = 0;
  for (const double x : values) sum += column_term<kSum>(0.0, x);
  return sum;
}

/// Both rows' distances from 0, less what columns with values in both share of them.
template <HistogramSum kSum>
void distances(MatrixView in, const numerics::IndexedRows& bases, std::size_t first,
               MutableMatrixView out, Context& context) {
  std::vector<double> of_bases(out.cols), shared(out.cols);
  for (std::size_t j = 0; j < out.cols; ++j)
    of_bases[j] = from_zero<kSum>(bases.view().row_span(first + j));
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    std::ranges::fill(shared, 0.0);
    add_columns(in, i, bases, first, std::span(shared), [](double x, double b) {
      return column_term<kSum>(0.0, x) + column_term<kSum>(b, 0.0) - column_term<kSum>(b, x);
    });
    const double of_row = from_zero<kSum>(in.row_span(i));
    for (std::size_t j = 0; j < out.cols; ++j)
      out.row(i)[j] = static_cast<float>(std::max(of_row + of_bases[j] - shared[j], 0.0));
  }
}

}  // namespace

void histogram_sums(HistogramSum sum, MatrixView in, const numerics::IndexedRows& bases,
                    std::size_t first, MutableMatrixView out, Context& context) {
  with_kind(sum, [&](auto kind) {
    constexpr HistogramSum k = decltype(kind)::value;
    if (is_distance(k)) return distances<k>(in, bases, first, out, context);
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      const auto sums = out.row_span(i);
      std::ranges::fill(sums, 0.0F);
      add_columns(in, i, bases, first, sums, [](float x, float b) { return column_term<k>(b, x); });
    }
  });
}

void row_sums(MatrixView rows, float* sums) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    sums[i] = 0;
    for (const float x : rows.row_span(i)) sums[i] += x;
  }
}

Formula::Value written_histogram(Formula& formula, Formula::Value in) {
  const auto none = formula.number(std::numeric_limits<double>::quiet_NaN(), in);
  return formula.where_greater(formula.number(0, in), in, none, in);
}

void check_histograms(MatrixView rows, const std::string& who, RowError::Of of) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto values = rows.row_span(i);
    const auto bad = std::ranges::find_if(values, [](float x) { return x < 0; });
    if (bad == values.end()) continue;
    const auto k = static_cast<std::size_t>(bad - values.begin());
    const std::size_t column = rows.sparse() ? rows.columns_of(i)[k] : k;
    throw RowError(of, i, "",
                   ", column " + std::to_string(column) + " (both counted from 0) is " +
                       to_text(Value(double(*bad))) + ", but " + who +
                       " compares histograms; use non-negative features, and no normalizer that "
                       "can make them negative, as zscore and min_max can");
  }
}

}  // namespace semblance::vectors
#endif
