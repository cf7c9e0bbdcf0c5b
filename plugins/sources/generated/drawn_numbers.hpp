// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

/// Draws the values of a row, and returns the number to predict.
using DrawNumber = std::function<double(Random& random, std::span<float> values)>;

/// Generated samples with one number to predict. A row depends only on the seed and its number
/// among the training or test rows.
std::unique_ptr<Dataset> drawn_numbers(const Outline& outline, const DrawNumber& draw,
                                       Context& context);

}  // namespace semblance::sources
