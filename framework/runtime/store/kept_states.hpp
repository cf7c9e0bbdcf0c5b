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

/// What trainings that go on have kept of themselves, in a folder of the artifact store: for each
/// key KEY/NUMBER, of which the largest number counts. Each is made beside and renamed into its
/// place before those that it replaces go, so whenever a process is killed, the old one is whole or
/// the new one is. It has the checksums of an artifact, and is verified before it is used.
///
/// Several processes may keep something for the same key at once: they compute the same, so any of
/// it is right, and the last one wins. Nothing depends on file locks.
class KeptStates {
 public:
  /// What is in the making lies in `drafts`, on the same file system.
  KeptStates(std::filesystem::path folder, OwnedFolder& drafts)
      : folder_(std::move(folder)), drafts_(drafts) {}

  /// Keeps what `write` writes, and a note, in place of what was kept before. Throws Error where it
  /// cannot be written; then the old one stays.
  void put(const std::string& key, const nlohmann::ordered_json& note,
           const std::function<void(StateWriter&)>& write) const;

  struct Found {
    std::filesystem::path folder;  ///< this process' own: nobody else removes it
    nlohmann::ordered_json note;
  };

  /// What was kept last, when it is whole. What is damaged is removed, after `damaged` was told
  /// what is wrong.
  std::optional<Found> find(const std::string& key,
                            const std::function<void(const std::string&)>& damaged) const;

  /// Removes all that is kept for the key.
  void remove(const std::string& key) const noexcept;

  /// A new path for files of this process alone.
  std::filesystem::path own_path(const std::string& ending) const;

  /// What is kept for one key.
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
