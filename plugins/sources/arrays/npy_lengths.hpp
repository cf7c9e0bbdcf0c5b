// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "arrays/npy_file.hpp"

namespace semblance::sources {

/// The number of steps of each row of an array of sequences: as in `file`, or the array's second
/// axis if `file` is empty. Throws DataError if they do not match.
std::vector<std::size_t> read_lengths(const std::string& file, const NpyReader& array,
                                      Context& context);

/// The channels of an array of sequences: its third axis, or 1. Throws DataError if it is not such
/// an array.
std::size_t channels_of(const NpyReader& array);

}  // namespace semblance::sources
