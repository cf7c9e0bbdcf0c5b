// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// What a warning has in common with others of its kind: its text without the node it comes from,
/// numbers, and quoted or bracketed names.
std::string kind_of_warning(std::string_view warning);

/// Warnings of one kind.
struct WarningKind {
  std::vector<std::string> warnings;  ///< at least one, in the order given
};

/// The kinds in the order of their first warning.
std::vector<WarningKind> warning_kinds(const std::vector<std::string>& warnings);

/// The warnings as a section of a page: one line per kind, closed beyond a few; empty if there are
/// none.
std::string warnings_html(const std::vector<std::string>& warnings);

}  // namespace semblance
