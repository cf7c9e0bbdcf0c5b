// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// The test samples with a known class. Reports their number, `rows`, and that of unknown ones,
/// `unlabelled`, and warns about the latter. Throws Error if there are none, or if scores or labels
/// are unusable.
std::vector<std::size_t> known_rows(const Scored& test, Report& report, Context& context);

/// The declarations of both figures.
std::vector<FigureInfo> known_rows_figures();

}  // namespace semblance::evaluators
