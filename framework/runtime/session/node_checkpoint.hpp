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

/// Stores the progress of one node while it learns: in the artifact store, under the key of what it
/// computes. With several ranks the first rank's clock counts; only the first rank reads and writes
/// there, and sends what it finds to the other ranks.
class NodeCheckpoint final : public Checkpoint {
 public:
  using Log = std::function<void(LogLevel, const std::string&)>;

  /// Due every `seconds`, or less often, so that saving takes a small part of the time. `check`
  /// throws Error where the present progress must not be saved.
  NodeCheckpoint(const KeptStates& states, std::string key, double seconds, Log log,
                 std::function<void()> check);
  ~NodeCheckpoint() override;
  NodeCheckpoint(const NodeCheckpoint&) = delete;
  NodeCheckpoint& operator=(const NodeCheckpoint&) = delete;

  /// The component learns together with those of other ranks; without this call it is alone. Call
  /// it before learning begins.
  void learn_with(RankedCollectives* others) noexcept { together_ = others; }

  bool due() override;
  void keep(const std::function<void(StateWriter&)>& write) override;
  const StateReader* kept() override;

  /// Removes the checkpoint: it is no longer needed.
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
  double before_ = 0;       ///< seconds that earlier attempts have spent
  bool used_ = false;       ///< a checkpoint is or was there
  bool failed_ = false;     ///< to save a checkpoint; reported once
  bool looked_ = false;
  std::filesystem::path folder_;  ///< own files of the checkpoint
  std::optional<StateFolderReader> kept_;
};

}  // namespace semblance
