// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/ranks/ranks.hpp"
#include "support/files/process_identity.hpp"

namespace semblance {

/// Checks that the other ranks of this machine live, while ranks wait for each other. A killed rank
/// says nothing, and the ranks that wait for it would wait for ever. So the first surviving rank
/// reports which rank is gone, what it was doing, and what to do; if nothing else ends this process
/// soon, it ends itself. Ranks on other machines are watched only by the launcher.
class RankWatch {
 public:
  /// The rank's present activity, in words; and where to report. Both are called from another
  /// thread.
  using Doing = std::function<std::string()>;
  using Tell = std::function<void(const std::string& message)>;

  /// Collective.
  RankWatch(Ranks& ranks, Doing doing, Tell tell);
  /// Stops watching: no rank waits for another any more.
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
