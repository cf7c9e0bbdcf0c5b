// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "support/heartbeat.hpp"
#include "support/process_identity.hpp"

namespace semblance {

/// How often a lease shows that its holder lives, and after how long a silence it is lost.
struct LeaseTimes {
  std::chrono::milliseconds heartbeat{2000};
  std::chrono::milliseconds lost_after{20000};
};

/// Who is at something, for people to read.
struct LeaseRecord {
  std::string key;
  std::string host;
  std::int64_t pid = 0;
  std::string what;           ///< what take() was told: a node's name, say
  std::string since;          ///< ISO 8601, UTC, by the clock of the holder's machine
  double seconds = 0;         ///< since then, by the holder's own clock at its last heartbeat
  double silent_seconds = 0;  ///< since its last heartbeat, by the clock of the file system
  bool lost = false;          ///< its holder is known to be gone
  bool alive = false;         ///< its holder is known to live: it is a process of this machine
};

/// A lease that is held: kept alive by a heartbeat, gone when destroyed or when its process ends,
/// however that ends.
class Lease {
 public:
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

 private:
  friend class Leases;
  struct File;
  explicit Lease(std::unique_ptr<File> file, std::chrono::milliseconds heartbeat);

  std::unique_ptr<File> file_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

/// Leases in a folder that many processes of many machines share: who has the one of a key is at
/// it, and others do something else meanwhile. They need no file locks, only that a file is made
/// by one alone (O_EXCL), and no clock that two machines agree on: a lease is lost when whoever
/// looks at it has seen nothing move in it for a while, by its own clock, or when its process was
/// one of this machine and is gone. They save work and guard nothing: in a race, or where a holder
/// slept for long, two have the lease of one key and compute the same.
///
/// All members may be called from any thread, and throw Error where the folder cannot be used.
class Leases {
 public:
  /// Makes the folder.
  explicit Leases(std::filesystem::path folder, LeaseTimes times = {});
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  /// Nothing where somebody is at it, and nothing says that he is gone: ask again later. To see
  /// that a holder on another machine is gone, the same object must ask for `lost_after`.
  std::unique_ptr<Lease> take(const std::string& key, const std::string& what = {});

  /// All that are there, sorted by key. Those that are lost are told of once and removed.
  std::vector<LeaseRecord> all() const;

  const LeaseTimes& times() const noexcept { return times_; }

 private:
  struct Seen {
    std::string content;
    std::chrono::steady_clock::time_point at;  ///< when it was first seen like this
  };

  std::filesystem::path file_of(const std::string& key) const;
  bool lost(const std::filesystem::path& file, const std::string& content) const;
  void remove_lost(const std::filesystem::path& file, const std::string& content) const;

  std::filesystem::path folder_;
  LeaseTimes times_;
  mutable std::mutex mutex_;
  mutable std::map<std::filesystem::path, Seen> seen_;
};

}  // namespace semblance
