// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What the attributes of an SVG may be. A value that passes consists of numbers, known words and
/// colours: it refers to nothing and runs nothing.
namespace semblance::svg {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Whether an attribute of this name is allowed: of geometry, of paint or of text.
bool is_attribute(std::string_view name);

/// Whether it is one of paint or text, which may be in `style` as well.
bool is_style(std::string_view name);

/// What the attribute expects, in words, where `value` is not that; else empty.
std::string expected(std::string_view name, std::string_view value);

/// The class that pages do not have, or that a picture may not use; empty: all are allowed.
std::string unknown_class(std::string_view classes);

/// The words between spaces, tabs and line ends.
std::vector<std::string_view> words_of(std::string_view text);

/// The numbers of a list separated by spaces or commas; empty where it is none.
std::vector<double> numbers_of(std::string_view text);

}  // namespace semblance::svg
