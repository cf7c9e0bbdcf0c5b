// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/drawn_explanations.hpp"

namespace semblance {

/// Explained samples, one below the other: the sample with its parts in the colours of their
/// shares, bars of the shares of columns, and the strongest examples for and against with their
/// drawings.
std::string explained_samples_html(const DrawnExplanations& list);

}  // namespace semblance
