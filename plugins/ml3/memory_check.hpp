// SPDX-License-Identifier: MIT
#pragma once

#include "problem.hpp"
#include "semblance/context.hpp"

namespace semblance::ml3 {

/// Throws Error with the arithmetic where a descent with that many samples a batch, which keeps
/// that many weights of every sample, does not fit the memory budget. Returns the bytes that are
/// left.
double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_a_sample,
                    Context& context);

}  // namespace semblance::ml3
