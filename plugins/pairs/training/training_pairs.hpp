// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::pairs {

/// Throws Error naming the first pair with a row that is not in [0, rows).
void check_rows(const PairSet& pairs, std::size_t rows);

/// Throws Error if writing out `count` pairs is beyond the memory budget.
void check_room(std::size_t count, const Context& context);

/// A size for messages, rounded up.
std::string mebibytes(std::size_t bytes);

/// Throws Error unless rows have the model's number of values, the pairs are of these rows, and
/// there is room for a score of each.
void check_scored(const Rows& rows, const PairSet& pairs, std::span<const float> out,
                  std::size_t values);

/// Throws Error unless there are training pairs of rows in range, all with a label, some positive
/// and some negative.
void check_training_pairs(const PairSet& pairs, std::size_t rows);

/// The set J of section 3.3: every unordered pair once, the smaller row first, by rows. A pair
/// listed several times, in either order, counts once. Throws Error if its labels differ.
std::vector<Pair> unordered(const PairSet& pairs);

/// The same in place, for pairs in any order. Returns the first pair with differing labels.
std::optional<Pair> make_unordered(std::vector<Pair>& pairs);

/// Throws the Error about such a pair.
[[noreturn]] void refuse_both_labels(const Pair& pair);

/// The rows that occur, ascending; none may be negative.
std::vector<std::int32_t> used_rows(const PairSet& pairs);

/// For pairs that use few of many rows, the chosen rows, contiguous, in their order.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen);

/// The same for rows spread over several ranks; every rank gets the result. Collective.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen, Context& context);

/// The place of each of `rows` rows among the chosen ones, or -1.
std::vector<std::int32_t> places(std::span<const std::int32_t> chosen, std::size_t rows);

/// The same pairs with places among the chosen rows.
PairSet moved(const PairSet& pairs, std::span<const std::int32_t> places);

}  // namespace semblance::pairs
