// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "semblance/pairs.hpp"

namespace semblance {

/// Whether pairs to test on are of training rows: all of them, or none. Throws Error where some
/// are and others are not, or one of the rows of a pair is. `numbers` are for the message.
bool tests_training_rows(const PairSet& tests, std::size_t train_rows,
                         std::span<const std::int64_t> numbers = {});

/// Which task the pairs make (pairwise SVM, section 4): "pair", where what is tested are other
/// pairs of rows that are trained on; "interexample", other rows; "interclass", rows of classes
/// that no training pair is of. None without test pairs. Throws Error where it is none of these:
/// where a pair is both trained and tested on, whichever of its rows comes first.
std::optional<std::string> checked_task(const PairSelection& pairs, std::size_t train_rows,
                                        std::span<const std::int32_t> labels,
                                        std::span<const std::int64_t> numbers);

}  // namespace semblance
