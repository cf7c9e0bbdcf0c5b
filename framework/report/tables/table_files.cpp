// SPDX-License-Identifier: MIT
#include "report/tables/table_text.hpp"
#include "semblance/error.hpp"
#include "support/atomic_file.hpp"

namespace semblance {

std::vector<std::filesystem::path> write_tables(const ResultTable& table,
                                                const Comparison& comparison,
                                                const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the folder '" + folder.string() + "': " + failure.message());
  const std::vector files = {folder / "table.csv", folder / "table.md", folder / "table.tex"};
  write_file_atomically(files[0], table_csv(table, comparison));
  write_file_atomically(files[1], table_markdown(table, comparison));
  write_file_atomically(files[2], table_latex(table, comparison));
  return files;
}

}  // namespace semblance
