// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/selection_record.hpp"

namespace semblance {

/// What a choice compared, as a picture: for one parameter of numbers the mean over it, with bars
/// of one standard error; for several parameters a heat map of the first two that vary, with the
/// best mean over the others in each cell. The chosen values are marked. `name` distinguishes it.
/// Empty where nothing can be compared: a single trial, or one parameter that is not a number.
std::string selection_chart_html(const SelectionRecord& choice, const std::string& name);

}  // namespace semblance
