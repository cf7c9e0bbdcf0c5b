// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/context.hpp"

namespace semblance {

/// Throws DataError where a data set of so many bytes is more than the memory that the context
/// leaves: what a file's header claims is not allocated before. `what` is its subject, "60000 rows
/// of 784 values"; `where` a line, or empty.
void check_fits(double bytes, const std::string& what, const std::string& file,
                const std::string& where, const Context& context);

/// The same for a whole table, whose rows are as large as each other.
void check_table_fits(std::size_t rows, std::size_t values_a_row, std::size_t bytes_a_value,
                      const std::string& file, const Context& context);

/// For messages: "12 MiB", rounded up.
std::string mebibytes(double bytes);

}  // namespace semblance
