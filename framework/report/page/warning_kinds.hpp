// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace semblance {

/// Warnings that differ only in the node they come from, in numbers, and in quoted or bracketed
/// names.
struct WarningKind {
  std::vector<std::string> warnings;  ///< at least one, in the order given
};

/// The kinds in the order of their first warning.
std::vector<WarningKind> warning_kinds(const std::vector<std::string>& warnings);

/// The warnings as a section of a page: one line per kind, closed beyond a few; empty if there are
/// none.
std::string warnings_html(const std::vector<std::string>& warnings);

}  // namespace semblance
