// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "semblance/state.hpp"
#include "support/owned_folder.hpp"

namespace semblance {

/// Checkpoints of trainings in progress, in a folder of the artifact store: KEY/NUMBER for each
/// key, of which the largest number counts. Each checkpoint is made beside and renamed into its
/// place before those that it replaces are removed. So whenever a process is killed, either the old
/// one or the new one is whole. It has the checksums of an artifact, and is verified before use.
///
/// Several processes may save a checkpoint for the same key at once: they compute the same, so
/// either is right, and the last one wins. Nothing depends on file locks.
class KeptStates {
 public:
  /// Unfinished checkpoints are in `drafts`, on the same file system.
  KeptStates(std::filesystem::path folder, OwnedFolder& drafts)
      : folder_(std::move(folder)), drafts_(drafts) {}

  /// Saves what `write` writes, and a note, in place of the former checkpoint. Throws Error where
  /// it cannot be written; then the former one stays.
  void put(const std::string& key, const nlohmann::ordered_json& note,
           const std::function<void(StateWriter&)>& write) const;

  struct Found {
    std::filesystem::path folder;  ///< owned by this process: no other process removes it
    nlohmann::ordered_json note;
  };

  /// The last checkpoint, when it is whole. A damaged one is reported to `damaged`, then removed.
  std::optional<Found> find(const std::string& key,
                            const std::function<void(const std::string&)>& damaged) const;

  /// Removes all checkpoints of the key.
  void remove(const std::string& key) const noexcept;

  /// A new path for files of this process alone.
  std::filesystem::path own_path(const std::string& ending) const;

  /// A checkpoint of one key.
  struct Item {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;
    std::filesystem::path folder;
  };
  std::vector<Item> items() const;

 private:
  std::filesystem::path move_into_place(const std::filesystem::path& draft,
                                        const std::filesystem::path& folder) const;
  void discard(const std::filesystem::path& gone) const noexcept;

  std::filesystem::path folder_;
  OwnedFolder& drafts_;
};

}  // namespace semblance
