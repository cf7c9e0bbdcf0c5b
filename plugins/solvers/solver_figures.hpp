// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance::solvers {

/// The declarations of figures that several solvers report, by their names, so that a name means
/// the same in all of them. Throws Error for a name that is none of them.
std::vector<FigureInfo> solver_figures(std::initializer_list<std::string_view> names);

}  // namespace semblance::solvers
