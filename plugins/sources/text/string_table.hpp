// SPDX-License-Identifier: MIT
#pragma once

#include "text/string_rows.hpp"

namespace semblance {

/// A row a line, fields separated by tabs: one of them the label, one the string, which is taken as
/// it stands.
void read_string_table(const std::string& file, const StringFormat& format, StringRows& rows,
                       Context& context);

}  // namespace semblance
