// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace semblance::serving {

/// A limited amount that clients share: connections, or memory for bodies. A client gets at most
/// three quarters. Thread-safe.
class ClientShares {
 public:
  explicit ClientShares(std::size_t most) : most_(most) {}

  /// False where there is not that much left, or where the client would have too much.
  bool take(const std::string& client, std::size_t amount);
  void give_back(const std::string& client, std::size_t amount);
  /// Whether more than three quarters are taken, of all or of the client's share.
  bool scarce(const std::string& client) const;
  void wait_until_all_is_back();

 private:
  static std::size_t three_quarters(std::size_t of) { return of - of / 4; }

  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable all_is_back_;
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t> by_client_;
};

/// One body's share of the memory, while it is read and answered.
class BodyShare {
 public:
  BodyShare(ClientShares& memory, const std::string& client) : memory_(memory), client_(client) {}
  ~BodyShare() { memory_.give_back(client_, bytes_); }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;

  /// False where there is no room.
  bool grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (!memory_.take(client_, bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }

 private:
  ClientShares& memory_;
  const std::string& client_;
  std::size_t bytes_ = 0;
};

}  // namespace semblance::serving
