// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/drawn_sample.hpp"

namespace semblance {

/// One sample: a sequence as lines, a set as points, a string as text, a picture or a grid by its
/// pixels, a vector by its values.
std::string sample_picture_html(const DrawnSample& sample);

/// Small drawings, one row per class: sequences as lines, sets as points, strings as text.
std::string sample_drawings_html(const std::vector<DrawnSample>& samples);

}  // namespace semblance
