// SPDX-License-Identifier: MIT
#pragma once

#include "series/series_rows.hpp"

namespace semblance::sources {

/// The .ts format of aeon and sktime: tags, then one series per line, with its channels and its
/// class separated by colons.
void read_ts_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                    Context& context);

}  // namespace semblance::sources
