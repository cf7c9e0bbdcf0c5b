// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "arrays/npy_file.hpp"

namespace semblance {

/// How many steps each row of an array of sequences has: what `file` says, or, where it is empty,
/// as many as the array's second axis. Throws DataError where they do not belong together.
std::vector<std::size_t> read_lengths(const std::string& file, const NpyReader& array,
                                      Context& context);

/// Channels of an array of sequences: its third axis, or 1. Throws DataError where it is none.
std::size_t channels_of(const NpyReader& array);

}  // namespace semblance
