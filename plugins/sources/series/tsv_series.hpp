// SPDX-License-Identifier: MIT
#pragma once

#include "series/series_rows.hpp"

namespace semblance {

/// A series a line: the class, then one field a step, as the UCR archive writes them. Fields end at
/// tabs, else at commas, else at blanks, whichever the first line has; a series that is shorter
/// than others is filled up with NaN at its end, or has fewer fields.
void read_tsv_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                     Context& context);

}  // namespace semblance
