// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "semblance/pairs.hpp"

namespace semblance {

/// Whether the test pairs are of training samples: all of them, or none. Throws Error where some
/// are and some are not, or where only one sample of a pair is. `numbers` are for the message.
bool tests_training_rows(const PairSet& tests, std::size_t train_rows,
                         std::span<const std::int64_t> numbers = {});

/// Which task the pairs make (pairwise SVM, section 4). "pair": the test pairs are other pairs of
/// training samples. "interexample": they are pairs of other samples. "interclass": they are pairs
/// of samples whose classes occur in no training pair. Nothing without test pairs. Throws Error
/// where it is none of these, and where a pair is in both training and test pairs, in either order.
std::optional<std::string> checked_task(const PairSelection& pairs, std::size_t train_rows,
                                        std::span<const std::int32_t> labels,
                                        std::span<const std::int64_t> numbers);

}  // namespace semblance
