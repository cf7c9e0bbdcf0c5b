// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "problem_shares.hpp"
#include "workshop.hpp"

namespace semblance::kernel {

class Packer;
class Unpacker;

/// Solves all problems in turns. In each turn, several problems advance at a time; at its end the
/// ranks synchronise, on the thread that called the component.
///
/// A single rank needs only one turn. If the kernel's source is collective, all ranks solve all
/// problems, one after the other, and a turn is a working set. Otherwise the ranks share the
/// problems. When they synchronise, they exchange solutions, learn of a stop, and give work to idle
/// ranks. Which rank solves a problem, and when, does not change its bits.
///
/// Between turns it saves the solutions and the state of unfinished problems if a checkpoint is due
/// (Context::checkpoint()), and it resumes from the state saved by an earlier run.
class Solving {
 public:
  Solving(const ClassProblems& problems, const OwnColumns& columns,
          const std::vector<Opponents>& pairs, const MemoryPlan& memory,
          const numerics::DualOptions& options, Context& context);

  /// Restricts run() to these problems with their starting points, given the solutions of all
  /// others. Call it before run(), which then ignores the saved state of an earlier run.
  void go_on_from(std::map<std::size_t, numerics::DualState> courses,
                  std::vector<numerics::DualSolution> solutions);

  /// Rethrows the exception of the first failed problem, on all ranks alike.
  std::vector<numerics::DualSolution> run();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// The current problem, if any.
  struct Slot {
    std::size_t problem = none;
    std::unique_ptr<Job> job;
  };

  bool over() const;
  void turn();
  void work(Slot& slot);
  bool advance(Slot& slot);
  void open(Slot& slot);
  void go_on_from_kept();
  void keep();
  std::vector<std::byte> courses_under_way() const;
  bool pauses(const Slot& slot) const;
  std::size_t next();
  void solved(std::size_t problem, numerics::DualSolution solution);
  void failed(std::size_t problem, const std::string& message, std::exception_ptr failure);
  void meet();
  void exchange();
  void take_from(std::size_t rank, Unpacker& message);

  const std::vector<Opponents>& pairs_;
  Context& context_;
  bool together_;   // all ranks solve all problems
  bool share_out_;  // ranks solve different ones
  bool keeps_;      // whether there is a checkpoint
  Workshop workshop_;
  std::vector<double> costs_;
  std::optional<ProblemShares> shares_;
  bool begun_elsewhere_ = false;  // go_on_from() was called
  std::vector<Slot> slots_;
  std::vector<numerics::DualSolution> solutions_;
  std::vector<char> done_;                            // by problem
  std::map<std::size_t, numerics::DualState> kept_;  // saved states of an earlier run

  Clock::duration length_;  // of a turn
  Clock::time_point end_;

  std::mutex mutex_;
  std::vector<std::size_t> queue_;     // problems of this rank in this turn
  std::size_t begun_ = 0;              // of the queue
  std::vector<std::size_t> finished_;  // on this rank in this turn
  std::atomic<std::size_t> done_count_ = 0;

  std::atomic<std::size_t> first_failure_ = none;  // only problems before it still matter
  std::string message_;
  std::exception_ptr failure_;  // if it happened on this rank
};

}  // namespace semblance::kernel
