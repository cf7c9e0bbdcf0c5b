// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "rocket/minirocket_kernels.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// What is made of a convolution and a bias.
enum class RocketPooling {
  proportion,  ///< PPV alone
  four         ///< PPV, MPV, MIPV and LSPV
};

/// Columns that a bank gives: one a bias and a pooling.
inline std::size_t rocket_columns(const RocketBank& bank, RocketPooling pooling) noexcept {
  return bank.biases.size() * (pooling == RocketPooling::four ? 4 : 1);
}

/// Series longer than this cannot be pooled: sums of positions are kept in 32 bits.
inline constexpr std::size_t rocket_most_steps = 65535;

/// Writes the features of each series into a row of `out`, which is rocket_columns() wide: all
/// PPV, then, if asked for, all MPV, all MIPV and all LSPV, each in the order of the biases. With
/// `difference` the series are taken as x[t + 1] - x[t]. A value is positive where the convolution
/// C is greater than the bias b; of the n positions that a combination takes,
///
///     PPV   the share that is positive
///     MPV   the mean of C - b over the positive ones; 0 where there are none
///     MIPV  the mean of their positions, from 0; -1 where there are none
///     LSPV  how many steps the longest run of positive ones has
///
/// A series that is too short for a kernel to lie inside of it has n = 0 there, so nothing is
/// positive. The same bits for any set of series around, and on every machine. `poll` is called
/// often, and may throw.
///
/// Series lie in the lanes, so that a step is one vector operation without shifts, sums across
/// lanes or remainders. Bound by vector operations: two (PPV) or six (all four) a bias and step.
void pool_series(const RocketBank& bank, RocketPooling pooling, bool difference,
                 std::span<const SeriesView> series, MutableMatrixView out,
                 const std::function<void()>& poll);

}  // namespace semblance
