// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// How a solver approaches its tolerance is a curve named `convergence_by_STEP`. The tolerance is a
/// curve of that name with "_tolerance" after it, which is drawn as a level line.
namespace semblance {

inline bool is_convergence(std::string_view curve) { return curve.starts_with("convergence_by_"); }

/// The name of the curve whose values are level lines in the chart of `curve`.
inline std::string level_curve_of(std::string_view curve) {
  return std::string(curve) + "_tolerance";
}

/// Whether it is the level curve of a convergence.
inline bool is_convergence_level(std::string_view curve) {
  return is_convergence(curve) && curve.ends_with("_tolerance");
}

}  // namespace semblance
