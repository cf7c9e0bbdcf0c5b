// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance::common {

/// The declarations of figures that several solvers report, by name, so that a name has the same
/// meaning in all of them. Throws Error for an unknown name.
std::vector<FigureInfo> solver_figures(std::initializer_list<std::string_view> names);

}  // namespace semblance::common
