// SPDX-License-Identifier: MIT
#pragma once

#include "series/series_rows.hpp"

namespace semblance::sources {

/// One series per line: the class, then one field per step, as in the UCR archive. Fields are
/// separated by tabs, else commas, else blanks, depending on the first line. A shorter series is
/// padded with NaN at its end, or has fewer fields.
void read_tsv_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                     Context& context);

}  // namespace semblance::sources
