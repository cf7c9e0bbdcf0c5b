// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/drawn_sample.hpp"

namespace semblance {

/// Small drawings, one row a class: sequences as lines, sets as points, strings as text.
std::string sample_drawings_html(const std::vector<DrawnSample>& samples);

}  // namespace semblance
