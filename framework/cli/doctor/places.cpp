// SPDX-License-Identifier: MIT
// The folders of data and results.
#include "registry/places.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/doctor/doctor.hpp"
#include "cli/known_data.hpp"
#include "data/data_folder.hpp"
#include "support/file_lock.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string size_text(std::uintmax_t bytes) { return bytes_text(static_cast<double>(bytes)); }

bool is_set(const char* name) {
  const char* value = ::getenv(name);
  return value && *value;
}

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

void examine_sets(Examination& seen, Json& facts, const fs::path& folder) {
  facts["sets"] = Json::object();
  std::string missing;
  for (const DataSet& set : known_data_sets(folder, "")) {
    const Presence there = presence(set, folder);
    facts["sets"][set.name] = presence_word(there);
    if (there != Presence::all) missing += " " + set.name;
  }
  if (!missing.empty())
    seen.remark("data sets are missing:" + missing,
                "if a pipeline needs them: semblance data get NAME");
}

}  // namespace

void examine_data(Examination& seen, const std::string& data_option) {
  seen.section("data", [&](Json& facts) {
    const fs::path used = data_folder(data_option);
    std::error_code failure;
    facts["folders"] = Json::array();
    const auto add = [&](const char* origin, const fs::path& folder) {
      const bool there = fs::is_directory(folder, failure);
      facts["folders"].push_back(fmt::format("{} ({}): {}{}", folder.string(), origin,
                                             there ? "found" : "not found",
                                             folder == used ? ", used" : ""));
    };
    if (!data_option.empty()) add("--data", fs::absolute(data_option));
    if (is_set("SEMBLANCE_DATA")) add("$SEMBLANCE_DATA", fs::absolute(::getenv("SEMBLANCE_DATA")));
    add("the user's", user_data_folder());
    const bool named = !data_option.empty() || is_set("SEMBLANCE_DATA");
    if (!fs::is_directory(used, failure)) {
      const std::string what = fmt::format("the data folder '{}' does not exist", used.string());
      if (named)
        seen.broken(what, "correct --data or $SEMBLANCE_DATA, or create the folder");
      else
        seen.remark(what, "the first 'semblance data get' creates it");
    }
    if (!is_set("HOME") && !is_set("XDG_DATA_HOME"))
      seen.remark("$HOME is not set, so data and store are in a temporary folder",
                  "set $HOME, or $SEMBLANCE_DATA and $SEMBLANCE_CACHE");
    examine_sets(seen, facts, used);
  });
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
                  "it may make them compute again, and the history of runs needs locks");
    constexpr std::uintmax_t little = std::uintmax_t{1} << 30;
    if (!failure && problem.empty() && space.available < little)
      seen.remark(fmt::format("only {} are free on the store's disk", size_text(space.available)),
                  "free some space, choose another place with --cache DIR, or lower --cache-limit");
  });
}

}  // namespace semblance::cli
