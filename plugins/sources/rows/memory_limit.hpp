// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::sources {

/// Throws DataError if a data set of this size exceeds the context's memory, so that the claim of a
/// file's header is checked before allocation. `what` is the subject, "60000 rows of 784 values";
/// `where` a line, or empty.
void check_fits(double bytes, const std::string& what, const std::string& file,
                const std::string& where, const Context& context);

/// The same for a whole table with rows of equal size.
void check_table_fits(std::size_t rows, std::size_t values_a_row, std::size_t bytes_a_value,
                      const std::string& file, const Context& context);

/// The bytes of a growing vector, and of the copy that it makes if `more` values come.
template <class T>
double growing_bytes(const std::vector<T>& values, std::size_t more = 1) noexcept {
  const bool moves = values.capacity() - values.size() < more;
  return double(values.size()) * sizeof(T) * (moves ? 2 : 1);
}

/// For messages: "12 MiB", rounded up.
std::string mebibytes(double bytes);

}  // namespace semblance::sources
