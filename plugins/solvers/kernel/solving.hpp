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

#include "kernel/problem_shares.hpp"
#include "kernel/workshop.hpp"

namespace semblance::solvers {

class Packer;
class Unpacker;

/// Solves all problems in turns: in each, several problems at a time go on, until the turn is over;
/// then the ranks meet, on the thread that called the component.
///
/// Alone, one turn does it all. Where the kernel's source is collective, all ranks solve all
/// problems, one after the other, and a turn is a working set. Else ranks that learn together share
/// the problems out; when they meet, they tell what they have solved, hear of a stop, and give work
/// to who has none left. Who solves a problem, and when, does not change its bits.
///
/// Between turns it keeps what is solved, and how far the others have come, where it is time to
/// (Context::checkpoint()), and goes on from what an earlier run has kept.
class Solving {
 public:
  Solving(const ClassProblems& problems, const OwnColumns& columns,
          const std::vector<Opponents>& pairs, const MemoryPlan& memory,
          const numerics::DualOptions& options, Context& context);

  /// Solves these problems alone, from there, given the solutions of all others; to be called
  /// before run(), which then ignores what an earlier run has kept.
  void go_on_from(std::map<std::size_t, numerics::DualCourse> courses,
                  std::vector<numerics::DualSolution> solutions);

  /// Where a problem fails, throws what the first of those that fail throws: on all ranks alike.
  std::vector<numerics::DualSolution> run();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// A problem under way, if any.
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
  bool keeps_;      // there is a checkpoint
  Workshop workshop_;
  std::vector<double> costs_;
  std::optional<ProblemShares> shares_;
  bool begun_elsewhere_ = false;  // go_on_from() has said where
  std::vector<Slot> slots_;
  std::vector<numerics::DualSolution> solutions_;
  std::vector<char> done_;                            // by problem
  std::map<std::size_t, numerics::DualCourse> kept_;  // how far an earlier run came with problems

  Clock::duration length_;  // of a turn
  Clock::time_point end_;

  std::mutex mutex_;
  std::vector<std::size_t> queue_;     // of this rank, in this turn
  std::size_t begun_ = 0;              // of the queue
  std::vector<std::size_t> finished_;  // in this turn, here
  std::atomic<std::size_t> done_count_ = 0;

  std::atomic<std::size_t> first_failure_ = none;  // only problems before it still matter
  std::string message_;
  std::exception_ptr failure_;  // where it happened here
};

}  // namespace semblance::solvers
