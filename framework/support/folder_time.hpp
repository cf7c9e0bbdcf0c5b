// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace semblance {

/// What shows no life for so long, by that clock, is left over from a process that was killed.
inline constexpr std::chrono::hours forgotten_after{24};

/// The time by the clock that a folder's files get their times from, which is the file server's
/// where there is one: compare the times of files with it, never with this machine's clock. Nothing
/// where no file can be made there.
std::optional<std::filesystem::file_time_type> time_in(const std::filesystem::path& folder);

/// Sets a file's time to that clock's present, and leaves its content alone. False where it cannot.
bool touch(const std::filesystem::path& file) noexcept;

}  // namespace semblance
