// SPDX-License-Identifier: MIT
#pragma once

#include "problem.hpp"
#include "semblance/component.hpp"
#include "semblance/context.hpp"

namespace semblance::ml3 {

/// Throws Error with the arithmetic if a descent with this batch size and this number of weights
/// per sample does not fit into the memory budget. Returns the remaining bytes.
double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_per_sample,
                    Context& context);

}  // namespace semblance::ml3
