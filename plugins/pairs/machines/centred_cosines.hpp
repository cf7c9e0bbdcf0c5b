// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/state.hpp"

namespace semblance::pairs {

/// Subtracts the mean from each row and divides it by its length; a row equal to the mean becomes
/// zero.
void centre_to_unit_length(FloatMatrix& rows, std::span<const double> mean, Context& context);

/// out[p] = the inner product of the pair's rows, which is the cosine for centred rows of unit
/// length. The same bits for both orders of a pair.
void inner_products(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context);

/// The threshold at which the share of negative pairs above it equals the share of positive pairs
/// not above it, as nearly as possible, and the mean of both shares. Neither list may be empty.
struct EqualErrors {
  double threshold = 0;
  double error = 0;
};
EqualErrors equal_errors(std::vector<float> positive, std::vector<float> negative);

}  // namespace semblance::pairs
