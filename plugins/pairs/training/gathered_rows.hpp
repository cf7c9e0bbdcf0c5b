// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

/// For pairs that use few of many rows: copies these rows contiguously and renumbers the pairs.
namespace semblance::pairs {

/// The chosen rows, in their order.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen);

/// The same for rows spread over several ranks; every rank gets the result. Collective.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen, Context& context);

/// The place of each of `rows` rows among the chosen ones, or -1.
std::vector<std::int32_t> places(std::span<const std::int32_t> chosen, std::size_t rows);

/// The same pairs with places among the chosen rows.
PairSet moved(const PairSet& pairs, std::span<const std::int32_t> places);

}  // namespace semblance::pairs
