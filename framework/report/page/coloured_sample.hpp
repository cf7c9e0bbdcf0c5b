// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/drawn_sample.hpp"
#include "semblance/explanation.hpp"

namespace semblance {

/// A sample whose parts have the colour of their shares: a series as a line, a string by its
/// letters, an image or grid of `height` x `width` under a heat map. Empty for other samples, and
/// where the shares are not of such parts.
std::string coloured_sample_html(const DrawnSample& sample, std::size_t height, std::size_t width,
                                 std::span<const PartShare> shares);

}  // namespace semblance
