// SPDX-License-Identifier: MIT
#pragma once

#include "newton_by_weights.hpp"

namespace semblance::pairwise {

/// minimise_by_weights() for the same problem without weights: w = sum gamma_p Phi_p is represented
/// by the coefficients of the pairs, and only kernel values of pairs are used (Chapelle 2007).
/// Every vector of conjugate gradients is a multiple of w plus a sum over the pairs with a loss. So
/// a Hessian product is one product with the pair kernel's matrix of these pairs, 3 A n
/// multiply-adds for A pairs of n examples. There is no preconditioner. Decision values of all
/// pairs are double and follow each step by dense products. The kernel must be a sum on the
/// standard kernel itself; `standard` is n x n, symmetric. The solution has `coefficients`, no w.
/// In distributed training each rank has all pairs and does all the work; ranks synchronise only
/// for stop requests. Collective.
NewtonSolution minimise_by_pairs(const PairKernelSum& sum, MatrixView standard,
                                 const LabelledPairs& pairs, const NewtonOptions& options,
                                 Context& context);

}  // namespace semblance::pairwise
