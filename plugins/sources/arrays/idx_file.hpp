// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

/// A file of the MNIST family: bytes in one, two or three dimensions, the first being the rows.
struct IdxFile {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> values;  ///< empty when only the header was read

  std::size_t row_size() const;
};

/// Reads and checks the header only, against the size of a file that is not compressed as well.
/// `dimensions` are those allowed, in words for the message.
IdxFile read_idx_header(const std::string& file, std::size_t least, std::size_t most,
                        const char* dimensions);

/// Reads everything; throws DataError where the file is shorter or longer than its header says.
/// Keeps the values of rows that are wanted, of which the first has the number `first`.
IdxFile read_idx(const std::string& file, std::size_t least, std::size_t most,
                 const char* dimensions, const WantedRows& wanted = {}, std::int64_t first = 0);

}  // namespace semblance
