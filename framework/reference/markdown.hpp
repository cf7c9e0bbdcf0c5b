// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace semblance::markdown {

/// Text of a declaration as Markdown that reads the same: outside of `code`, characters that would
/// be markup are escaped.
std::string escaped(std::string_view text);

/// `text` as code; it may contain anything except a backtick.
std::string code(std::string_view text);

/// A table; cells are Markdown, and may contain bars and line ends.
std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows);

}  // namespace semblance::markdown
