// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/services/run_log.hpp"
#include "runtime/store/kept_states.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/checkpoint.hpp"
#include "semblance/transport.hpp"

namespace semblance {

/// Where one node keeps how far it has come while it learns: in the artifact store, under the key
/// of what it computes. Of several ranks the first one's clock counts, and it alone reads and
/// writes there; what it finds goes to the others.
class NodeCheckpoint final : public Checkpoint {
 public:
  using Log = std::function<void(LogLevel, const std::string&)>;

  /// Due every `seconds`, and so seldom that keeping takes a small part of the time. `check`
  /// throws Error where what was learned so far must not be kept.
  NodeCheckpoint(const KeptStates& states, std::string key, double seconds, Log log,
                 std::function<void()> check);
  ~NodeCheckpoint() override;
  NodeCheckpoint(const NodeCheckpoint&) = delete;
  NodeCheckpoint& operator=(const NodeCheckpoint&) = delete;

  /// The component learns together with those of other ranks; until then it is alone. Before it
  /// begins.
  void learn_with(RankedCollectives* others) noexcept { together_ = others; }

  bool due() override;
  void keep(const std::function<void(StateWriter&)>& write) override;
  const StateReader* kept() override;

  /// What is kept is not needed any more.
  void forget() const noexcept {
    if (used_) states_.remove(key_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool first() const noexcept { return !together_ || together_->rank() == 0; }
  bool alone() const noexcept { return !together_ || together_->ranks() == 1; }
  double spent() const;
  void find();
  void share();
  void use(std::filesystem::path folder);

  const KeptStates& states_;
  std::string key_;
  Clock::duration period_;
  Log log_;
  std::function<void()> check_;
  RankedCollectives* together_ = nullptr;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;  ///< when it is due
  double before_ = 0;       ///< seconds that attempts before this one have spent
  bool used_ = false;       ///< something is there, or was
  bool failed_ = false;     ///< to keep something; told once
  bool looked_ = false;
  std::filesystem::path folder_;  ///< own files of what was kept
  std::optional<StateFolderReader> kept_;
};

}  // namespace semblance
