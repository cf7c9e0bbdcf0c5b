// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::solvers {

/// The fold of each row, in [0, folds). The rows of each class are dealt out in a random order, one
/// fold after the other, so that a class's rows in two folds differ by at most one, as do the sizes
/// of the folds. Labels are in [0, classes).
std::vector<std::size_t> stratified_folds(std::span<const std::int32_t> labels, std::size_t classes,
                                          std::size_t folds, Random random);

}  // namespace semblance::solvers
