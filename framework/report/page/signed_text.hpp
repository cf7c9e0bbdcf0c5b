// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>

#include "support/number_text.hpp"

namespace semblance {

/// quantity_text() with a minus in place of a hyphen.
inline std::string minus_text(double value, int digits = 4) {
  return (std::signbit(value) ? "−" : "") + quantity_text(std::abs(value), digits);
}

/// "+0.25" or "−0.25".
inline std::string signed_text(double value, int digits = 4) {
  return (std::signbit(value) ? "" : "+") + minus_text(value, digits);
}

}  // namespace semblance
