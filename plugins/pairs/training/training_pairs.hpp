// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "semblance/pairs.hpp"

namespace semblance::pairs {

/// Throws Error naming the first pair with a row that is not in [0, rows).
void check_rows(const PairSet& pairs, std::size_t rows);

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

}  // namespace semblance::pairs
