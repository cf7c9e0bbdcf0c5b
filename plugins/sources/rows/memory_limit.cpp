// SPDX-License-Identifier: MIT
#include "rows/memory_limit.hpp"

#include <cmath>
#include <cstdint>

#include "semblance/error.hpp"

namespace semblance::sources {

std::string mebibytes(double bytes) {
  return std::to_string(static_cast<std::uint64_t>(std::ceil(bytes / 1048576))) + " MiB";
}

void check_fits(double bytes, const std::string& what, const std::string& file,
                const std::string& where, const Context& context) {
  const auto free = static_cast<double>(context.memory_budget());
  if (bytes <= free) return;
  throw DataError(file, where,
                  what + " need " + mebibytes(bytes) + ", more than the " + mebibytes(free) +
                      " of memory left; allow more with --memory, or use fewer rows");
}

void check_table_fits(std::size_t rows, std::size_t values_a_row, std::size_t bytes_a_value,
                      const std::string& file, const Context& context) {
  check_fits(double(rows) * double(values_a_row) * double(bytes_a_value),
             std::to_string(rows) + " rows of " + std::to_string(values_a_row) + " values", file,
             "", context);
}

}  // namespace semblance::sources
