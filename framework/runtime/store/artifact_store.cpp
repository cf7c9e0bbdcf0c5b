// SPDX-License-Identifier: MIT
#include "runtime/store/artifact_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

#include "runtime/store/artifact_index.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/folder_time.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* index_name = artifact_index_name;
constexpr const char* hold_ending = ".hold";

/// How long a run waits for another one that trims the store.
constexpr std::chrono::seconds patience{10};

/// How often to clear an artifact's place before giving up.
constexpr int most_attempts = 10;

void make_store_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("cannot create '" + folder.string() + "': " + failure.message());
}

/// An open folder: while it is open, no other folder can be mistaken for it.
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

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t total = 0;
  for (const auto& file : files_below(folder)) {
    std::error_code vanished;
    const auto bytes = fs::file_size(file, vanished);
    if (!vanished) total += bytes;
  }
  return total;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

}  // namespace

ArtifactStore::ArtifactStore(fs::path folder)
    : folder_(std::move(folder)), size_(folder_ / "size") {
  try {
    make_store_folder(folder_ / "artifacts");
    make_store_folder(folder_ / "drafts");
    remove_abandoned_folders(folder_ / "drafts");
    drafts_ = std::make_unique<OwnedFolder>(folder_ / "drafts");
  } catch (const Error& problem) {
    refuse_store(folder_, problem.what());
  }
}

ArtifactStore::~ArtifactStore() = default;

/// The mark comes first: the process that trims looks for marks after taking the lock.
ArtifactStore::Hold::Hold(const ArtifactStore& store)
    : mark_(store.folder_ / "drafts", "", hold_ending) {
  mark_.keep_alive();
  const auto until = std::chrono::steady_clock::now() + patience;
  int problem = EWOULDBLOCK;
  while (problem == EWOULDBLOCK && std::chrono::steady_clock::now() < until) {
    lock_ = FileLock::attempt(store.folder_ / "in_use.lock", FileLock::Kind::shared, &problem);
    if (problem == EWOULDBLOCK) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::unique_ptr<ArtifactStore::Hold> ArtifactStore::hold() const {
  try {
    return std::make_unique<Hold>(*this);
  } catch (const std::system_error& problem) {
    refuse_store(folder_, problem.what());
  }
}

/// Whether any mark is there, of this process or of another living one.
bool ArtifactStore::held() const {
  std::error_code ignored;
  Abandoned abandoned(folder_ / "drafts");
  for (fs::directory_iterator item(folder_ / "drafts", ignored), end; item != end;
       item.increment(ignored))
    if (item->path().extension() == hold_ending &&
        !abandoned(item->path(), item->path().stem().string()))
      return true;
  return false;
}

void ArtifactStore::rely_on_mark() const {
  const std::lock_guard lock(mutex_);
  if (!needed_hold_) needed_hold_ = hold();
}

/// Links an artifact's files into this run's own folder. Nothing where they cannot be linked: then
/// a mark asks other processes not to remove what is in use.
std::optional<fs::path> ArtifactStore::linked(const fs::path& artifact) const {
  try {
    const fs::path links = drafts_->new_path(artifact.filename().string());
    if (link_files(artifact, links)) return links;
    std::error_code ignored;
    fs::remove_all(links, ignored);
  } catch (const Error&) {
    // No room, say: stored data can be used anyway.
  }
  rely_on_mark();
  return std::nullopt;
}

/// Moves it away first: no process ever sees a half-removed artifact, even if this process is
/// killed.
void ArtifactStore::remove(const fs::path& artifact) const {
  std::error_code ignored;
  const fs::path gone = drafts_->new_path("removed");
  fs::rename(artifact, gone, ignored);
  fs::remove_all(gone, ignored);
}

/// Removes an artifact if it is the folder that was examined. False where another folder has taken
/// its place; one that did so during the removal is put back.
bool ArtifactStore::remove_if_same(const fs::path& artifact, int descriptor) const {
  struct stat looked_at = {};
  struct stat there = {};
  if (::fstat(descriptor, &looked_at) != 0 || ::stat(artifact.c_str(), &there) != 0 ||
      !same_file(looked_at, there))
    return false;
  const fs::path gone = drafts_->new_path("removed");
  if (::rename(artifact.c_str(), gone.c_str()) != 0) return errno != ENOENT;
  const bool same = ::stat(gone.c_str(), &there) != 0 || same_file(looked_at, there);
  if (same || ::rename(gone.c_str(), artifact.c_str()) != 0) {
    std::error_code ignored;
    fs::remove_all(gone, ignored);
  }
  return same;
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

fs::path ArtifactStore::Draft::commit(const Json& note, bool in_use, const KnownChecksums& known) {
  write_artifact_index(folder_, note, known);
  if (in_use) store_.linked(folder_);
  const std::uintmax_t bytes = bytes_in(folder_);
  for (int attempt = 0;; ++attempt) {
    if (::rename(folder_.c_str(), target_.c_str()) == 0) {
      store_.size_.add(bytes);
      return target_;
    }
    const int problem = errno;
    std::error_code ignored;
    if (fs::exists(target_ / index_name, ignored)) return target_;
    if (!fs::exists(target_, ignored) || attempt == most_attempts)
      throw Error("cannot store the artifact '" + target_.string() +
                  "': " + std::generic_category().message(problem));
    store_.remove(target_);  // what an older program left half removed
  }
}

fs::path ArtifactStore::artifact_folder(const std::string& key) const {
  return folder_ / "artifacts" / key;
}

std::unique_ptr<ArtifactStore::Draft> ArtifactStore::draft(const std::string& key) {
  return std::make_unique<Draft>(*this, artifact_folder(key));
}

ArtifactStore::Artifact ArtifactStore::open(const std::string& key) const {
  fs::path folder;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = found_.find(key); found != found_.end()) folder = found->second;
  }
  // Another rank of this run has found it.
  if (folder.empty()) folder = linked(artifact_folder(key)).value_or(artifact_folder(key));
  std::error_code ignored;
  if (!fs::exists(folder / index_name, ignored))
    throw Error("the artifact '" + key + "' has vanished from the store '" + folder_.string() +
                "' while this run used it; run it again, and it is computed again");
  return {folder, parse_json(read_whole_file(folder / index_name)).at("note")};
}

bool ArtifactStore::contains(const std::string& key) const {
  std::error_code ignored;
  const fs::path index = artifact_folder(key) / index_name;
  if (fs::exists(index, ignored)) return true;
  // A client of a file server may have cached its absence; opening the folder asks anew.
  const OpenFolder asked(folder_ / "artifacts");
  return fs::exists(index, ignored);
}

std::optional<ArtifactStore::Artifact> ArtifactStore::find(
    const std::string& key, const std::function<void(const std::string&)>& damaged) const {
  const fs::path folder = artifact_folder(key);
  for (;;) {
    const OpenFolder open(folder);
    std::error_code ignored;
    if (open.descriptor() < 0 && !fs::exists(folder, ignored)) return std::nullopt;
    const auto links = linked(folder);
    const fs::path place = links.value_or(folder);
    Json note;
    const auto problem = artifact_damage(place, note);
    if (!problem) {
      touch(place / index_name);
      const std::lock_guard lock(mutex_);
      found_[key] = place;
      return Artifact{place, note};
    }
    if (links) fs::remove_all(*links, ignored);
    // Where another run has made it again in the meantime, that one is examined.
    if (open.descriptor() >= 0 && !remove_if_same(folder, open.descriptor())) continue;
    damaged("artifact " + folder.string() + " is damaged (" + one_line(*problem) +
            "); it is rebuilt");
    return std::nullopt;
  }
}

void ArtifactStore::trim(std::uintmax_t limit) const {
  {
    const std::lock_guard lock(mutex_);
    needed_hold_.reset();
  }
  int problem = 0;
  const auto alone =
      FileLock::attempt(folder_ / "in_use.lock", FileLock::Kind::exclusive, &problem);
  if (problem == EWOULDBLOCK || held()) return;
  std::error_code ignored;
  fs::remove_all(folder_ / "kept", ignored);  // by earlier versions: states of trainings
  if (const auto artifacts = size_.about(); artifacts && *artifacts <= limit) return;
  const auto used = [&](const fs::path& folder) {
    return fs::last_write_time(folder / index_name, ignored);
  };
  struct Item {
    fs::file_time_type used;
    std::uintmax_t bytes = 0;
    fs::path folder;
  };
  std::vector<Item> items;
  std::uintmax_t artifacts = 0;
  for (fs::directory_iterator folder(folder_ / "artifacts", ignored), end; folder != end;
       folder.increment(ignored)) {
    items.push_back({used(folder->path()), bytes_in(folder->path()), folder->path()});
    artifacts += items.back().bytes;
  }
  const std::uintmax_t goal = artifacts > limit ? limit - limit / 10 : limit;
  // By the file server's clock, to which all these times refer.
  std::ranges::sort(items, {}, &Item::used);
  for (const Item& item : items) {
    if (artifacts <= goal) break;
    if (used(item.folder) != item.used) continue;  // it is in use now
    remove(item.folder);
    artifacts -= item.bytes;
  }
  size_.set(artifacts);
}

}  // namespace semblance
