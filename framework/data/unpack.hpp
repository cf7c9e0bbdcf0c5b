// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Unpacks the members that `wanted` names, each to its path below `folder`; a member may be in
/// folders that its name omits. Throws Error when one is missing, occurs twice or is not a regular
/// file, or when together they have more than `at_most` bytes.
void unpack_members(const std::filesystem::path& archive, const std::vector<DataFile>& wanted,
                    const std::filesystem::path& folder, std::uint64_t at_most);

/// Unpacks a whole archive below `folder`, which must be new. Throws Error when it contains
/// anything but regular files and folders with plain paths inside: absolute paths, '..', links and
/// devices are refused. Also throws when it has more than `at_most` bytes or a million members.
void unpack_all(const std::filesystem::path& archive, const std::filesystem::path& folder,
                std::uint64_t at_most);

}  // namespace semblance
