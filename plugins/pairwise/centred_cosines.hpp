// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/state.hpp"

namespace semblance::pairwise {

/// The mean of the rows, one value a column, added up in blocks of block_rows.
std::vector<double> mean_row(MatrixView rows, Context& context);

/// Takes the mean off each row and divides it by its length; a row that is the mean stays zero.
void centre_to_unit_length(FloatMatrix& rows, std::span<const double> mean, Context& context);

/// out[p] = the inner product of the pair's rows: of centred rows of unit length their cosine.
/// The same bits for both orders of a pair.
void inner_products(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context);

/// The score that as large a share of the negative pairs exceeds as of the positive pairs does not,
/// as nearly as there is one, and half the sum of both shares. Neither list may be empty.
struct EqualErrors {
  double threshold = 0;
  double error = 0;
};
EqualErrors equal_errors(std::vector<float> positive, std::vector<float> negative);

}  // namespace semblance::pairwise
