// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "registry/catalogue.hpp"

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

namespace semblance {

/// The page of a component in Markdown, for KIND/NAME.md of the reference. Names of other
/// components are links if `all` has them.
std::string component_page(const Catalogue::Entry& entry, const Catalogue& all);

/// The reference's first page: all components by kind, with their summaries, in Markdown.
std::string reference_index(const Catalogue& all);

/// Writes README.md (the index) and KIND/NAME.md for every component into the folder, which is made
/// if it is missing. Existing files of these names are replaced, and other files are unchanged.
/// Returns the number of components. Throws Error where something cannot be written.
std::size_t write_reference(const Catalogue& all, const std::filesystem::path& folder);

}  // namespace semblance
