// SPDX-License-Identifier: MIT
#pragma once

#include "newton_solution.hpp"
#include "pair_space.hpp"
#include "pair_table.hpp"

namespace semblance::pairwise {

/// min 1/2 |w|^2 + C sum_p max(0, 1 - y_p (<w, Phi_p> + bias))^2 over the weights of `space` and
/// the bias, which is not regularized, by Newton's method: conjugate gradients on the pairs with a
/// loss, until the residual is a share of the gradient, then an exact line search (Chapelle 2007;
/// Keerthi and DeCoste 2005). The bias is eliminated: at every iterate it is optimal for w. The
/// gradient is double; products within conjugate gradients are float32. Since the objective is
/// strongly convex, 1/2 |gradient|^2 bounds its distance from the minimum. A stop request ends it
/// with the last iterate. Each rank computes values and losses of its own pairs; the weights are
/// the same everywhere. Collective.
NewtonSolution minimise_by_weights(const PairSpace& space, const LabelledPairs& pairs,
                                   const PairShares& shares, const NewtonOptions& options,
                                   Context& context);

}  // namespace semblance::pairwise
