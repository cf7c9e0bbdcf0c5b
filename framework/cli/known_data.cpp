// SPDX-License-Identifier: MIT
#include "cli/known_data.hpp"

#include "cli/environment.hpp"
#include "data/catalogue_file.hpp"
#include "semblance/error.hpp"

namespace semblance::cli {

std::vector<DataSet> known_data_sets(const std::filesystem::path& data_folder,
                                     const std::string& more) {
  std::vector<std::filesystem::path> files = {shared_folder() / "data_sets.yaml",
                                              data_folder / "data_sets.yaml"};
  std::error_code ignored;
  if (!std::filesystem::exists(files.front(), ignored))
    throw Error("the catalogue of data sets '" + files.front().string() +
                "' is missing; install the program again");
  if (!more.empty()) {
    if (!std::filesystem::exists(more, ignored))
      throw Error("the catalogue of data sets '" + more + "' does not exist");
    files.emplace_back(more);
  }
  return read_data_catalogues(files);
}

const char* presence_word(Presence presence) {
  if (presence == Presence::all) return "there";
  return presence == Presence::part ? "partly" : "missing";
}

}  // namespace semblance::cli
