// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// The test rows whose class is known. Reports how many there are, `rows`, and how many are not
/// known, `unlabelled`, and warns of these. Throws Error where there are none, and where scores or
/// labels are unusable.
std::vector<std::size_t> known_rows(const Scored& test, Report& report, Context& context);

/// The declarations of both figures.
std::vector<FigureInfo> known_rows_figures();

}  // namespace semblance::evaluators
