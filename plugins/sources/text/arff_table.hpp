// SPDX-License-Identifier: MIT
#pragma once

#include "text/text_table.hpp"

namespace semblance::sources {

/// Appends the rows of an .arff file, dense or sparse. Throws DataError naming the line and the
/// problem.
void read_arff_table(const std::string& file, const TableFormat& format, TextTable& table,
                     Context& context);

}  // namespace semblance::sources
