// SPDX-License-Identifier: MIT
#include "pipeline/file_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "pipeline/suggestion.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// Why a file cannot be read; empty: it can.
std::string trouble(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return "does not exist";
  if (error) return "cannot be looked at: " + error.message();
  const int wanted = fs::is_directory(status) ? R_OK | X_OK : R_OK;
  return access(file.c_str(), wanted) == 0 ? "" : "is not readable";
}

/// A similar name in the same folder, or the first folder on the way that is missing.
std::string nearby(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!fs::is_directory(folder, error)) {
    fs::path missing = folder;
    while (missing.has_relative_path() && !fs::exists(missing.parent_path(), error))
      missing = missing.parent_path();
    return "there is no folder " + quote(missing.string());
  }
  constexpr std::size_t most_names = 2000;
  std::vector<std::string> names;
  for (fs::directory_iterator i(folder, error), end;
       !error && i != end && names.size() < most_names; i.increment(error))
    names.push_back(i->path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(file.filename().string(), names);
}

/// The path parameter that leads to `file`, as its value and its place.
std::pair<std::string, Place> find_parameter(const ReadComponent& component,
                                             const std::string& file) {
  std::pair<std::string, Place> best{"", component.place};
  for (const auto& parameter : component.entry->info.parameters) {
    if (parameter.type != ParameterType::path) continue;
    const auto value =
        std::find_if(component.config.values.begin(), component.config.values.end(),
                     [&](const auto& named) { return named.first == parameter.name; });
    if (value == component.config.values.end()) continue;
    const auto& path = std::get<std::string>(value->second);
    const bool leads = !path.empty() && file.starts_with(path);
    if (!leads || path.size() <= best.first.size()) continue;
    const auto written = std::find_if(component.written.begin(), component.written.end(),
                                      [&](const auto& w) { return w.first == parameter.name; });
    best = {path, written == component.written.end() ? component.place : written->second};
  }
  return best;
}

std::string advise(const fs::path& file, const fs::path& data, const CheckOptions& options) {
  std::error_code error;
  const auto relative = file.lexically_relative(data);
  const bool below = !relative.empty() && *relative.begin() != "..";
  std::string set = "set it with --data DIR or $SEMBLANCE_DATA";
  const std::string command = below && options.fetching ? options.fetching(relative.string()) : "";
  if (!command.empty()) set += ", or fetch this data set: " + command;
  if (below && !fs::is_directory(data, error))
    return "the data folder " + quote(data.string()) + " does not exist; " + set;
  std::string text = nearby(file);
  if (below)
    text += (text.empty() ? "" : " ") + ("(the data folder is " + quote(data.string())) + "; " +
            set + ")";
  return text;
}

void check_files(const ReadComponent& read, const Component& component, const fs::path& data,
                 const CheckOptions& options, Problems& problems) {
  std::set<std::string> reported;  // one message a parameter
  for (const std::string& file : component.files()) {
    const std::string reason = trouble(file);
    if (reason.empty()) continue;
    const auto [path, place] = find_parameter(read, file);
    if (!reported.insert(path).second) continue;
    // A folder that is missing is the trouble, not the first file that should be in it.
    const std::string of_folder = path.empty() ? "" : trouble(path);
    const std::string guilty = of_folder.empty() ? file : path;
    problems.error(place, "'" + guilty + "' " + (of_folder.empty() ? reason : of_folder),
                   advise(guilty, data, options));
  }
}

}  // namespace

void check_component(const ReadComponent& read, const Catalogue& catalogue,
                     const std::filesystem::path& data, const CheckOptions& options,
                     Problems& problems) {
  const std::size_t before = problems.errors();
  for (const auto& part : read.parts) check_component(part, catalogue, data, options, problems);
  if (problems.errors() != before) return;
  try {
    const auto component = catalogue.create(read.config);
    if (options.check_files) check_files(read, *component, data, options, problems);
  } catch (const std::exception& e) {
    problems.error(read.place, e.what());
  }
}

}  // namespace semblance
