// SPDX-License-Identifier: MIT
#include "cli/doctor/doctor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "cli/pipeline_options.hpp"
#include "registry/doors.hpp"
#include "registry/places.hpp"
#include "runtime/services/chosen_device.hpp"
#include "semblance/plugin.hpp"
#include "support/files/file_lock.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

/// Appends a mapping as lines; nested mappings are indented.
void append(std::string& text, const Json& value, std::size_t indent) {
  const std::string space(indent, ' ');
  for (const auto& [key, item] : value.items()) {
    const std::string name = value.is_array() ? "-" : key + ":";
    if (item.is_object() || (item.is_array() && !item.empty())) {
      text += fmt::format("{}{}\n", space, name);
      append(text, item, indent + 2);
    } else {
      text += fmt::format("{}{} {}\n", space, name, item.is_array() ? "none" : shown(item));
    }
  }
}

const char* word(Finding::Severity severity) {
  return severity == Finding::Severity::broken ? "broken" : "remark";
}

/// Facts and findings as text for a bug report, ending with the findings or "no problems found".
std::string text_of(const Examination& seen) {
  std::string text;
  for (const auto& [name, facts] : seen.facts().items()) {
    text += name + "\n";
    append(text, facts, 2);
    text += "\n";
  }
  for (const Finding& finding : seen.findings())
    text += fmt::format("{}: {}\n  what to do: {}\n", word(finding.severity), finding.what,
                        finding.advice);
  if (seen.findings().empty()) return text + "no problems found\n";
  return text + (seen.all_well() ? "\nno problems except for the remarks\n" : "\nproblems found\n");
}

Json json_of(const Examination& seen) {
  Json json = seen.facts();
  json["findings"] = Json::array();
  for (const Finding& finding : seen.findings())
    json["findings"].push_back({{"severity", word(finding.severity)},
                                {"what", finding.what},
                                {"what_to_do", finding.advice}});
  json["all_well"] = seen.all_well();
  return json;
}

/// The value of `key` in a file of "key<separator>value" lines, without quotes.
std::string value_in(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t\"", at + 1);
    const auto end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return "";
}

std::string mpi_library() {
  using Version = const char*();
  try {
    auto* const version = reinterpret_cast<Version*>(door_function(
        "mpi", "semblance_mpi_library",
        "build it on a machine with MPI (apt-get install libopenmpi-dev openmpi-bin)"));
    return version();
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

void examine_versions(Examination& seen) {
  seen.section("versions", [](Json& facts) {
    facts["semblance"] = SEMBLANCE_VERSION;
    std::error_code failure;
    facts["file"] = fs::read_symlink("/proc/self/exe", failure).string();
    facts["compiler"] = SEMBLANCE_COMPILER;
    facts["build"] = SEMBLANCE_BUILD;
    facts["SDK API"] = sdk_api;
    facts["binary interface"] = host_fingerprint();
    facts["system"] = value_in("/etc/os-release", "PRETTY_NAME", '=');
    facts["libraries"] = Json(loaded_libraries());
    facts["GPU"] = gpu_text();
    facts["MPI"] = mpi_library();
  });
}

std::string size_text(std::uintmax_t bytes) { return bytes_text(static_cast<double>(bytes)); }

/// The folder itself, or the nearest existing one above it.
fs::path existing_part(fs::path folder) {
  std::error_code failure;
  while (!fs::exists(folder, failure) && folder.has_parent_path() && folder != folder.parent_path())
    folder = folder.parent_path();
  return folder;
}

/// Why no file can be made in a folder; empty where one can. Leaves no file.
std::string writing_problem(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    const bool written = ::write(descriptor, "x", 1) == 1;
    const int code = errno;
    ::close(descriptor);
    return written ? "" : std::generic_category().message(code);
  }
  // The file system does not support unnamed files.
  if (errno == EOPNOTSUPP || errno == EISDIR)
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : std::generic_category().message(errno);
  return std::generic_category().message(errno);
}

/// Why processes cannot lock files there; empty where they can, or where there is nothing to test.
std::string locking_problem(const fs::path& store) {
  std::error_code failure;
  if (!fs::is_directory(store, failure)) return "";
  int problem = 0;
  FileLock::attempt(store / "in_use.lock", FileLock::Kind::shared, &problem);
  return problem == 0 || problem == EWOULDBLOCK ? "" : std::generic_category().message(problem);
}

struct Content {
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
  std::error_code failure;
};

Content content_of(const fs::path& store) {
  Content content;
  std::error_code ignored;
  fs::directory_iterator item(store / "artifacts", content.failure);
  if (content.failure == std::errc::no_such_file_or_directory) content.failure.clear();
  for (; !content.failure && item != fs::directory_iterator(); item.increment(content.failure)) {
    ++content.entries;
    for (fs::recursive_directory_iterator file(item->path(), ignored), end; file != end;
         file.increment(ignored))
      if (file->is_regular_file(ignored)) content.bytes += file->file_size(ignored);
  }
  return content;
}

void examine_store(Examination& seen, const std::string& cache_option) {
  seen.section("store", [&](Json& facts) {
    const fs::path store = cache_folder(cache_option);
    facts["folder"] = store.string();
    std::error_code failure;
    const bool there = fs::is_directory(store, failure);
    facts["exists"] = there;
    const Content content = content_of(store);
    facts["entries"] = content.entries;
    facts["size"] = size_text(content.bytes);
    const fs::path place = existing_part(store);
    const auto space = fs::space(place, failure);
    if (!failure) facts["free on its disk"] = size_text(space.available);
    std::string problem = content.failure ? content.failure.message() : writing_problem(place);
    std::string unlocked;
    try {
      if (problem.empty()) unlocked = locking_problem(store);
    } catch (const std::exception& failed) {
      problem = failed.what();
    }
    facts["usable"] = problem.empty();
    const char* advice =
        "choose another with --cache DIR or $SEMBLANCE_CACHE, or run without one: --no-cache";
    if (!problem.empty())
      seen.broken(
          fmt::format("the artifact store '{}' cannot be used: {}", store.string(), problem),
          advice);
    if (!unlocked.empty())
      seen.remark("the store's file system has no file locks (" + unlocked + ")",
                  "results are correct without locks, but trimming the store while other runs use "
                  "it may make them compute again");
    constexpr std::uintmax_t little = std::uintmax_t{1} << 30;
    if (!failure && problem.empty() && space.available < little)
      seen.remark(fmt::format("only {} are free on the store's disk", size_text(space.available)),
                  "free some space, choose another place with --cache DIR, or lower --cache-limit");
  });
}

}  // namespace

int doctor_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("doctor");
  if (arguments.size() == 2 && arguments[0] == "--load") return describe_plugin(arguments[1]);
  options::options_description described(
      "Shows what a bug report needs: versions, plugins and the store; then what is wrong and\n"
      "how to fix it. Exits with 1 if something is broken.\n\n"
      "options",
      100);
  add_plugin_option(described);
  described.add_options()("cache", takes("DIR"), "the artifact store")("json", "as JSON");
  const auto values = parse(verb, arguments, described, {});
  if (!values) return done;
  Examination seen;
  examine_versions(seen);
  examine_plugins(seen, option_texts(*values, "plugin-path"));
  examine_store(seen, option_text(*values, "cache"));
  if (values->count("json"))
    fmt::print("{}\n",
               json_of(seen).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    fmt::print("{}", text_of(seen));
  return seen.all_well() ? done : failed;
}

}  // namespace semblance::cli
