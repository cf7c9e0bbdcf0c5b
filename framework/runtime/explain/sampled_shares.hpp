// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace semblance {

/// An estimate of Shapley values.
struct SampledShares {
  std::vector<double> shares, errors;  ///< per player; standard errors
  double expected = 0;                 ///< the mean value with no player present
};

/// Players who join one by one, in this order; a sample of the background stands for absent ones.
struct Joining {
  std::vector<std::size_t> order;
  std::size_t background = 0;
};

/// For each of these, the values with the first 0, 1, ... all players present.
using JoiningValues = std::function<std::vector<std::vector<double>>(std::span<const Joining>)>;

/// Shapley values by random orders, each with its reverse (antithetic), equally many for each of
/// the `backgrounds` samples, so that the shares add up to the difference between the value with
/// all players and the mean value with none. At least `least` pairs of orders, and two per sample.
SampledShares sampled_shares(std::size_t players, std::size_t backgrounds, std::size_t least,
                             std::uint64_t seed, const JoiningValues& values);

}  // namespace semblance
