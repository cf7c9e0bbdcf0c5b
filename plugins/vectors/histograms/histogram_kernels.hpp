// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include "semblance/context.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/indexed_rows.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::vectors {

/// Sums over the values of two histograms, 0/0 counting as 0.
enum class HistogramSum {
  chi_square,    ///< (b - x)^2 / (b + x), a distance
  harmonic,      ///< 2 b x / (b + x), the additive chi-square similarity
  intersection,  ///< min(b, x)
  absolute,      ///< |b - x|, the city-block distance of any values
};

#include "histograms/column_terms-inl.hpp"

/// use(kind) with the sum as a constant: decltype(kind)::value.
template <class Use>
decltype(auto) with_kind(HistogramSum sum, const Use& use) {
  using enum HistogramSum;
  if (sum == chi_square) return use(std::integral_constant<HistogramSum, chi_square>());
  if (sum == harmonic) return use(std::integral_constant<HistogramSum, harmonic>());
  if (sum == intersection) return use(std::integral_constant<HistogramSum, intersection>());
  return use(std::integral_constant<HistogramSum, absolute>());
}

constexpr bool is_distance(HistogramSum sum) {
  return sum == HistogramSum::chi_square || sum == HistogramSum::absolute;
}

/// out(i, j) = sum over values, for all rows of `in` and the bases [first, first + out.cols). Each
/// sum is taken in the order of the values. Polls the context.
void histogram_sums(HistogramSum sum, MatrixView in, const numerics::PackedRows& bases,
                    std::size_t first, MutableMatrixView out, Context& context);

/// The same for sparse rows, of which only columns with values in both are visited. Intersections
/// and harmonic sums have the bits of the dense form. A distance is the sum of both rows'
/// magnitudes less what they share, in double: exactly 0 for equal rows, and else with an error of
/// at most 2^-52 per value and unit of that sum.
void histogram_sums(HistogramSum sum, MatrixView in, const numerics::IndexedRows& bases,
                    std::size_t first, MutableMatrixView out, Context& context);

/// sums[i] = sum of row i: its intersection and its harmonic sum with itself.
void row_sums(MatrixView rows, float* sums);

/// A row with NaN in place of negative values, which are invalid in histograms.
Formula::Value written_histogram(Formula& formula, Formula::Value in);

/// Throws RowError naming the first negative value; `who` compares histograms.
void check_histograms(MatrixView rows, const std::string& who,
                      RowError::Of of = RowError::Of::block);

}  // namespace semblance::vectors
