// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/store/artifact_index.hpp"
#include "support/files/file_lock.hpp"
#include "support/files/owned_folder.hpp"

namespace semblance {

/// The approximate size of a store's artifacts in bytes, so that checking its limit does not
/// require a look at all its files: the last measured size, and what was added since. It is stored
/// in a file: a number, and then a line "+n" for each addition.
///
/// After a race or when a process is killed, it is too small by what was just stored; when other
/// processes remove artifacts, it is too large. The next measurement corrects it.
class StoreSize {
 public:
  explicit StoreSize(std::filesystem::path file) : file_(std::move(file)) {}

  /// Adds to the size. Any number of processes may do so at the same time.
  void add(std::uintmax_t bytes) const noexcept;

  /// The approximate size; nothing where it was never measured, or cannot be read.
  std::optional<std::uintmax_t> about() const noexcept;

  /// Sets the measured size. Call it while no other process adds anything.
  void set(std::uintmax_t bytes) const noexcept;

 private:
  std::filesystem::path file_;
};

/// The content-addressed store of node results, shared by all runs. An artifact is a folder named
/// by its key: its files, and artifact.json with their sizes and checksums and its own. It appears
/// and disappears as a whole (made beside, then renamed), and is verified before use. Any number of
/// processes on any number of machines may use one store; what a killed process left unfinished is
/// removed by the next one.
///
/// Correctness does not depend on a file lock, or on clocks that agree: a run links what it uses
/// into a folder of its own, so that readers retain an artifact that another process removes. Where
/// files cannot be linked, marks show that a process uses the store. Losing a race costs time: what
/// was removed is computed again.
class ArtifactStore {
 public:
  /// Makes the folder; throws Error naming it when it cannot be used.
  explicit ArtifactStore(std::filesystem::path folder);
  ~ArtifactStore();

  /// While it lives, no process trims the store: what find() finds stays for other processes, too.
  class Hold {
   public:
    explicit Hold(const ArtifactStore& store);

   private:
    OwnedFile mark_;
    std::optional<FileLock> lock_;
  };
  std::unique_ptr<Hold> hold() const;

  /// An artifact in the making; gone without a trace unless committed.
  class Draft {
   public:
    Draft(const ArtifactStore& store, std::filesystem::path target);
    ~Draft();
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    const std::filesystem::path& folder() const noexcept { return folder_; }
    /// Checksums every file, adds `note` to artifact.json, and puts the artifact in its place.
    /// Where another run was faster, its artifact stays. What is `in_use` (mapped) remains readable
    /// when other processes remove the artifact. Files whose checksums are `known` are not read.
    /// Returns the artifact's folder.
    std::filesystem::path commit(const nlohmann::ordered_json& note, bool in_use = false,
                                 const KnownChecksums& known = {});

   private:
    const ArtifactStore& store_;
    std::filesystem::path folder_;
    std::filesystem::path target_;
  };

  std::unique_ptr<Draft> draft(const std::string& key);

  struct Artifact {
    std::filesystem::path folder;
    nlohmann::ordered_json note;
  };

  /// The artifact, if it is there and every file has its size and checksum; it remains readable
  /// until the store is closed. A damaged one is reported to `damaged`, then removed.
  std::optional<Artifact> find(const std::string& key,
                               const std::function<void(const std::string&)>& damaged) const;

  /// An artifact that find() has found, here or in another rank of the run, without verifying it
  /// again; it remains readable until the store is closed. Throws Error, or an exception of the
  /// JSON library, where it cannot be read.
  Artifact open(const std::string& key) const;

  /// Whether it is there, unverified.
  bool contains(const std::string& key) const;

  /// A new path for a file of this process alone.
  std::filesystem::path own_path(const std::string& ending) const {
    return drafts_->new_path(ending);
  }

  /// Where the store holds more than `limit` bytes, removes the least recently used artifacts until
  /// a tenth of the limit is free: looking through many artifacts takes long and should not be
  /// necessary after each run. Does nothing while a run holds the store: the next run to end does
  /// it. Call it when what was read from the store is not used any more.
  void trim(std::uintmax_t limit) const;

  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  std::filesystem::path artifact_folder(const std::string& key) const;
  std::optional<std::filesystem::path> linked(const std::filesystem::path& artifact) const;
  void rely_on_mark() const;
  bool held() const;
  void remove(const std::filesystem::path& artifact) const;
  bool remove_if_same(const std::filesystem::path& artifact, int descriptor) const;

  std::filesystem::path folder_;
  StoreSize size_;
  std::unique_ptr<OwnedFolder> drafts_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::filesystem::path> found_;  ///< by key, where it is read
  mutable std::unique_ptr<Hold> needed_hold_;  ///< where what is in use cannot be linked
};

}  // namespace semblance
