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

#include "support/files/heartbeat.hpp"
#include "support/files/process_identity.hpp"

namespace semblance {

/// How often a lease shows that its holder lives, and after what silence it is lost.
struct LeaseTimes {
  std::chrono::milliseconds heartbeat{2000};
  std::chrono::milliseconds lost_after{20000};
};

/// The holder of a lease, for people to read.
struct LeaseRecord {
  std::string key;
  std::string host;
  std::int64_t pid = 0;
  std::string what;           ///< the argument of take(): a node's name, say
  std::string since;          ///< ISO 8601, UTC, by the clock of the holder's machine
  double seconds = 0;         ///< since then, by the holder's own clock at its last heartbeat
  double silent_seconds = 0;  ///< since its last heartbeat, by the clock of the file system
  bool lost = false;          ///< its holder is known to be dead
  bool alive = false;         ///< its holder is known to live: it is a process of this machine
};

/// A held lease: kept alive by a heartbeat, gone when it is destroyed or when its process ends in
/// any way.
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

/// Leases in a folder that many processes on many machines share. The holder of a key's lease works
/// on it, and other processes do something else meanwhile. They need no file locks, only exclusive
/// creation of files (O_EXCL), and no clocks that agree. A lease is lost when a process has seen
/// nothing change in it for a while, by its own clock, or when its holder was a process of this
/// machine and is gone. Leases save work and guard nothing: after a race, or where a holder slept
/// for long, two processes hold the lease of one key and compute the same.
///
/// All members may be called from any thread, and throw Error where the folder cannot be used.
class Leases {
 public:
  /// Makes the folder.
  explicit Leases(std::filesystem::path folder, LeaseTimes times = {});
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  /// The lease; nothing where another process holds it and is not known to be gone: ask again
  /// later. To see that a holder on another machine is gone, call the same object over at least
  /// `lost_after`.
  std::unique_ptr<Lease> take(const std::string& key, const std::string& what = {});

  /// All existing leases, sorted by key. Lost ones are returned once and removed.
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
