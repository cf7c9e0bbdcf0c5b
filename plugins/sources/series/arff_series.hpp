// SPDX-License-Identifier: MIT
#pragma once

#include "series/series_rows.hpp"

namespace semblance::sources {

/// Weka's .arff as the UCR and UEA archives use it: a numeric attribute for each step, or one
/// relational attribute whose rows are the channels, and at most one nominal attribute, the class.
/// Missing steps at the end of a line are padding.
void read_arff_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                      Context& context);

}  // namespace semblance::sources
