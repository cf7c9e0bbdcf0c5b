// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/store/artifact_index.hpp"
#include "runtime/store/kept_states.hpp"
#include "runtime/store/store_size.hpp"
#include "support/file_lock.hpp"
#include "support/owned_folder.hpp"

namespace semblance {

/// The content-addressed store of what nodes have computed, shared by all runs. An artifact is a
/// folder named by its key: its files, and artifact.json with their sizes and checksums and
/// its own. It appears and goes whole or not at all (made beside, then renamed), and is verified
/// before it is used. Any number of processes of any number of machines may use one store; what a
/// killed one left half-made is removed by the next.
///
/// Nothing that is right depends on a file lock, or on clocks that agree: a run links what it uses
/// into a folder of its own, so that whoever removes an artifact leaves it to those that read it.
/// Where files cannot be linked, marks tell that somebody uses the store. Losing a race costs time:
/// what was removed is computed again.
class ArtifactStore {
 public:
  /// Makes the folder; throws Error naming it when it cannot be used.
  explicit ArtifactStore(std::filesystem::path folder);
  ~ArtifactStore();

  /// While it lives, nobody trims the store: what find() finds stays for others, too.
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
    /// Where another run was faster, its artifact stays. What is `in_use` (mapped) can be read on
    /// when others have removed the artifact. Returns the artifact's folder. Files
    /// whose checksums are `known` are not read.
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

  /// The artifact when it is there and every file has its size and checksum; it can be read until
  /// the store is closed, whatever others do. A damaged one is removed, after `damaged` was told
  /// what is wrong.
  std::optional<Artifact> find(const std::string& key,
                               const std::function<void(const std::string&)>& damaged) const;

  /// An artifact that find() has found, here or in another rank of the run, without verifying it
  /// again; it can be read until the store is closed. Throws Error, or an exception of the JSON
  /// library, where it cannot be read.
  Artifact open(const std::string& key) const;

  /// Whether it is there, unverified.
  bool contains(const std::string& key) const;

  /// What trainings keep of themselves while they go on.
  const KeptStates& kept() const noexcept { return *kept_; }

  /// Where the store holds more than `limit` bytes, removes the least recently used artifacts until
  /// there is a tenth of the limit to spare: looking through many artifacts takes long, so it
  /// should not be necessary after each run. Does nothing while a run holds the store: the next one
  /// to end does it. To be called when what was read from the store is not used any more.
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
  std::unique_ptr<KeptStates> kept_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::filesystem::path> found_;  ///< by key, where it is read
  mutable std::unique_ptr<Hold> needed_hold_;  ///< where what is in use cannot be linked
};

}  // namespace semblance
