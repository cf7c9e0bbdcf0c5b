// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace semblance {

/// XXH3, 128 bits, as 32 hexadecimal digits: fast, and ample against accidents (not against
/// somebody who wants a collision).
std::string hash_of(std::string_view bytes);

/// Of a file's content, read in pieces. Throws Error naming the file.
std::string hash_of_file(const std::filesystem::path& file);

}  // namespace semblance
