// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace semblance {

/// Files without a sign of life for this long, by that clock, are left over from a killed process.
inline constexpr std::chrono::hours forgotten_after{24};

/// The time by the clock that sets the times of a folder's files, which is the file server's if
/// there is one. Compare the times of files with it, never with this machine's clock. Nothing where
/// no file can be made there.
std::optional<std::filesystem::file_time_type> time_in(const std::filesystem::path& folder);

/// Sets a file's time to the present of that clock, without changing its content. False where it
/// cannot.
bool touch(const std::filesystem::path& file) noexcept;

}  // namespace semblance
