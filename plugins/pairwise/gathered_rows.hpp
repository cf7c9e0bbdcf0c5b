// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

/// Pairs name few of many rows: these are copied next to each other, and the pairs are then of
/// their places.
namespace semblance::pairwise {

/// The chosen rows, in their order.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen);

/// The same of rows that are spread over several ranks, for all of them. Collective.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen, Context& context);

/// Of each of `rows` rows its place among the chosen ones; -1: it is none of them.
std::vector<std::int32_t> places(std::span<const std::int32_t> chosen, std::size_t rows);

/// The same pairs, of places among the chosen rows.
PairSet moved(const PairSet& pairs, std::span<const std::int32_t> places);

}  // namespace semblance::pairwise
