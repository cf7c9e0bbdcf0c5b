// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "coding/coordinate_coding.hpp"
#include "descent/pegasos.hpp"

namespace semblance::ml3 {

/// Rows stored by their nonzero values.
struct SparseRows {
  std::vector<Entry> entries;
  std::vector<std::size_t> ends;  ///< of each row in `entries`
  std::size_t cols = 0;

  std::size_t rows() const noexcept { return ends.size(); }
  std::span<const Entry> row(std::size_t i) const noexcept {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    return {entries.data() + first, ends[i] - first};
  }
};

struct SparseProblem {
  const SparseRows& rows;
  std::span<const std::int32_t> labels;  ///< one per row, in [0, classes)
  std::size_t classes = 0;
  double bias = 1;                       ///< constant appended to every row; 0: none
  std::span<const double> weights = {};  ///< Problem::weights

  double weight(std::size_t row) const noexcept { return weights.empty() ? 1 : weights[row]; }
  std::size_t inputs() const noexcept { return rows.cols + (bias != 0 ? 1 : 0); }
};

/// out[y] = sum over the row's values x_k weights(k, y), plus the constant's. `weights` has one row
/// an input.
void sparse_scores(std::span<const Entry> row, double bias, MatrixView weights,
                   std::span<double> out);

/// pegasos() with one model per class on sparse rows, one step at a time in double. `weights` gets
/// one row per input and one column per class.
PegasosOutcome sparse_pegasos(const SparseProblem& problem, const PegasosOptions& options,
                              Random random, const Surroundings& surroundings,
                              FloatMatrix& weights);

/// Bytes that sparse_pegasos() takes, its result included.
std::size_t sparse_pegasos_bytes(std::size_t inputs, std::size_t classes) noexcept;

}  // namespace semblance::ml3
