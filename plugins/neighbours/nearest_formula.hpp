// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/formula.hpp"
#include "similar_bases.hpp"

namespace semblance::neighbours {

/// A neighbour of a sample in a formula; all values are float64.
struct WrittenNeighbour {
  Formula::Value similarity;
  Formula::Value chosen;  ///< one value per basis: 1 for the neighbour, 0 for all others
};

/// The places of bases that tie: the larger one is the lower row number.
Formula::Value write_places(Formula& formula, const SimilarBases& bases);

/// The k nearest bases of a sample with these similarities, float64, the nearest first. Throws
/// Error if bases have weights.
std::vector<WrittenNeighbour> write_nearest(Formula& formula, Formula::Value similarities,
                                            const SimilarBases& bases, std::size_t k);

}  // namespace semblance::neighbours
