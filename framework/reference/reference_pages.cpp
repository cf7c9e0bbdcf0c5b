// SPDX-License-Identifier: MIT
#include "reference/reference_pages.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "reference/component_page.hpp"
#include "reference/markdown.hpp"
#include "semblance/error.hpp"
#include "semblance/kind.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure)
    throw Error("the folder '" + file.parent_path().string() +
                "' cannot be made: " + failure.message());
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!(out << text) || !out.flush())
    throw Error("'" + file.string() + "' cannot be written: " + std::strerror(errno));
}

}  // namespace

std::string reference_index(const Catalogue& all) {
  std::string text =
      "# The components\n\n"
      "One page per component, generated from its declaration by `semblance describe --pages`.\n"
      "Every component may be used by several threads at once.\n";
  for (const std::string& kind : kinds()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto* entry : all.entries())
      if (entry->info.kind() == kind)
        rows.push_back({"[" + markdown::code(entry->info.id) + "](" + entry->info.id + ".md)",
                        markdown::escaped(entry->info.summary)});
    if (rows.empty()) continue;
    text += "\n## " + kind + "\n\n" + kind_named(kind)->purpose + "\n\n";
    text += markdown::table({"component", ""}, rows);
  }
  return text;
}

std::size_t write_reference(const Catalogue& all, const fs::path& folder) {
  write(folder / "README.md", reference_index(all));
  const auto entries = all.entries();
  for (const auto* entry : entries)
    write(folder / (entry->info.id + ".md"), component_page(*entry, all));
  return entries.size();
}

}  // namespace semblance
