// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"

/// Products of one sparse row with the interleaved vectors of several problems, so that a column is
/// looked up once for all problems. Each problem's sum runs over the entries in order,
/// independently of other problems: bits do not depend on the grouping of problems.
namespace semblance::linear {

/// The number of interleaved problems: one, or a multiple of `lane_step`, at most `most_lanes`.
inline constexpr std::size_t lane_step = 4;
inline constexpr std::size_t most_lanes = 32;

/// `count` rounded up to an allowed number of interleaved problems.
constexpr std::size_t padded_lanes(std::size_t count) noexcept {
  return count == 1 ? 1 : (count + lane_step - 1) / lane_step * lane_step;
}

/// One sparse row.
struct SparseRow {
  const float* values;
  const std::uint32_t* columns;
  std::size_t size;
};

inline SparseRow entries_of(MatrixView rows, std::size_t i) noexcept {
  return {rows.row(i), rows.columns_of(i).data(), rows.size(i)};
}

/// out[l] += sum_k values[k] weights[columns[k] * lanes + l].
void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out);

/// weights[columns[k] * lanes + l] += values[k] factors[l], for all k.
void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights);

}  // namespace semblance::linear
