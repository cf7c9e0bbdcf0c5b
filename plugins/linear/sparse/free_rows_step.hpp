// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sparse/sparse_products.hpp"

namespace semblance::linear {

/// The rows of a problem whose dual variables are above 0, and the dual objective there.
struct FreeRows {
  std::vector<std::size_t> rows;
  std::vector<double> signs;     ///< y
  std::vector<double> slopes;    ///< of the dual objective
  std::vector<double> inverses;  ///< 1 / (1 / 2Cu + damping)
};

/// A damped Newton step of their variables, by conjugate gradients: the approximate solution of
/// (Q + E) step = slopes, where Q holds the products y_i y_j <x_i, x_j>, and E the inverses of
/// `inverses`. False if a stop was requested.
///
/// By columns, for more rows than columns, it is as exact as a duality gap of this size needs.
bool newton_step_by_columns(const FreeRows& free, double gap, SparseProducts& products,
                            std::vector<double>& step);
bool newton_step_by_rows(const FreeRows& free, SparseProducts& products, std::vector<double>& step);

}  // namespace semblance::linear
