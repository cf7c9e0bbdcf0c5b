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

#include "kernel_caches.hpp"
#include "problem_queues.hpp"

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
class ProblemScheduler {
 public:
  ProblemScheduler(const ClassProblems& problems, const LocalColumns& columns,
                   const std::vector<Opponents>& pairs, const MemoryPlan& memory,
                   const numerics::DualOptions& options, Context& context);

  /// Restricts run() to these problems with their starting points, given the solutions of all
  /// others. Call it before run().
  void resume(std::map<std::size_t, numerics::DualState> states,
              std::vector<numerics::DualSolution> solutions);

  /// Rethrows the exception of the first failed problem, on all ranks alike.
  std::vector<numerics::DualSolution> run();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// A place for a problem in progress.
  struct Slot {
    std::size_t problem = none;  // its number
    std::unique_ptr<BinaryTraining> training;
  };

  bool over() const;
  void turn();
  void work(Slot& slot);
  bool advance(Slot& slot);
  void open(Slot& slot);
  bool pauses(const Slot& slot) const;
  std::size_t next();
  void solved(std::size_t problem, numerics::DualSolution solution);
  void failed(std::size_t problem, const std::string& message, std::exception_ptr failure);
  void synchronise();
  void exchange();
  void take_from(std::size_t rank, Unpacker& message);

  const std::vector<Opponents>& pairs_;
  Context& context_;
  bool together_;     // all ranks solve all problems
  bool distributed_;  // ranks solve different ones
  KernelCaches caches_;
  std::vector<double> costs_;
  std::optional<ProblemQueues> queues_;
  std::vector<Slot> slots_;
  std::vector<numerics::DualSolution> solutions_;
  std::vector<char> done_;                              // by problem
  std::map<std::size_t, numerics::DualState> resumed_;  // starting points

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
