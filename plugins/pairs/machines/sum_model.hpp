// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "newton/pair_space.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance/pairs.hpp"
#include "semblance/state.hpp"

namespace semblance::pairs {

/// Pairs of examples (by number) and a coefficient each.
struct Expansion {
  std::vector<std::int32_t> first, second;
  std::vector<double> coefficients;
};

/// The pairs with a coefficient other than 0.
Expansion expansion_of(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       std::span<const double> coefficients);

/// sum_p gamma_p K(pair p, (u, v)) for the kernel with these weights, as a quadratic form of the
/// standard kernel's values phi_u = (k(x_1, u), ..., k(x_n, u)). With S = sum gamma_p (e_i e_j' +
/// e_j e_i'), s = S 1 and L = diag(s) - S: K_TL gives A = S / 2; K_ML gives A = -L / 2, D = L / 4;
/// K_SD gives h = s / 2.
QuadraticForm quadratic_form(const PairKernelSum::Weights& weights, const Expansion& expansion,
                             std::size_t examples);

/// The same for the standard kernel <x, u>, with phi_u = u: X'AX, X'DX, X'h. Costs the operations
/// of one row per pair.
QuadraticForm linear_quadratic_form(const PairKernelSum::Weights& weights,
                                    const Expansion& expansion, MatrixView examples);

/// A pairwise decision function as quadratic forms of feature vectors, which are rows of examples
/// or their standard kernel values to some, and of the features' squares.
struct SumModel {
  std::size_t features = 0;
  double bias = 0;
  QuadraticForm plain;
  QuadraticForm squared;

  /// out[p] = f of the pair p of rows of `features`, in double throughout. Computed from the
  /// smaller row's product with A for either order of the pair, so f(a, b) and f(b, a) have the
  /// same bits.
  void score(MatrixView features, const PairSet& pairs, std::span<float> out,
             Context& context) const;

  void save(StateWriter& state) const;
  static SumModel load(const StateReader& state);
};

}  // namespace semblance::pairs
