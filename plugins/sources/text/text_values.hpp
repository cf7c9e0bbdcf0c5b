// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "semblance/parsed_float.hpp"

namespace semblance::sources {

/// Parses all of `text` as an integer, with or without a sign.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

/// Whether `text` is UTF-8, as required for output: reports and models are JSON.
bool is_utf8(std::string_view text) noexcept;

/// `text` with ? in place of control characters, so that it fits into a one-line message.
std::string printable(std::string_view text);

/// `text` in quotes for a message: cut short, without control characters.
std::string in_quotes(std::string_view text);

/// The text with A to Z replaced by a to z.
std::string lower_case(std::string_view text);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace semblance::sources
