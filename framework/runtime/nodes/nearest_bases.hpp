// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/session/session.hpp"
#include "semblance/evaluator.hpp"

namespace semblance {

/// Of each of these maps, nodes before a solver, the `count` bases that a row of the data is most
/// similar to, the most similar one first, of equal ones the first. The row passes through the
/// pipeline once more. None where a model is applied to new data, which lack the bases' rows.
std::vector<NearBasis> nearest_bases(Session& session, const std::vector<std::size_t>& maps,
                                     std::size_t row, std::size_t count);

}  // namespace semblance
