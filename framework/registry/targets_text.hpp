// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/component_info.hpp"

namespace semblance {

/// What the samples that a component learns from must have as their target: "numbers", "classes or
/// no target". Empty: the component ignores targets and is not a solver.
inline std::string targets_text(const ComponentInfo& info) {
  std::string text;
  for (const TargetKind target : info.targets)
    text += (text.empty() ? "" : " or ") + std::string(name(target));
  return text.empty() && info.kind() == "solver" ? "any" : text;
}

}  // namespace semblance
