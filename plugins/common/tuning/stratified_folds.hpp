// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::common {

/// The fold of each sample, in [0, folds). The samples of each class are assigned to the folds in
/// turn, in a random order, so that a class's counts in two folds differ by at most one, as do the
/// sizes of the folds. Labels are in [0, classes).
std::vector<std::size_t> stratified_folds(std::span<const std::int32_t> labels, std::size_t classes,
                                          std::size_t folds, Random random);

}  // namespace semblance::common
