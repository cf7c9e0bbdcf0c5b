// SPDX-License-Identifier: MIT
#pragma once

#include "newton_by_weights.hpp"

namespace semblance::pairwise {

/// minimise_by_weights() of the same problem without weights: w = sum gamma_p Phi_p is kept as the
/// coefficients of the pairs, and all that is known of a pair are its kernel values (Chapelle
/// 2007). Every vector of conjugate gradients is a multiple of w plus a sum over the pairs that
/// have a loss, so a Hessian product is one product with the pair kernel's matrix of these pairs
/// alone, 3 A n multiply-adds for A pairs of n examples; there is no preconditioner. Decision
/// values of all pairs are double and follow each step by dense products. The kernel must be a sum
/// on the standard kernel itself; `standard` is n x n, symmetric. The solution has `coefficients`,
/// no w. Where several ranks learn together each of them has all pairs and does all of it; they
/// meet only to hear of a stop request. Collective.
NewtonSolution minimise_by_pairs(const PairKernelSum& sum, MatrixView standard,
                                 const LabelledPairs& pairs, const NewtonOptions& options,
                                 Context& context);

}  // namespace semblance::pairwise
