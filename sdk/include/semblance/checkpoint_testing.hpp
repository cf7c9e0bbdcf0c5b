// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "semblance/checkpoint.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/memory_state.hpp"

/// Trainings that are interrupted and resumed, for tests of components that use a Checkpoint.
namespace semblance::testing {

/// Thrown where a training is interrupted, on all ranks at the same call, as if all had been
/// killed.
class CutOff : public std::exception {
 public:
  const char* what() const noexcept override { return "cut off"; }
};

/// A training's saved state in memory. It outlives the training's attempts, and ranks share it.
class KeptInMemory {
 public:
  std::shared_ptr<const MemoryState> state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void put(std::shared_ptr<const MemoryState> state) {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
    ++times_;
  }
  /// The number of calls of put().
  std::size_t times() const {
    const std::lock_guard lock(mutex_);
    return times_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const MemoryState> state_;
  std::size_t times_ = 0;
};

/// When to save and when to interrupt, counted in calls of due() since the attempt began. All ranks
/// count alike.
struct Interruptions {
  std::size_t keep_every = 1;  ///< 0: never
  std::size_t cut_off_at = 0;  ///< 0: never
};

/// One attempt's checkpoint on one rank. It resumes from the state that exists when it is
/// constructed, so construct it before any rank of the attempt trains.
class CheckpointInMemory final : public Checkpoint {
 public:
  CheckpointInMemory(KeptInMemory& memory, Interruptions when, bool first_rank = true)
      : memory_(memory), when_(when), first_rank_(first_rank), kept_(memory.state()) {}

  bool due() override {
    ++asked_;
    if (asked_ == when_.cut_off_at) throw CutOff();
    return when_.keep_every > 0 && asked_ % when_.keep_every == 0;
  }
  void keep(const std::function<void(StateWriter&)>& write) override {
    if (!first_rank_) return;
    auto state = std::make_shared<MemoryState>();
    write(*state);
    memory_.put(std::move(state));
  }
  const StateReader* kept() override {
    looked_ = true;
    return kept_.get();
  }

  std::size_t asked() const noexcept { return asked_; }
  bool looked() const noexcept { return looked_; }

 private:
  KeptInMemory& memory_;
  Interruptions when_;
  bool first_rank_;
  std::shared_ptr<const MemoryState> kept_;
  std::size_t asked_ = 0;
  bool looked_ = false;
};

/// A context that adds a checkpoint to another one.
class KeepingContext final : public Context {
 public:
  KeepingContext(Context& context, Checkpoint& checkpoint)
      : context_(context), checkpoint_(checkpoint) {}
  void log(LogLevel level, std::string_view message) override { context_.log(level, message); }
  Random random() const override { return context_.random(); }
  StopReason stop_requested() const noexcept override { return context_.stop_requested(); }
  void progress(double done, double total) override { context_.progress(done, total); }
  std::size_t memory_budget() const noexcept override { return context_.memory_budget(); }
  std::size_t threads() const noexcept override { return context_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    context_.parallel_for(count, body);
  }
  Collectives& collectives() noexcept override { return context_.collectives(); }
  Checkpoint& checkpoint() noexcept override { return checkpoint_; }

 private:
  Context& context_;
  Checkpoint& checkpoint_;
};

/// The result of a training that was interrupted repeatedly.
struct CutOffTraining {
  std::string outcome;       ///< its final result, the same on all ranks
  std::size_t attempts = 0;  ///< including the one that finished
  std::size_t went_on = 0;   ///< attempts that resumed from a saved state
  std::size_t kept = 0;      ///< number of saves in all attempts
  std::size_t asked = 0;     ///< calls of due() in all attempts
};

/// Calls `learn` on the given number of ranks (0: in a TestContext alone), interrupts it and calls
/// it again until it ends. Each attempt resumes from what the last one saved. The number of ranks
/// may change: attempts cycle through `ranks`. `learn` trains from the beginning and returns the
/// outcome as text, for example the bits of the model. Throws Error if ranks have different
/// outcomes or if the training never ends: each saved state must make progress.
inline CutOffTraining learn_cut_off(const std::vector<std::size_t>& ranks, Interruptions when,
                                    const std::function<std::string(Context&)>& learn,
                                    std::size_t threads = 1, KeptInMemory* from = nullptr) {
  constexpr std::size_t most_attempts = 2000;
  KeptInMemory own;
  KeptInMemory& memory = from ? *from : own;
  const std::size_t kept_before = memory.times();
  CutOffTraining training;
  while (++training.attempts <= most_attempts) {
    const std::size_t count = ranks[(training.attempts - 1) % ranks.size()];
    // All take the state from before any rank begins.
    std::vector<CheckpointInMemory> checkpoints;
    checkpoints.reserve(std::max<std::size_t>(count, 1));
    for (std::size_t r = 0; r < std::max<std::size_t>(count, 1); ++r)
      checkpoints.emplace_back(memory, when, r == 0);
    const bool something = memory.state() != nullptr;
    std::vector<std::optional<std::string>> outcomes(checkpoints.size());
    const auto attempt = [&](Context& context, std::size_t rank) {
      KeepingContext keeping(context, checkpoints[rank]);
      try {
        outcomes[rank] = learn(keeping);
      } catch (const CutOff&) {
        outcomes[rank] = std::nullopt;
      }
    };
    if (count == 0) {
      TestContext context(threads);
      attempt(context, 0);
    } else {
      on_ranks(
          count, [&](RankContext& context) { attempt(context, context.collectives().rank()); },
          threads);
    }
    training.asked += checkpoints.front().asked();
    training.went_on += something && checkpoints.front().looked();
    for (const auto& outcome : outcomes)
      if (outcome != outcomes.front()) throw Error("ranks come to different outcomes");
    if (!outcomes.front()) continue;
    training.outcome = *outcomes.front();
    training.kept = memory.times() - kept_before;
    return training;
  }
  throw Error("a training that is cut off does not get on: it never ends");
}

}  // namespace semblance::testing
