// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Numbers for people, the same in the progress display and in the report.
namespace semblance {

/// "4 ms", "0.35 s", "3.2 s", "34 s", "2 min 05 s", "1 h 05 min".
std::string seconds_text(double seconds);

/// "512 B", "1.5 KiB", "340 MiB", "2.1 GiB".
std::string bytes_text(double bytes);

/// The inverse: "512M", "4G", "1.5GiB", "800000000". Nothing for other texts.
std::optional<std::size_t> bytes_from_text(const std::string& text);

/// "7", "1234", "50,000".
std::string count_text(std::int64_t count);

/// A quantity with `digits` significant digits, without unnecessary zeros; "12,345.6".
std::string quantity_text(double value, int digits = 5);

}  // namespace semblance
