// SPDX-License-Identifier: MIT
#include "runtime/store/artifact_index.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/atomic_file.hpp"
#include "support/hash.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Of everything in artifact.json but the checksum itself.
std::string checksum_of(const Json& index) { return hash_of(index.dump()); }

/// artifact.json, once its own checksum is right. Throws an exception that says what is wrong.
Json read_index(const fs::path& file) {
  const std::string text = read_whole_file(file);
  Json index = parse_json(text);
  if (index.dump(1) + "\n" != text) throw Error("artifact.json was changed after it was written");
  const std::string checksum = index.at("xxh3");
  index.erase("xxh3");
  if (checksum_of(index) != checksum) throw Error("artifact.json has the wrong checksum");
  return index;
}

/// What is wrong with the artifact's files, or nothing.
std::optional<std::string> damage(const fs::path& folder, const Json& index) {
  for (const auto& [name, expected] : index.at("files").items()) {
    if (!leads_inside(name)) return "'" + one_line(name) + "' lies outside it";
    std::error_code failure;
    const auto size = fs::file_size(folder / name, failure);
    if (failure) return name + ": " + failure.message();
    if (size != integer_in<std::uintmax_t>(expected.at("bytes")))
      return name + " has the wrong size";
    if (hash_of_file(folder / name) != expected.at("xxh3")) return name + " has the wrong checksum";
  }
  return std::nullopt;
}

/// Sends what was written to a file through a mapping to a file server: closing it does.
void send(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor >= 0 && ::close(descriptor) != 0)
    throw Error(file.string() + ": cannot write: " + std::generic_category().message(errno));
}

}  // namespace

void write_artifact_index(const fs::path& folder, const Json& note) {
  Json index = {{"note", note}, {"files", Json::object()}};
  // Throws on an error: a file that was left out would never be missed.
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.is_regular_file()) files.push_back(item.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    send(file);
    index["files"][file.lexically_relative(folder).generic_string()] = {
        {"bytes", fs::file_size(file)}, {"xxh3", hash_of_file(file)}};
  }
  const std::string checksum = checksum_of(index);
  index["xxh3"] = checksum;
  write_file_atomically(folder / artifact_index_name, index.dump(1) + "\n");
}

std::optional<std::string> artifact_damage(const fs::path& folder, Json& note) {
  try {
    const Json index = read_index(folder / artifact_index_name);
    if (auto wrong = damage(folder, index)) return wrong;
    note = index.at("note");
    return std::nullopt;
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code gone;
  for (fs::recursive_directory_iterator item(folder, gone), end; !gone && item != end;
       item.increment(gone))
    if (item->is_regular_file(gone)) files.push_back(item->path());
  return files;
}

bool link_files(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::create_directories(to, failure);
  for (const fs::path& file : files_below(from)) {
    const fs::path target = to / file.lexically_relative(from);
    fs::create_directories(target.parent_path(), failure);
    if (::link(file.c_str(), target.c_str()) != 0 && errno != ENOENT && errno != ESTALE)
      return false;
  }
  return !failure;
}

}  // namespace semblance
