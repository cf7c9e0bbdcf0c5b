// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::normalizers {

/// Most words that one descriptor is combined of.
inline constexpr std::size_t most_llc_words = 32;

/// Approximated LLC (Wang et al. 2010, section 3 and eq. (7)): the weights c that minimize |x - B^T
/// c|^2 + lambda |c|^2 for the words B, one per row. With `sum_to_one`, subject to sum c = 1:
/// solved as (C + lambda I) c = 1 and divided by the sum, where C has the products of the words'
/// differences from x and lambda = beta trace C. Otherwise lambda = beta trace B B^T. If all words
/// equal x, they share the weight. Independent of the framework; thread-safe.
void llc_weights(std::span<const float> x, std::span<const float* const> words, double beta,
                 bool sum_to_one, std::span<float> weights);

}  // namespace semblance::normalizers
