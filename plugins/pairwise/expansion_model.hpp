// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pair_columns.hpp"
#include "semblance/pairs.hpp"
#include "semblance/state.hpp"
#include "sum_model.hpp"

namespace semblance::pairwise {

/// A pairwise decision function sum_p gamma_p K(pair p, (u, v)) + bias whose kernel does not factor
/// into matrix products: evaluated pair by pair, in vectors of support pairs.
struct ExpansionModel {
  double bias = 0;
  std::vector<double> coefficients;  ///< empty: no such model
  PairColumns pairs;                 ///< of the bases
  std::size_t bases = 0;

  /// `values`: the standard kernel's values of each row to the bases; `coordinates`: the rows'
  /// first values, if the kernel is ordered. out[p] = (f(a, b) + f(b, a)) / 2, so that the order
  /// within a pair does not matter.
  void score(const PairKernel& kernel, MatrixView values, std::span<const float> coordinates,
             const PairSet& pairs, std::span<float> out, Context& context) const;

  void save(StateWriter& state) const;
  static ExpansionModel load(const StateReader& state);
};

/// sgn(a_1 - b_1)
float order_sign(float a, float b) noexcept;

}  // namespace semblance::pairwise
