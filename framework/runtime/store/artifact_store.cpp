// SPDX-License-Identifier: MIT
#include "runtime/store/artifact_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/atomic_file.hpp"
#include "support/hash.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* index_name = "artifact.json";

void make_store_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("cannot create '" + folder.string() + "': " + failure.message());
}

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

/// An open folder: while it is, no other folder can be taken for it.
class OpenFolder {
 public:
  explicit OpenFolder(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~OpenFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse_store(const fs::path& folder, const std::string& why) {
  throw Error("the artifact store '" + folder.string() + "' cannot be used: " + why +
              "; choose another with --cache DIR, or run without one: --no-cache");
}

}  // namespace

ArtifactStore::ArtifactStore(fs::path folder) : folder_(std::move(folder)) {
  try {
    make_store_folder(folder_ / "artifacts");
    make_store_folder(folder_ / "drafts");
    remove_abandoned_folders(folder_ / "drafts");
    drafts_ = std::make_unique<OwnedFolder>(folder_ / "drafts");
  } catch (const Error& problem) {
    refuse_store(folder_, problem.what());
  }
}

FileLock ArtifactStore::hold() const {
  return FileLock::wait(folder_ / "in_use.lock", FileLock::Kind::shared);
}

/// Held while artifacts/ is changed, so that what was looked at is what is removed.
FileLock ArtifactStore::changing() const {
  return FileLock::wait(folder_ / "changes.lock", FileLock::Kind::exclusive);
}

/// Out of the way first: a half-removed artifact is never seen, whenever this process ends.
void ArtifactStore::remove(const fs::path& artifact) const {
  std::error_code ignored;
  const fs::path gone = drafts_->new_path("removed");
  fs::rename(artifact, gone, ignored);
  fs::remove_all(gone, ignored);
}

bool ArtifactStore::remove_if_same(const fs::path& artifact, int descriptor) const {
  const FileLock lock = changing();
  struct stat looked_at = {};
  struct stat there = {};
  if (::fstat(descriptor, &looked_at) != 0 || ::stat(artifact.c_str(), &there) != 0 ||
      looked_at.st_ino != there.st_ino || looked_at.st_dev != there.st_dev)
    return false;
  remove(artifact);
  return true;
}

ArtifactStore::Draft::Draft(const ArtifactStore& store, fs::path target)
    : store_(store),
      folder_(store.drafts_->new_path(target.filename().string())),
      target_(std::move(target)) {
  make_store_folder(folder_);
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
  const std::string checksum = checksum_of(index);
  index["xxh3"] = checksum;
  write_file_atomically(folder_ / index_name, index.dump(1) + "\n");
  const FileLock lock = store_.changing();
  std::error_code taken;
  if (fs::exists(target_, taken)) {
    if (fs::exists(target_ / index_name, taken)) return target_;
    store_.remove(target_);
  }
  fs::rename(folder_, target_, taken);
  if (taken)
    throw Error("cannot store the artifact '" + target_.string() + "': " + taken.message());
  return target_;
}

fs::path ArtifactStore::artifact_folder(const std::string& key) const {
  return folder_ / "artifacts" / key;
}

std::unique_ptr<ArtifactStore::Draft> ArtifactStore::draft(const std::string& key) {
  return std::make_unique<Draft>(*this, artifact_folder(key));
}

ArtifactStore::Artifact ArtifactStore::open(const std::string& key) const {
  const fs::path folder = artifact_folder(key);
  return {folder, parse_json(read_whole_file(folder / index_name)).at("note")};
}

bool ArtifactStore::contains(const std::string& key) const {
  std::error_code ignored;
  return fs::exists(artifact_folder(key) / index_name, ignored);
}

std::optional<ArtifactStore::Artifact> ArtifactStore::find(
    const std::string& key, const std::function<void(const std::string&)>& damaged) const {
  const fs::path folder = artifact_folder(key);
  for (;;) {
    const OpenFolder open(folder);
    std::error_code ignored;
    if (open.descriptor() < 0 && !fs::exists(folder, ignored)) return std::nullopt;
    std::string problem;
    try {
      const Json index = read_index(folder / index_name);
      if (const auto wrong = damage(folder, index)) {
        problem = *wrong;
      } else {
        fs::last_write_time(folder / index_name, fs::file_time_type::clock::now(), ignored);
        return Artifact{folder, index.at("note")};
      }
    } catch (const std::exception& failure) {
      problem = failure.what();
    }
    // Where another run has made it again in the meantime, that one is looked at.
    if (open.descriptor() >= 0 && !remove_if_same(folder, open.descriptor())) continue;
    damaged("artifact " + folder.string() + " is damaged (" + one_line(problem) +
            "); it is rebuilt");
    return std::nullopt;
  }
}

void ArtifactStore::trim(std::uintmax_t limit) const {
  const auto alone = FileLock::attempt(folder_ / "in_use.lock", FileLock::Kind::exclusive);
  if (!alone) return;
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
    const FileLock lock = changing();
    remove(item.folder);
    total -= item.bytes;
  }
}

}  // namespace semblance
