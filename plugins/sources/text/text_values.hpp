// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "semblance/parsed_float.hpp"

namespace semblance {

/// All of `text` as a whole number, with or without a sign.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

/// Whether `text` is UTF-8, as what is written for others must be: reports and models are JSON.
bool is_utf8(std::string_view text) noexcept;

/// `text` with ? in place of control characters, so that it fits into a one-line message.
std::string printable(std::string_view text);

/// `text` in quotes for a message: cut short, without control characters.
std::string in_quotes(std::string_view text);

/// With a to z in place of A to Z.
std::string lower_case(std::string_view text);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace semblance
