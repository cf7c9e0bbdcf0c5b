// SPDX-License-Identifier: MIT
#pragma once

#include "text/string_rows.hpp"

namespace semblance::sources {

/// One row per line, with fields separated by tabs: one is the label, one the string, which is
/// taken literally.
void read_string_table(const std::string& file, const StringFormat& format, StringRows& rows,
                       Context& context);

}  // namespace semblance::sources
