// SPDX-License-Identifier: MIT
#include "runtime/artifact_store.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <vector>

#include "registry/hash.hpp"
#include "registry/json_text.hpp"
#include "report/atomic_file.hpp"
#include "runtime/state_files.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* index_name = "artifact.json";
constexpr const char* own_checksum_name = "xxh3";

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("the artifact store '" + folder.string() + "' cannot be used: " +
                failure.message() + "; choose another with --cache DIR, or do without: --no-cache");
}

/// Whether a name that an index gives leads to a file of the artifact.
bool is_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() && std::ranges::find(name, "..") == name.end();
}

/// The checksum of an index without its own, under which it is kept.
std::string own_checksum(Json index) {
  index.erase(own_checksum_name);
  return hash_of(index.dump());
}

/// What is wrong with the artifact's files, or nothing.
std::optional<std::string> damage(const fs::path& folder, const Json& index) {
  if (index.at(own_checksum_name) != own_checksum(index))
    return std::string(index_name) + " has another checksum";
  for (const auto& [name, expected] : index.at("files").items()) {
    if (!is_inside(name)) return "'" + one_line(name) + "' lies outside of it";
    std::error_code failure;
    const auto size = fs::file_size(folder / name, failure);
    if (failure) return name + ": " + failure.message();
    if (size != expected.at("bytes").get<std::uintmax_t>()) return name + " has another size";
    if (hash_of_file(folder / name) != expected.at("xxh3")) return name + " has another checksum";
  }
  return std::nullopt;
}

/// Drafts are named after their process; those of processes that are gone were cut off.
void remove_abandoned_drafts(const fs::path& drafts) {
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(drafts, ignored)) {
    const std::string name = item.path().filename();
    int process = 0;
    const auto end = std::from_chars(name.data(), name.data() + name.size(), process).ptr;
    if (end == name.data() || process <= 0) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(item.path(), ignored);
  }
}

}  // namespace

ArtifactStore::ArtifactStore(fs::path folder) : folder_(std::move(folder)) {
  make_folder(folder_ / "artifacts");
  make_folder(folder_ / "drafts");
  remove_abandoned_drafts(folder_ / "drafts");
}

ArtifactStore::Draft::Draft(fs::path folder, fs::path target)
    : folder_(std::move(folder)), target_(std::move(target)) {
  make_folder(folder_);
}

ArtifactStore::Draft::~Draft() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path ArtifactStore::Draft::commit(const Json& note) {
  Json index = {{"note", note}, {"files", Json::object()}};
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(folder_))
    if (item.is_regular_file()) files.push_back(item.path());
  std::ranges::sort(files);
  for (const auto& file : files)
    index["files"][file.lexically_relative(folder_).generic_string()] = {
        {"bytes", fs::file_size(file)}, {"xxh3", hash_of_file(file)}};
  index[own_checksum_name] = own_checksum(index);
  write_file_atomically(folder_ / index_name, index.dump(1) + "\n");
  std::error_code taken;
  fs::rename(folder_, target_, taken);
  if (taken && !fs::exists(target_ / index_name))
    throw Error("cannot keep the artifact '" + target_.string() + "': " + taken.message());
  return target_;
}

std::unique_ptr<ArtifactStore::Draft> ArtifactStore::draft(const std::string& key) {
  static std::atomic<unsigned> number = 0;
  const std::string name = std::to_string(::getpid()) + "-" + std::to_string(number++) + "-" + key;
  return std::make_unique<Draft>(folder_ / "drafts" / name, folder_ / "artifacts" / key);
}

bool ArtifactStore::contains(const std::string& key) const {
  std::error_code ignored;
  return fs::exists(folder_ / "artifacts" / key / index_name, ignored);
}

std::optional<ArtifactStore::Artifact> ArtifactStore::find(
    const std::string& key, const std::function<void(const std::string&)>& damaged) const {
  const fs::path folder = folder_ / "artifacts" / key;
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return std::nullopt;
  std::optional<std::string> problem;
  Json index;
  try {
    index = parse_json(read_whole_file(folder / index_name));
    problem = damage(folder, index);
    if (!problem) index = index.at("note");
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  if (!problem) {
    fs::last_write_time(folder / index_name, fs::file_time_type::clock::now(), ignored);
    return Artifact{folder, std::move(index)};
  }
  damaged("artifact " + folder.string() + " is damaged (" + one_line(*problem) +
          ") and is made again");
  fs::remove_all(folder, ignored);
  return std::nullopt;
}

void ArtifactStore::trim(std::uintmax_t limit) const {
  struct Item {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path folder;
  };
  std::vector<Item> items;
  std::uintmax_t total = 0;
  std::error_code ignored;
  for (const auto& folder : fs::directory_iterator(folder_ / "artifacts", ignored)) {
    Item item{fs::last_write_time(folder.path() / index_name, ignored), 0, folder.path()};
    for (const auto& file : fs::recursive_directory_iterator(folder.path(), ignored))
      if (file.is_regular_file(ignored)) item.bytes += file.file_size(ignored);
    total += item.bytes;
    items.push_back(std::move(item));
  }
  std::ranges::sort(items, {}, &Item::used);
  for (const auto& item : items) {
    if (total <= limit) return;
    fs::remove_all(item.folder, ignored);
    total -= item.bytes;
  }
}

}  // namespace semblance
