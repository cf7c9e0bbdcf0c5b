// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/ranks/ranks.hpp"
#include "support/process_identity.hpp"

namespace semblance {

/// Looks whether the other ranks of this machine live, while ranks wait for each other. One that
/// was killed says nothing, and what waits for it does so without end: so of those that are left
/// the first says which rank is gone, in what, and what to do; and if nothing else ends this
/// process soon, it ends itself. Of ranks on other machines only what started them knows.
class RankWatch {
 public:
  /// What the rank is at, in words; and who is told. Both are called from another thread.
  using Doing = std::function<std::string()>;
  using Tell = std::function<void(const std::string& message)>;

  /// Collective.
  RankWatch(Ranks& ranks, Doing doing, Tell tell);
  /// Nobody waits for anybody any more.
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

 private:
  bool on_this_machine() const;
  void watch();
  bool over_within(std::chrono::milliseconds time);
  void end_soon(std::size_t gone);

  Ranks& ranks_;
  Doing doing_;
  Tell tell_;
  std::vector<ProcessIdentity> processes_;  ///< by rank
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace semblance
