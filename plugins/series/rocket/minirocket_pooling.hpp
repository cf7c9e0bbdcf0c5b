// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "rocket/minirocket_kernels.hpp"
#include "semblance/matrix.hpp"

namespace semblance::series {

/// The features of a convolution and a bias.
enum class RocketPooling {
  proportion,  ///< PPV alone
  four         ///< PPV, MPV, MIPV and LSPV
};

/// The columns of a bank: one per bias and pooling.
inline std::size_t rocket_columns(const RocketBank& bank, RocketPooling pooling) noexcept {
  return bank.biases.size() * (pooling == RocketPooling::four ? 4 : 1);
}

/// Longer series cannot be pooled: sums of positions have 32 bits.
inline constexpr std::size_t rocket_most_steps = 65535;

/// Writes the features of each series into a row of `out`, which is rocket_columns() wide: all PPV,
/// then, if asked for, all MPV, all MIPV and all LSPV, each in the order of the biases. With
/// `difference` the series are taken as x[t + 1] - x[t]. A value is positive if the convolution C
/// is greater than the bias b. Over the n positions of a combination,
///
///     PPV   the share that is positive
///     MPV   the mean of C - b over the positive ones; 0 where there are none
///     MIPV  the mean of their positions, from 0; -1 where there are none
///     LSPV  how many steps the longest run of positive ones has
///
/// A series that is shorter than a kernel has n = 0 there, so nothing is positive. The bits depend
/// neither on other series nor on the machine. `poll` is called often and may throw.
///
/// Each lane has one series, so that a step is one vector operation without shifts, sums across
/// lanes or remainders. Bound by vector operations: two (PPV) or six (all four) per bias and step.
void pool_series(const RocketBank& bank, RocketPooling pooling, bool difference,
                 std::span<const SeriesView> series, MutableMatrixView out,
                 const std::function<void()>& poll);

}  // namespace semblance::series
