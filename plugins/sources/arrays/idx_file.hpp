// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {

/// A file of the MNIST family: bytes in one, two or three dimensions, the first being the rows.
struct IdxFile {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> values;  ///< empty when only the header was read

  std::size_t row_size() const;
};

/// Reads and checks only the header, also against the size of an uncompressed file. `dimensions`
/// are the allowed ones, in words for the message.
IdxFile read_idx_header(const std::string& file, std::size_t least, std::size_t most,
                        const char* dimensions);

/// Reads everything; throws DataError if the file is shorter or longer than its header says. Stores
/// the values of wanted rows; the first row has the number `first`.
IdxFile read_idx(const std::string& file, std::size_t least, std::size_t most,
                 const char* dimensions, const WantedRows& wanted = {}, std::int64_t first = 0);

}  // namespace semblance::sources
