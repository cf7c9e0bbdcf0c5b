// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/known_data.hpp"
#include "cli/output.hpp"
#include "cli/verb.hpp"
#include "data/data_folder.hpp"
#include "data/get_data_set.hpp"
#include "registry/places.hpp"
#include "report/metrics.hpp"
#include "support/did_you_mean.hpp"
#include "support/terminal.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const DataSet& set_named(const std::vector<DataSet>& sets, const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : sets) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  const std::string help = did_you_mean(name, names);
  throw UsageError("unknown data set '" + name + "'; " +
                   (help.empty() ? "choose from: " + enumerate(names) : help));
}

void print_list(const std::vector<DataSet>& sets, const fs::path& folder) {
  std::size_t width = 0;
  for (const DataSet& set : sets) width = std::max(width, set.name.size());
  fmt::print("data folder: {}\n\n", folder.string());
  for (const DataSet& set : sets)
    fmt::print("{:<{}}  {:<9}  {}\n", set.name, width, presence_word(presence(set, folder)),
               set.summary);
  fmt::print(
      "\n'semblance data get NAME' downloads what is missing, 'data show NAME' shows details\n");
}

Json json_of(const DataSet& set, const fs::path& folder) {
  Json json = {{"name", set.name},          {"there", presence_word(presence(set, folder))},
               {"summary", set.summary},    {"licence", set.licence},
               {"cite", set.cite},          {"page", set.page},
               {"note", set.note},          {"missing", missing_files(set, folder)},
               {"downloads", Json::array()}};
  for (const Download& download : set.downloads) {
    Json one = {{"url", download.url}, {"sha256", download.sha256.value_or("unknown")}};
    if (download.bytes) one["bytes"] = *download.bytes;
    one["gives"] = Json::array();
    for (const DataFile& file : download.gives) one["gives"].push_back(file.path);
    if (!download.unpack.empty()) one["gives"].push_back(download.unpack);
    json["downloads"].push_back(std::move(one));
  }
  return json;
}

void print_terms(const DataSet& set) {
  fmt::print("{}: {}\n  licence: {}\n  cite:    {}\n  page:    {}\n", set.name, set.summary,
             set.licence, set.cite, set.page);
  if (!set.note.empty()) fmt::print("  note:    {}\n", set.note);
}

void print_set(const DataSet& set, const fs::path& folder) {
  print_terms(set);
  fmt::print("  {} in {}\n", presence_word(presence(set, folder)), folder.string());
  for (const auto& path : missing_files(set, folder)) fmt::print("  missing: {}\n", path);
  if (presence(set, folder) != Presence::all)
    fmt::print("\n  semblance data get {}\n\n{}", set.name, instructions(set, folder));
  else
    fmt::print("\n{}", addresses(set.downloads));
}

/// Shows a line that is overwritten, if the output is a terminal.
void show_progress(const std::string& file, std::uint64_t done, std::uint64_t total) {
  static int last = -1;
  if (total == 0 || !can_redraw(STDERR_FILENO)) return;
  const int percent = static_cast<int>(100 * done / total);
  if (percent == std::exchange(last, percent)) return;
  // Not fmt::print(), which throws where the terminal is gone.
  const auto line = fmt::format("\r  {} {} %{}", file, percent, done == total ? "\n" : "");
  std::fputs(line.c_str(), stderr);
}

void get(const DataSet& set, const GetOptions& options) {
  print_terms(set);
  std::fflush(stdout);
  const std::size_t needed = get_data_set(set, options);
  fmt::print("{} {} in {}\n", set.name, needed == 0 ? "was already there," : "is now there,",
             options.folder.string());
}

}  // namespace

int data_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("data");
  options::options_description described(
      "list         list known data sets, and which are here\n"
      "show NAME    show everything about one: terms, addresses, checksums, missing files\n"
      "get NAME...  download, verify and unpack them into the data folder; existing files stay.\n"
      "             The same command resumes an interrupted download.\n\n"
      "Your own data sets: data_sets.yaml in the data folder, in the format of\n"
      "share/semblance/data_sets.yaml.\n\n"
      "options",
      100);
  described.add_options()("data", takes("DIR"),
                          "the data folder (default: $SEMBLANCE_DATA, else the user's)")(
      "mirror", takes("DIR|URL"), "get: take the files from there instead of their own addresses")(
      "unverified", "get: also accept files without a known checksum")(
      "catalogue", takes("FILE"), "a file with more data sets")("json", "list and show: as JSON");
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  const std::string action = action_of(verb,
                                       {{"list", {}, {"json"}},
                                        {"show", {"NAME..."}, {"json"}},
                                        {"get", {"NAME..."}, {"mirror", "unverified"}}},
                                       *values)
                                 .name;
  const Texts given = option_texts(*values, "argument");
  const bool json = values->count("json") > 0, lists = action == "list";
  const fs::path folder = data_folder(option_text(*values, "data"));
  const auto sets = known_data_sets(folder, option_text(*values, "catalogue"));
  if (lists && !json) {
    print_list(sets, folder);
    return done;
  }
  std::vector<const DataSet*> chosen;
  for (std::size_t i = 1; i < given.size(); ++i) chosen.push_back(&set_named(sets, given[i]));
  if (lists)
    for (const DataSet& set : sets) chosen.push_back(&set);
  auto all = Json::array();
  for (const DataSet* set : chosen) {
    if (json)
      all.push_back(json_of(*set, folder));
    else if (action == "show")
      print_set(*set, folder);
    else
      get(*set, {folder, option_text(*values, "mirror"), values->count("unverified") > 0,
                 [](const std::string& line) {
                   fmt::print("  {}\n", line);
                   std::fflush(stdout);
                 },
                 show_progress});
  }
  if (json) fmt::print("{}", readable_json(all));
  return done;
}

}  // namespace semblance::cli
