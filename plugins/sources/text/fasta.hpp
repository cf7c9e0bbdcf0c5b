// SPDX-License-Identifier: MIT
#pragma once

#include "text/string_rows.hpp"

namespace semblance::sources {

/// FASTA: a header after `>`, then the lines of the string, which are joined. The label is a word
/// of the header; the first word is the row's name unless it is the label.
void read_fasta(const std::string& file, const StringFormat& format, StringRows& rows,
                Context& context);

}  // namespace semblance::sources
