// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// Why the Shapley values of the columns that a similarity compares cannot be computed exactly, in
/// one clause; empty: they can.
std::string why_no_exact_shares(const Similarity& similarity);

/// The weight of basis b in the number that is explained of row i.
using BasisWeight = std::function<double(std::size_t row, std::size_t basis)>;

/// Rows with the samples whose parts replace theirs; all are dense. Of sparse rows they have some
/// columns, in which alone they have values.
struct ComparedRows {
  MatrixView rows, background;
  std::span<const std::size_t> columns;  ///< ascending; empty: all
  std::size_t width = 0;                 ///< the number of all columns
};

/// Adds to shares(i, k), row-major, the exact Shapley value of column k in
/// sum_b weight(i, b) s(b, x_i), where absent columns are those of a row of the background; the
/// mean over these. O(d) per pair of row and basis if s is a sum over columns, and at most
/// O(background d^2) if it is a product, which needs all columns. The same bits with any number of
/// threads.
void add_exact_shares(const Similarity& similarity, const BasisWeight& weight,
                      const ComparedRows& compared, std::span<double> shares, Context& context);

}  // namespace semblance
