// SPDX-License-Identifier: MIT
#pragma once

#include <yaml-cpp/exceptions.h>

#include <optional>
#include <string_view>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/source_text.hpp"
#include "pipeline/yaml/yaml_builder.hpp"

namespace semblance {

/// Explains a syntax error of yaml-cpp in plain words; `builder` knows what was open then.
void report_syntax_error(const YAML::Exception& error, const TreeBuilder& builder,
                         const SourceText& source, Problems& problems);

/// The position of the quote that closes the one at `start`; npos: none.
std::size_t find_closing_quote(std::string_view text, std::size_t start);

/// The first quote at or after `start` that opens text and is never closed.
std::optional<std::size_t> find_open_quote(std::string_view text, std::size_t start);

inline constexpr const char* unclosed_quote = "this quote is never closed";

/// Checks what must hold before a parser gets the text: UTF-8 without control characters, no tabs
/// in the indentation, reasonable size. Reports and returns false otherwise.
bool check_text(const SourceText& source, Problems& problems);

/// The largest pipeline accepted, in bytes.
inline constexpr std::size_t largest_pipeline = std::size_t{1} << 20;

}  // namespace semblance
