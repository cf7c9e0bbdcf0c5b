// SPDX-License-Identifier: MIT
#include "cli/known_data.hpp"

#include "data/data_folder.hpp"
#include "data/data_set.hpp"
#include "registry/places.hpp"
#include "semblance/error.hpp"

namespace semblance::cli {

std::vector<DataSet> known_data_sets(const std::filesystem::path& data_folder,
                                     const std::string& more) {
  std::vector<std::filesystem::path> files = {shared_folder() / "data_sets.yaml",
                                              data_folder / "data_sets.yaml"};
  std::error_code ignored;
  if (!std::filesystem::exists(files.front(), ignored))
    throw Error("the catalogue of data sets '" + files.front().string() +
                "' is missing; reinstall the program");
  if (!more.empty()) {
    if (!std::filesystem::exists(more, ignored))
      throw Error("the catalogue of data sets '" + more + "' does not exist");
    files.emplace_back(more);
  }
  return read_data_catalogues(files);
}

std::string fetching_command(const std::filesystem::path& data_folder, const std::string& path) {
  try {
    const auto sets = known_data_sets(data_folder, "");
    const DataSet* set = set_of(path, sets);
    return set ? "semblance data get " + set->name : "";
  } catch (const Error&) {
    return "";  // `data list` reports what is wrong with a catalogue
  }
}

const char* presence_word(Presence presence) {
  if (presence == Presence::all) return "there";
  return presence == Presence::part ? "partly" : "missing";
}

}  // namespace semblance::cli
